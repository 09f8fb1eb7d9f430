//! Our clock against others'. Tokens, leases and deadlines are judged by it.

use super::Report;
use std::time::{SystemTime, UNIX_EPOCH};

const NAME: &str = "clock";
/// Below this nothing notices.
const FINE: i64 = 2_000;
/// From here on tokens are refused or live too long.
const BAD: i64 = 60_000;

/// Milliseconds since 1970.
pub(super) fn now() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .ok()
        .and_then(|since| i64::try_from(since.as_millis()).ok())
        .unwrap_or(0)
}

/// Compares: `theirs` was said between `before` and now, and may be rounded down by `rounded`.
pub(super) fn compare(who: &str, theirs: i64, before: i64, rounded: i64, report: &mut Report) {
    let after = now();
    // Inside the time of the question they agree, as far as can be told.
    let off = match theirs {
        early if early + rounded < before => before - (early + rounded),
        late if late > after => late - after,
        _ => 0,
    };
    let seconds = off / 1000;
    if off < FINE {
        report.ok(NAME, format!("it agrees with that of {who}"));
    } else if off < BAD {
        let what = format!("it is {seconds} s away from that of {who}");
        report.warning(NAME, what, "set the clocks by NTP");
    } else {
        let what =
            format!("it is {seconds} s away from that of {who}: tokens and leases are misjudged");
        report.problem(NAME, what, "set the clocks by NTP");
    }
}

/// Judges it where there is no other clock, by when something was last written here.
pub(super) fn alone(last: Option<i64>, report: &mut Report) {
    let Some(last) = last else {
        let why = "there is no other to compare it with, and nothing was written here yet";
        return report.skipped(NAME, why);
    };
    let behind = last.saturating_sub(now());
    let seconds = behind / 1000;
    let todo = "set it by NTP";
    if behind < FINE {
        let what =
            "it is not behind what was last written here; there is no other to compare it with";
        report.ok(NAME, what);
    } else if behind < BAD {
        let what = format!("it is {seconds} s behind what was last written here");
        report.warning(NAME, what, todo);
    } else {
        let what = format!(
            "it is {seconds} s behind what was last written here: tokens and leases are misjudged"
        );
        report.problem(NAME, what, todo);
    }
}

#[cfg(test)]
mod tests {
    use super::{Report, alone, compare, now};

    #[test]
    fn alone_it_is_judged_by_the_past() {
        for (last, word) in [
            (None, "skipped"),
            (Some(now() - 1_000_000), "ok"),
            (Some(now() + 10_000), "warning"),
            (Some(now() + 3_600_000), "problem"),
        ] {
            let mut report = Report::default();
            alone(last, &mut report);
            assert!(report.text().starts_with(word), "{}", report.text());
        }
    }

    #[test]
    fn a_clock_is_judged_by_how_far_it_is_away() {
        for (off, word) in [
            (0, "ok"),
            (-900, "ok"),
            (10_000, "warning"),
            (-10_000, "warning"),
            (3_600_000, "problem"),
        ] {
            let mut report = Report::default();
            let before = now();
            compare("a friend", before + off, before, 1000, &mut report);
            assert!(report.text().starts_with(word), "{off}: {}", report.text());
        }
    }
}
