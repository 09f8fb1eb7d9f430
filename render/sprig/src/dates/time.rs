//! Go's `time.Time` as templates see it: printed, compared, asked for its parts.

use std::borrow::Cow;

use qm_gotemplate::{Failure, Function, Kind, Object, Signature, Str, Type, Value};

use super::civil::{Civil, civil, days};
use super::format::format;
use super::named::Named;
use super::zone::Zone;
use crate::outside::Moment;

/// A point in time, told in a zone.
#[derive(Debug, Clone)]
pub(crate) struct Time {
    pub(super) seconds: i64,
    pub(super) nanos: u32,
    pub(super) zone: Zone,
}

const SECOND: i64 = 1_000_000_000;

impl Time {
    /// The zero of the type: the first of January of the year 1.
    pub(super) fn zero() -> Self {
        Self {
            seconds: days(1, 1, 1) * 86_400,
            nanos: 0,
            zone: Zone::Utc,
        }
    }

    pub(super) fn of_moment(moment: Moment, zone: Zone) -> Self {
        Self {
            seconds: moment.seconds,
            nanos: moment.nanos,
            zone,
        }
    }

    /// The type of parameters.
    pub(super) fn go_type() -> Type {
        Type::named("time.Time", Kind::Struct)
    }

    /// The time that an argument is.
    pub(super) fn of(value: &Value) -> Option<&Self> {
        match value {
            Value::Object(object) => object.downcast_ref(),
            _ => None,
        }
    }

    pub(super) fn plus(&self, nanos: i64) -> Self {
        let sum = i64::from(self.nanos) + nanos.rem_euclid(SECOND);
        let seconds = nanos.div_euclid(SECOND) + sum.div_euclid(SECOND);
        Self {
            seconds: self.seconds.wrapping_add(seconds),
            nanos: u32::try_from(sum.rem_euclid(SECOND)).unwrap_or(0),
            zone: self.zone.clone(),
        }
    }

    /// Nanoseconds from another time to this one, as many as fit.
    pub(super) fn since(&self, other: &Self) -> i64 {
        let seconds = i128::from(self.seconds) - i128::from(other.seconds);
        let nanos = i128::from(self.nanos) - i128::from(other.nanos);
        let all = seconds * i128::from(SECOND) + nanos;
        let bound = if all < 0 { i64::MIN } else { i64::MAX };
        i64::try_from(all).unwrap_or(bound)
    }

    pub(super) fn seconds(&self) -> i64 {
        self.seconds
    }

    pub(super) fn within(&self, zone: Zone) -> Self {
        Self {
            zone,
            ..self.clone()
        }
    }

    fn civil(&self) -> Civil {
        civil(self.seconds + i64::from(self.zone.at(self.seconds).0))
    }

    fn moved(&self, years: i64, months: i64, more_days: i64) -> Self {
        let at = self.civil();
        let month = i64::from(at.month) - 1 + months;
        let year = at.year + years + month.div_euclid(12);
        let month = u32::try_from(month.rem_euclid(12)).unwrap_or(0) + 1;
        let day = days(year, month, i64::from(at.day) + more_days);
        let in_day = i64::from(at.hour * 3600 + at.minute * 60 + at.second);
        Self {
            seconds: self.zone.resolve(day * 86_400 + in_day),
            ..self.clone()
        }
    }

    fn shown(&self) -> String {
        format(self, "2006-01-02 15:04:05.999999999 -0700 MST")
    }

    /// What `json.Marshal` writes between quotes.
    pub(crate) fn json(&self) -> Result<String, Failure> {
        let year = self.civil().year;
        if !(0..10_000).contains(&year) {
            return Err(
                "json: error calling MarshalJSON for type time.Time: Time.MarshalJSON: year outside of range [0,9999]"
                    .into(),
            );
        }
        Ok(format(self, "2006-01-02T15:04:05.999999999Z07:00"))
    }

