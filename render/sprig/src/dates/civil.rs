//! The calendar without zones: days since 1970 and back, for any year.

/// A date and a time of day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Civil {
    pub year: i64,
    /// 1 to 12
    pub month: u32,
    pub day: u32,
    pub hour: u32,
    pub minute: u32,
    pub second: u32,
    /// 1 to 366
    pub year_day: u32,
    /// 0 is Sunday
    pub weekday: u32,
}

const DAY: i64 = 86_400;

pub(super) fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

pub(super) fn days_in(month: u32, year: i64) -> u32 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days before a month in a year that is no leap year.
pub(super) fn days_before(month: u32) -> u32 {
    (1..month).map(|month| days_in(month, 1)).sum()
}

/// Days from 1970-01-01 to a date; the day may be outside its month.
pub(super) fn days(year: i64, month: u32, day: i64) -> i64 {
    // Years are counted from March, so that the leap day is the last one.
    let year = if month <= 2 { year - 1 } else { year };
    let month = i64::from((month + 9) % 12);
    let of_year = (153 * month + 2) / 5 + day - 1;
    let era = year.div_euclid(400);
    let within = year.rem_euclid(400);
    era * 146_097 + within * 365 + within / 4 - within / 100 + of_year - 719_468
}

/// The date and time that so many seconds since 1970 are.
pub(super) fn civil(seconds: i64) -> Civil {
    let (day_number, in_day) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
    let shifted = day_number + 719_468;
    let era = shifted.div_euclid(146_097);
    let of_era = shifted.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 {
        from_march + 3
    } else {
        from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let small = |n: i64| u32::try_from(n).unwrap_or(0);
    Civil {
        year,
        month: small(month),
        day: small(day),
        hour: small(in_day / 3600),
        minute: small(in_day / 60 % 60),
        second: small(in_day % 60),
        year_day: small(day_number - days(year, 1, 1) + 1),
        // 1970 began on a Thursday.
        weekday: small((day_number + 4).rem_euclid(7)),
    }
}
