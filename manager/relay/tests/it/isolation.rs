//! A broker that hangs takes nothing from the others, and a bounded part of us.

use crate::support::counting::Counting;
use crate::support::{Registered, relay};
use qm_relay::{BreakerState, BrokerState, RelayError, RelaySettings};
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::Verb;
use std::time::Duration;
use tokio::task::JoinSet;

#[tokio::test]
async fn a_hanging_broker_does_not_hold_anothers_calls() {
    let hanging = HostileBroker::start().await.unwrap();
    let good = HostileBroker::start().await.unwrap();
    hanging.on(Verb::Catalog).then(Fault::Hang);
    let day = Duration::from_secs(86_400);
    let relay = relay(RelaySettings {
        header_timeout: day,
        total_timeout: day,
        queue_timeout: Duration::from_millis(50),
        concurrency: 4,
        ..RelaySettings::default()
    });
    let mut calls = JoinSet::new();
    for _ in 0..20 {
        let relay = relay.clone();
        let broker = Registered::new("hanging", hanging.url());
        calls.spawn(async move { broker.catalog(&relay).await });
    }
    hanging.wait_for_calls(4).await.unwrap();
    // All places are taken, and the other broker does not notice.
    let broker = Registered::new("good", good.url());
    for _ in 0..50 {
        broker.catalog(&relay).await.unwrap();
    }
    // Sixteen were sent away; four hang, and no more were let through to the broker.
    for _ in 0..16 {
        let ended = calls.join_next().await.unwrap().unwrap();
        let error = ended.unwrap_err();
        assert!(matches!(error, RelayError::Busy { .. }), "{error:?}");
        assert_eq!(error.status(), 503);
    }
    assert_eq!(hanging.calls().len(), 4);
    let state = |id: &str, in_flight| BrokerState {
        id: qm_model::id::BrokerId::new(id).unwrap(),
        breaker: BreakerState::Closed,
        problem: None,
        in_flight,
    };
    assert_eq!(relay.states(), [state("good", 0), state("hanging", 4)]);
    // A new address does not make new places as long as the old calls hang.
    let moved = Registered::new("hanging", format!("{}/", hanging.url()));
    let error = moved.catalog(&relay).await.unwrap_err();
    assert!(matches!(error, RelayError::Busy { .. }), "{error:?}");
    // Calls that are dropped give their places back.
    calls.shutdown().await;
    assert_eq!(relay.states(), [state("good", 0), state("hanging", 0)]);
    hanging.behave();
    moved.catalog(&relay).await.unwrap();
}

#[tokio::test]
async fn connections_are_kept_and_shared() {
    let hostile = HostileBroker::start().await.unwrap();
    let front = Counting::start(hostile.address()).await;
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", format!("http://{}", front.address));
    for _ in 0..20 {
        broker.catalog(&relay).await.unwrap();
    }
    assert_eq!(front.total(), 1);
}
