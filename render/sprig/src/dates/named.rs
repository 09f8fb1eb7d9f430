//! Go's named integers of the `time` package: months, weekdays and durations. Each prints in words.

use std::borrow::Cow;

use qm_gotemplate::{Function, Kind, Object, Signature, Str, Type, Value};

use super::duration;
use super::layout::{month_name, weekday_name};

/// An integer with a name for its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    Month(u32),
    Weekday(u32),
    Duration(i64),
}

impl Named {
    pub(super) fn month(month: u32) -> Value {
        Value::object(Self::Month(month))
    }

    pub(super) fn weekday(weekday: u32) -> Value {
        Value::object(Self::Weekday(weekday))
    }

    pub(super) fn duration(nanos: i64) -> Value {
        Value::object(Self::Duration(nanos))
    }

    fn words(self) -> String {
        match self {
            Self::Month(month) => month_name(month).to_owned(),
            Self::Weekday(weekday) => weekday_name(weekday).to_owned(),
            Self::Duration(nanos) => duration::text(nanos),
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "Go converts in the same way")]
    fn units(nanos: i64, unit: i64) -> f64 {
        (nanos / unit) as f64 + (nanos % unit) as f64 / unit as f64
    }
}

impl Object for Named {
    fn type_name(&self) -> Cow<'_, str> {
        match self {
            Self::Month(_) => "time.Month",
            Self::Weekday(_) => "time.Weekday",
            Self::Duration(_) => "time.Duration",
        }
        .into()
    }

    fn kind(&self) -> Kind {
        match self {
            Self::Month(_) | Self::Weekday(_) => Kind::Int,
            Self::Duration(_) => Kind::Int64,
        }
    }

    fn method(&self, name: &str) -> Option<Function> {
        let (result, value) = match (self, name) {
            (_, "String") => (Type::String, self.words().into()),
            (Self::Duration(n), "Nanoseconds") => (Type::Int64, Value::Int64(*n)),
            (Self::Duration(n), "Microseconds") => (Type::Int64, Value::Int64(n / 1000)),
            (Self::Duration(n), "Milliseconds") => (Type::Int64, Value::Int64(n / 1_000_000)),
            (Self::Duration(n), "Seconds" | "Minutes" | "Hours") => {
                let unit = match name {
                    "Seconds" => 1_000_000_000,
                    "Minutes" => 60_000_000_000,
                    _ => 3_600_000_000_000,
                };
                (Type::Float64, Value::Float64(Self::units(*n, unit)))
            }
            _ => return None,
        };
        let signature = Signature::new([]).returns(result);
        Some(Function::new(
            name,
            signature,
            move |_, _| Ok(value.clone()),
        ))
    }

    fn text(&self) -> Option<Str> {
        Some(self.words().into())
    }

    fn underlying(&self) -> Option<Value> {
        Some(match self {
            Self::Month(n) | Self::Weekday(n) => Value::Int(i64::from(*n)),
            Self::Duration(n) => Value::Int64(*n),
        })
    }

    fn equals(&self, other: &dyn Object) -> Option<bool> {
        Some(other.downcast_ref::<Self>() == Some(self))
    }
}
