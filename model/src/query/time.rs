//! Times in queries: RFC 3339 and nothing near it, to the millisecond that the store keeps.
//!
//! The rule: a time with a finer fraction is rounded to the side on which the comparison with stored
//! milliseconds comes out as it would have with the fraction.

use super::Order;
use crate::Time;
use jiff::Timestamp;

/// 0000-01-01T00:00:00Z: earlier moments cannot be printed with four digits of a year.
const FIRST: i64 = -62_167_219_200_000;
const NANOS: i128 = 1_000_000;

/// Reads a time. `order` is how it will be compared, if not for equality.
pub(super) fn parse(text: &str, order: Option<Order>) -> Option<Time> {
    if !is_rfc3339(text) {
        return None;
    }
    let nanos = text.parse::<Timestamp>().ok()?.as_nanosecond();
    let below = nanos.div_euclid(NANOS);
    let millis = match order {
        Some(Order::Ge | Order::Lt) if nanos.rem_euclid(NANOS) > 0 => below + 1,
        _ => below,
    };
    let millis = i64::try_from(millis).ok()?;
    let printable = millis >= FIRST && Timestamp::from_millisecond(millis).is_ok();
    printable.then_some(Time(millis))
}

/// Whether a text has the shape of RFC 3339; it may still name a day that never was.
pub(super) fn is_rfc3339(text: &str) -> bool {
    let Some((head, rest)) = text.as_bytes().split_at_checked(19) else {
        return false;
    };
    let rest = match rest {
        [b'.', fraction @ ..] => {
            let digits = fraction.iter().take_while(|byte| byte.is_ascii_digit());
            match digits.count() {
                0 => return false,
                some => &fraction[some..],
            }
        }
        whole => whole,
    };
    let zone = match rest {
        [b'Z' | b'z'] => true,
        [b'+' | b'-', offset @ ..] => has_shape(offset, b"00:00"),
        _ => false,
    };
    zone && has_shape(head, b"0000-00-00T00:00:00")
}

/// A digit for each `0`, and the other signs as they are; letters in either case.
fn has_shape(text: &[u8], shape: &[u8]) -> bool {
    text.len() == shape.len()
        && text.iter().zip(shape).all(|(found, wanted)| match wanted {
            b'0' => found.is_ascii_digit(),
            sign => found.eq_ignore_ascii_case(sign),
        })
}