    fn part(&self, name: &str) -> Option<Value> {
        let at = self.civil();
        let nanos = i64::from(self.nanos);
        Some(match name {
            "Year" => Value::Int(at.year),
            "Month" => Named::month(at.month),
            "Day" => Value::Int(at.day.into()),
            "Hour" => Value::Int(at.hour.into()),
            "Minute" => Value::Int(at.minute.into()),
            "Second" => Value::Int(at.second.into()),
            "Nanosecond" => Value::Int(nanos),
            "YearDay" => Value::Int(at.year_day.into()),
            "Weekday" => Named::weekday(at.weekday),
            "Unix" => Value::Int64(self.seconds),
            "UnixMilli" => Value::Int64(self.seconds.wrapping_mul(1000) + nanos / 1_000_000),
            "UnixMicro" => Value::Int64(self.seconds.wrapping_mul(1_000_000) + nanos / 1000),
            "UnixNano" => Value::Int64(self.seconds.wrapping_mul(SECOND).wrapping_add(nanos)),
            "String" => self.shown().into(),
            "IsZero" => Value::Bool(self.since(&Self::zero()) == 0),
            "UTC" => Value::object(self.within(Zone::Utc)),
            _ => return None,
        })
    }
}

/// The Go type that a part has.
fn part_type(name: &str) -> Type {
    match name {
        "Month" => Type::named("time.Month", Kind::Int),
        "Weekday" => Type::named("time.Weekday", Kind::Int),
        "Unix" | "UnixMilli" | "UnixMicro" | "UnixNano" => Type::Int64,
        "String" => Type::String,
        "IsZero" => Type::Bool,
        "UTC" => Time::go_type(),
        _ => Type::Int,
    }
}

impl Object for Time {
    fn type_name(&self) -> Cow<'_, str> {
        "time.Time".into()
    }

    fn kind(&self) -> Kind {
        Kind::Struct
    }

    fn text(&self) -> Option<Str> {
        Some(self.shown().into())
    }

    fn method(&self, name: &str) -> Option<Function> {
        let time = self.clone();
        if let Some(part) = self.part(name) {
            let signature = Signature::new([]).returns(part_type(name));
            return Some(Function::new(name, signature, move |_, _| Ok(part.clone())));
        }
        let length = || Type::named("time.Duration", Kind::Int64);
        Some(match name {
            "Format" => {
                let signature = Signature::new([Type::String]).returns(Type::String);
                Function::new(name, signature, move |_, args| {
                    Ok(format(&time, &args.text(0)).into())
                })
            }
            "Add" => {
                let signature = Signature::new([length()]).returns(Self::go_type());
                Function::new(name, signature, move |_, args| {
                    Ok(Value::object(time.plus(args.int(0))))
                })
            }
            "AddDate" => {
                let signature = Signature::new([Type::Int, Type::Int, Type::Int]);
                Function::new(name, signature.returns(Self::go_type()), move |_, args| {
                    Ok(Value::object(time.moved(
                        args.int(0),
                        args.int(1),
                        args.int(2),
                    )))
                })
            }
            "Sub" => {
                let signature = Signature::new([Self::go_type()]).returns(length());
                Function::new(name, signature, move |_, args| {
                    let other = Self::of(args.get(0));
                    Ok(Named::duration(other.map_or(0, |other| time.since(other))))
                })
            }
            "After" | "Before" | "Equal" | "Compare" => {
                let wanted = name.to_owned();
                let result = if wanted == "Compare" {
                    Type::Int
                } else {
                    Type::Bool
                };
                let signature = Signature::new([Self::go_type()]).returns(result);
                Function::new(name, signature, move |_, args| {
                    let order = Self::of(args.get(0)).map_or(0, |other| {
                        let left = (time.seconds, time.nanos);
                        left.cmp(&(other.seconds, other.nanos)) as i64
                    });
                    Ok(match &*wanted {
                        "After" => Value::Bool(order > 0),
                        "Before" => Value::Bool(order < 0),
                        "Equal" => Value::Bool(order == 0),
                        _ => Value::Int(order),
                    })
                })
            }
            _ => return None,
        })
    }

    fn equals(&self, other: &dyn Object) -> Option<bool> {
        let other = other.downcast_ref::<Self>()?;
        Some(
            (self.seconds, self.nanos) == (other.seconds, other.nanos)
                && self.zone.name() == other.zone.name(),
        )
    }
}
