//! Dates, times and durations. The clock and the local zone are handed in.

mod civil;
mod duration;
mod format;
mod layout;
mod named;
mod parse;
mod time;
mod zone;

use qm_gotemplate::{Functions, Signature, Type, Value};

pub(crate) use time::Time;
use zone::Zone;

use crate::outside::{Moment, Outside};

/// The clock and what local means; each function holds one.
#[derive(Clone)]
struct Clock {
    outside: Outside,
    local: Zone,
}

impl Clock {
    fn now(&self) -> Time {
        Time::of_moment(self.outside.now(), self.local.clone())
    }

    /// A time, or seconds since 1970; anything else is now.
    fn time(&self, value: &Value, narrow: bool) -> Time {
        let seconds = match value {
            Value::Int(n) | Value::Int64(n) => *n,
            Value::Int32(n) if narrow => i64::from(*n),
            value => return Time::of(value).cloned().unwrap_or_else(|| self.now()),
        };
        let moment = Moment { seconds, nanos: 0 };
        Time::of_moment(moment, self.local.clone())
    }

    fn dated(&self, layout: &str, value: &Value, zone: &str) -> Value {
        let zone = Zone::load(zone, &self.local).unwrap_or(Zone::Utc);
        let time = self.time(value, true).within(zone);
        format::format(&time, layout).into()
    }
}

pub(crate) fn add(to: &mut Functions, outside: &Outside) {
    let clock = Clock {
        outside: outside.clone(),
        local: Zone::local(outside.zone_name()),
    };
    add_written(to, &clock);
    add_read(to, &clock);
    add_durations(to, &clock);
}

fn add_written(to: &mut Functions, clock: &Clock) {
    let own = clock.clone();
    let signature = Signature::new([]).returns(Time::go_type());
    to.add("now", signature, move |_, _| Ok(Value::object(own.now())));
    let own = clock.clone();
    let signature = Signature::new([Type::String, Type::Any]).returns(Type::String);
    to.add("date", signature, move |_, args| {
        Ok(own.dated(&args.text(0), args.get(1), "Local"))
    });
    let own = clock.clone();
    let signature = Signature::new([Type::String, Type::Any, Type::String]);
    to.add(
        "dateInZone",
        signature.returns(Type::String),
        move |_, args| Ok(own.dated(&args.text(0), args.get(1), &args.text(2))),
    );
    to.alias("date_in_zone", "dateInZone");
    let own = clock.clone();
    let signature = Signature::new([Type::Any]).returns(Type::String);
    to.add("htmlDate", signature, move |_, args| {
        Ok(own.dated("2006-01-02", args.get(0), "Local"))
    });
    let own = clock.clone();
    let signature = Signature::new([Type::Any, Type::String]).returns(Type::String);
    to.add("htmlDateInZone", signature, move |_, args| {
        Ok(own.dated("2006-01-02", args.get(0), &args.text(1)))
    });
    let signature = Signature::new([Time::go_type()]).returns(Type::String);
    to.add("unixEpoch", signature, |_, args| {
        let seconds = Time::of(args.get(0)).map_or(0, Time::seconds);
        Ok(seconds.to_string().into())
    });
}

fn add_read(to: &mut Functions, clock: &Clock) {
    let signature = || Signature::new([Type::String, Type::String]).returns(Time::go_type());
    let own = clock.clone();
    to.add("toDate", signature(), move |_, args| {
        let time = parse::parse(&args.text(0), &args.text(1), &own.local);
        Ok(Value::object(time.unwrap_or_else(|_| Time::zero())))
    });
    let own = clock.clone();
    to.add("mustToDate", signature().fails(), move |_, args| {
        let time = parse::parse(&args.text(0), &args.text(1), &own.local)?;
        Ok(Value::object(time))
    });
    let signature = || Signature::new([Type::String, Time::go_type()]).returns(Time::go_type());
    to.add("dateModify", signature(), |_, mut args| {
        match (duration::parse(&args.text(0)), Time::of(args.get(1))) {
            (Ok(nanos), Some(time)) => Ok(Value::object(time.plus(nanos))),
            _ => Ok(args.take(1)),
        }
    });
    to.add("mustDateModify", signature().fails(), |_, mut args| {
        let nanos = duration::parse(&args.text(0))?;
        match Time::of(args.get(1)) {
            Some(time) => Ok(Value::object(time.plus(nanos))),
            None => Ok(args.take(1)),
        }
    });
    to.alias("date_modify", "dateModify");
    to.alias("must_date_modify", "mustDateModify");
}

fn add_durations(to: &mut Functions, clock: &Clock) {
    let one = || Signature::new([Type::Any]).returns(Type::String);
    let own = clock.clone();
    to.add("ago", one(), move |_, args| {
        let passed = own.now().since(&own.time(args.get(0), false));
        Ok(duration::text(duration::rounded_to_second(passed)).into())
    });
    to.add("duration", one(), |_, args| {
        let seconds = match args.get(0) {
            Value::Int64(n) => *n,
            Value::String(text) => crate::conversion::atoi(&text.to_text()),
            _ => 0,
        };
        Ok(duration::text(seconds.wrapping_mul(1_000_000_000)).into())
    });
    let own = clock.clone();
    to.add("durationRound", one(), move |_, args| {
        let nanos = match args.get(0) {
            Value::Int64(n) => *n,
            Value::String(text) => duration::parse(&text.to_text()).unwrap_or(0),
            value => Time::of(value).map_or(0, |time| own.now().since(time)),
        };
        Ok(largest_unit(nanos.unsigned_abs()).into())
    });
}

/// The number of the largest unit that fits more than once.
fn largest_unit(nanos: u64) -> String {
    const SECOND: u64 = 1_000_000_000;
    const DAY: u64 = 86_400 * SECOND;
    let units = [
        (365 * DAY, "y"),
        (30 * DAY, "mo"),
        (DAY, "d"),
        (3600 * SECOND, "h"),
        (60 * SECOND, "m"),
        (SECOND, "s"),
    ];
    let found = units.iter().find(|(unit, _)| nanos > *unit);
    found.map_or_else(
        || "0s".to_owned(),
        |(unit, name)| format!("{}{name}", nanos / unit),
    )
}

/// A time in UTC as `20060102150405`, for certificates.
pub(crate) fn utc_digits(seconds: i64) -> String {
    let time = Time::of_moment(Moment { seconds, nanos: 0 }, Zone::Utc);
    format::format(&time, "20060102150405")
}
