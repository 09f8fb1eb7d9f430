//! A duration as Go writes it: `30s`, `1m30s`, `1h0m0s`, `1.5s`, `250ms`. Agents parse the header with Go's own parser.

use std::time::Duration;

/// The text.
pub(super) fn go(duration: Duration) -> String {
    let (seconds, nanos) = (duration.as_secs(), duration.subsec_nanos());
    if seconds == 0 {
        return match nanos {
            0 => "0s".to_owned(),
            1..1_000 => format!("{nanos}ns"),
            1_000..1_000_000 => {
                format!("{}µs", decimal(u64::from(nanos / 1_000), nanos % 1_000, 3))
            }
            _ => format!(
                "{}ms",
                decimal(u64::from(nanos / 1_000_000), nanos % 1_000_000, 6)
            ),
        };
    }
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    let rest = format!("{}s", decimal(seconds % 60, nanos, 9));
    match (hours, minutes) {
        (0, 0) => rest,
        (0, _) => format!("{minutes}m{rest}"),
        _ => format!("{hours}h{minutes}m{rest}"),
    }
}

/// `whole.part` without zeros at its end, `part` having so many digits.
fn decimal(whole: u64, part: u32, digits: usize) -> String {
    if part == 0 {
        return whole.to_string();
    }
    let part = format!("{part:0digits$}");
    format!("{whole}.{}", part.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_go_writes_it() {
        for (nanos, text) in [
            (0, "0s"),
            (1, "1ns"),
            (1_100, "1.1µs"),
            (2_200_000, "2.2ms"),
            (250_000_000, "250ms"),
            (1_000_000_000, "1s"),
            (1_500_000_000, "1.5s"),
            (3_000_000_001, "3.000000001s"),
            (30_000_000_000, "30s"),
            (60_000_000_000, "1m0s"),
            (90_000_000_000, "1m30s"),
            (3_600_000_000_000, "1h0m0s"),
            (3_661_500_000_000, "1h1m1.5s"),
            (90_000_000_000_000, "25h0m0s"),
        ] {
            assert_eq!(go(Duration::from_nanos(nanos)), text);
        }
    }
}
