//! Any value as a number, as the library does it that sprig uses: what cannot be converted is zero.

mod float_text;
mod int_text;

use qm_gotemplate::{JsonNumber, Value};

pub(crate) use float_text::parse_float;
pub(crate) use int_text::parse_int;

/// `int64` (and `int`, which is as wide).
#[allow(clippy::cast_possible_wrap, reason = "Go converts in the same way")]
pub(crate) fn to_int(value: &Value) -> i64 {
    match value {
        Value::Bool(x) => i64::from(*x),
        Value::Float32(x) => truncated(f64::from(*x)),
        Value::Float64(x) => truncated(*x),
        Value::String(text) => int_of_text(&text.to_text()),
        Value::Object(object) => {
            if let Some(JsonNumber(text)) = object.downcast_ref() {
                return int_of_text(&text.to_text());
            }
            calendar(value).unwrap_or(0)
        }
        value => value
            .as_signed()
            .or_else(|| value.as_unsigned().map(|n| n as i64))
            .unwrap_or(0),
    }
}

/// `float64`.
#[allow(clippy::cast_precision_loss, reason = "Go converts in the same way")]
pub(crate) fn to_float(value: &Value) -> f64 {
    match value {
        Value::Bool(x) => f64::from(u8::from(*x)),
        Value::String(text) => parse_float(&text.to_text()).unwrap_or(0.0),
        Value::Object(object) => {
            if let Some(JsonNumber(text)) = object.downcast_ref() {
                return parse_float(&text.to_text()).unwrap_or(0.0);
            }
            calendar(value).unwrap_or(0) as f64
        }
        value => value
            .as_float()
            .or_else(|| value.as_signed().map(|n| n as f64))
            .or_else(|| value.as_unsigned().map(|n| n as f64))
            .unwrap_or(0.0),
    }
}

/// Months and weekdays are the only named integers that are taken for numbers.
fn calendar(value: &Value) -> Option<i64> {
    match value {
        Value::Object(object) if matches!(&*object.type_name(), "time.Month" | "time.Weekday") => {
            value.as_signed()
        }
        _ => None,
    }
}

fn int_of_text(text: &str) -> i64 {
    parse_int(without_zero_decimals(text), 0).unwrap_or(0)
}

/// `1.00` is taken for `1`.
fn without_zero_decimals(text: &str) -> &str {
    let whole = text.trim_end_matches('0');
    match whole.strip_suffix('.') {
        Some(number) if whole.len() < text.len() => number,
        _ => text,
    }
}

/// As the processor does it: what does not fit is the smallest number.
#[allow(clippy::cast_possible_truncation, reason = "the range is checked")]
pub(crate) fn truncated(x: f64) -> i64 {
    const EDGE: f64 = 9_223_372_036_854_775_808.0;
    if (-EDGE..EDGE).contains(&x) {
        x as i64
    } else {
        i64::MIN
    }
}
