//! The breaker over the wire: opens, keeps the broker alone, lets one through, recovers.

use crate::support::{Registered, relay};
use qm_model::broker::Auth;
use qm_relay::{BreakerSettings, BreakerState, Relay, RelayError, RelaySettings};
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::Verb;
use std::time::Duration;

fn breaking(failures: u32, pause: Duration) -> Relay {
    relay(RelaySettings {
        breaker: BreakerSettings { failures, pause },
        ..RelaySettings::default()
    })
}

const LONG: Duration = Duration::from_secs(3600);

#[tokio::test]
async fn opens_after_failures_in_a_row_and_leaves_the_broker_alone() {
    let mut hostile = HostileBroker::start().await.unwrap();
    let relay = breaking(3, LONG);
    let broker = Registered::new("b", hostile.url());
    hostile.stop().await;
    for _ in 0..3 {
        assert_eq!(
            relay
                .states()
                .first()
                .map_or(BreakerState::Closed, |state| state.breaker),
            BreakerState::Closed
        );
        let error = broker.catalog(&relay).await.unwrap_err();
        assert!(matches!(error, RelayError::Unreachable { .. }), "{error:?}");
    }
    let state = relay.states().remove(0);
    assert_eq!((state.breaker, state.in_flight), (BreakerState::Open, 0));
    assert!(state.problem.unwrap().contains("nothing listens"));
    // It is back, and still left alone.
    hostile.resume().unwrap();
    let error = broker.catalog(&relay).await.unwrap_err();
    assert!(matches!(error, RelayError::Open { .. }), "{error:?}");
    assert_eq!(error.status(), 503);
    assert!(error.to_string().contains("nothing listens"), "{error}");
    assert!(hostile.calls().is_empty());
}

#[tokio::test]
async fn recovers_by_one_call_that_is_answered() {
    let mut hostile = HostileBroker::start().await.unwrap();
    let relay = breaking(2, Duration::ZERO);
    let broker = Registered::new("b", hostile.url());
    hostile.stop().await;
    for _ in 0..4 {
        broker.catalog(&relay).await.unwrap_err();
    }
    assert_eq!(relay.states()[0].breaker, BreakerState::HalfOpen);
    hostile.resume().unwrap();
    broker.catalog(&relay).await.unwrap();
    let state = relay.states().remove(0);
    assert_eq!((state.breaker, state.problem), (BreakerState::Closed, None));
}

#[tokio::test]
async fn only_one_call_tries_a_half_open_broker() {
    let hostile = HostileBroker::start().await.unwrap();
    hostile.on(Verb::Catalog).nth(1).then(Fault::Close);
    hostile.on(Verb::Catalog).from_nth(2).then(Fault::Hang);
    let relay = breaking(1, Duration::ZERO);
    let broker = Registered::new("b", hostile.url());
    broker.catalog(&relay).await.unwrap_err();
    let trying = tokio::spawn({
        let relay = relay.clone();
        let broker = Registered::new("b", hostile.url());
        async move { broker.catalog(&relay).await }
    });
    hostile.wait_for_calls(2).await.unwrap();
    let error = broker.catalog(&relay).await.unwrap_err();
    assert!(matches!(error, RelayError::Open { .. }), "{error:?}");
    // Whoever tried was dropped: somebody else may.
    trying.abort();
    assert!(trying.await.unwrap_err().is_cancelled());
    hostile.behave();
    broker.catalog(&relay).await.unwrap();
    assert_eq!(relay.states()[0].breaker, BreakerState::Closed);
}

#[tokio::test]
async fn whatever_answers_is_there() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = breaking(1, LONG);
    let broker = Registered::new("b", hostile.url());
    for fault in [
        Fault::status(500),
        Fault::NotJson,
        Fault::Gigantic { bytes: None },
    ] {
        hostile.behave();
        hostile.on(Verb::Catalog).then(fault);
        for _ in 0..3 {
            assert_eq!(broker.catalog(&relay).await.unwrap_err().status(), 400);
        }
        assert_eq!(relay.states()[0].breaker, BreakerState::Closed);
    }
}

#[tokio::test]
async fn another_address_or_password_is_tried_at_once() {
    let mut dead = HostileBroker::start().await.unwrap();
    let alive = HostileBroker::start().await.unwrap();
    let relay = breaking(1, LONG);
    let broker = Registered::new("b", dead.url());
    dead.stop().await;
    broker.catalog(&relay).await.unwrap_err();
    let error = broker.catalog(&relay).await.unwrap_err();
    assert!(matches!(error, RelayError::Open { .. }), "{error:?}");
    let moved = Registered::new("b", alive.url());
    moved.catalog(&relay).await.unwrap();
    let renamed = Registered::new("b", dead.url()).auth(Auth::None);
    let error = renamed.catalog(&relay).await.unwrap_err();
    assert!(matches!(error, RelayError::Unreachable { .. }), "{error:?}");
}
