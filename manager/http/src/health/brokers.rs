//! The indicator of `/v1/monitor/health` about brokers: which of them are left alone, and why.
//!
//! The rule: it is never fatal, whatever brokers do; and like all details, addresses and reasons are for
//! people who log in.

use super::{HealthStatus, Shape};
use crate::encode::date::{or_zero, rfc3339};
use qm_lifecycle::health::{BreakerState, BrokerState};
use qm_model::Time;
use serde_json::{Map, Value, json};

pub(super) fn shape(states: Vec<BrokerState>, now: Time, in_detail: bool) -> Shape {
    let closed = |state: &&BrokerState| state.breaker == BreakerState::Closed;
    let left_alone = states.iter().filter(|state| !closed(state)).count();
    Shape {
        name: "brokers".to_owned(),
        status: match left_alone {
            0 => HealthStatus::Up,
            _ => HealthStatus::Down,
        },
        error: (in_detail && left_alone > 0)
            .then(|| format!("{left_alone} cannot be reached and are left alone for a while")),
        fatal: false,
        details: (in_detail && !states.is_empty()).then(|| one_by_one(states)),
        check_time: rfc3339(now),
        num_failures: u64::from(left_alone > 0),
        first_failure_at: or_zero((left_alone > 0).then_some(now)),
    }
}

fn one_by_one(states: Vec<BrokerState>) -> Value {
    let rows = states.into_iter().map(|state| {
        let BrokerState {
            id,
            breaker,
            problem,
            in_flight,
        } = state;
        let row = json!({
            "breaker": breaker.as_str(),
            "problem": problem,
            "in_flight": in_flight,
        });
        (id.to_string(), row)
    });
    Value::Object(rows.collect::<Map<_, _>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use qm_model::id::BrokerId;

    fn state(id: &str, breaker: BreakerState) -> BrokerState {
        BrokerState {
            id: BrokerId::new(id).unwrap(),
            breaker,
            problem: (breaker != BreakerState::Closed).then(|| "nothing listens at h-7".to_owned()),
            in_flight: 3,
        }
    }

    #[test]
    fn a_broker_that_is_left_alone_is_shown_and_not_fatal() {
        let states = || {
            vec![
                state("well", BreakerState::Closed),
                state("away", BreakerState::Open),
            ]
        };
        let shown = shape(states(), Time(0), true);
        assert_eq!((shown.status, shown.fatal), (HealthStatus::Down, false));
        let details = shown.details.unwrap();
        assert_eq!(details["away"]["breaker"], "open");
        assert_eq!(details["away"]["problem"], "nothing listens at h-7");
        assert_eq!(details["well"]["in_flight"], 3);
        let hidden = shape(states(), Time(0), false);
        assert_eq!((hidden.error, hidden.details), (None, None));
        let well = shape(vec![state("well", BreakerState::Closed)], Time(0), true);
        assert_eq!((well.status, well.error), (HealthStatus::Up, None));
    }
}
