//! Many bad calls at once: a bounded part of us is busy with them, and other brokers do not notice.

use crate::support::{Registered, relay};
use qm_relay::{BreakerSettings, RelayError, RelaySettings};
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::{Outcome, Verb};
use std::time::Duration;
use tokio::task::JoinSet;

const DAY: Duration = Duration::from_secs(86_400);

#[tokio::test]
async fn hundreds_of_hanging_calls_take_only_their_own_places() {
    let hanging = HostileBroker::start().await.unwrap();
    let good = HostileBroker::start().await.unwrap();
    hanging.on_any().then(Fault::Hang);
    let relay = relay(RelaySettings {
        header_timeout: DAY,
        total_timeout: DAY,
        queue_timeout: Duration::from_millis(100),
        concurrency: 8,
        ..RelaySettings::default()
    });
    let mut calls = JoinSet::new();
    for number in 0..300 {
        let relay = relay.clone();
        let broker = Registered::new("hanging", hanging.url());
        calls.spawn(async move { broker.provision(&relay, &format!("i-{number}")).await });
    }
    hanging.wait_for_calls(8).await.unwrap();
    let broker = Registered::new("good", good.url());
    for number in 0..100 {
        let got = broker.provision(&relay, &format!("i-{number}")).await;
        assert_eq!(got.unwrap().status(), 201);
    }
    for _ in 0..292 {
        let error = calls.join_next().await.unwrap().unwrap().unwrap_err();
        assert!(matches!(error, RelayError::Busy { .. }), "{error:?}");
        assert_eq!((error.status(), error.outcome()), (503, Outcome::NotSent));
    }
    assert_eq!(hanging.calls().len(), 8, "no more were let through");
    calls.shutdown().await;
    let left: usize = relay.states().iter().map(|state| state.in_flight).sum();
    assert_eq!(left, 0);
    hanging.behave();
    let broker = Registered::new("hanging", hanging.url());
    assert_eq!(broker.provision(&relay, "i").await.unwrap().status(), 201);
}

#[tokio::test]
async fn whoever_waits_for_a_place_gets_it() {
    let hostile = HostileBroker::start().await.unwrap();
    hostile.on(Verb::Provision).then(Fault::slow(5));
    let relay = relay(RelaySettings {
        queue_timeout: DAY,
        concurrency: 2,
        ..RelaySettings::default()
    });
    let mut calls = JoinSet::new();
    for number in 0..40 {
        let relay = relay.clone();
        let broker = Registered::new("b", hostile.url());
        calls.spawn(async move { broker.provision(&relay, &format!("i-{number}")).await });
    }
    while let Some(ended) = calls.join_next().await {
        assert_eq!(ended.unwrap().unwrap().status(), 201);
    }
    assert_eq!(hostile.instances().len(), 40);
}

#[tokio::test]
async fn every_fault_at_once_ends_by_itself_and_touches_nobody_else() {
    let bad = HostileBroker::start().await.unwrap();
    let good = HostileBroker::start().await.unwrap();
    bad.on_any().then(Fault::Cycle {
        faults: vec![
            Fault::Reset,
            Fault::Gigantic { bytes: None },
            Fault::Close,
            Fault::Hang,
            Fault::Cut,
            Fault::HangInBody,
            Fault::Malformed,
            Fault::Raw {
                text: "\u{0}\u{1}garbage\r\n\r\n".to_owned(),
            },
            Fault::redirect(307, "http://127.0.0.1:1/"),
            Fault::WrongLength { by: 100 },
        ],
    });
    let relay = relay(RelaySettings {
        // Long enough for a busy machine to send all of them.
        header_timeout: Duration::from_secs(6),
        total_timeout: Duration::from_secs(6),
        // Never opens, so that all of them get through.
        breaker: BreakerSettings {
            failures: u32::MAX,
            pause: Duration::ZERO,
        },
        concurrency: 32,
        queue_timeout: DAY,
        ..RelaySettings::default()
    });
    let mut calls = JoinSet::new();
    for number in 0..100 {
        let relay = relay.clone();
        let broker = Registered::new("bad", bad.url());
        calls.spawn(async move { broker.provision(&relay, &format!("i-{number}")).await });
    }
    let broker = Registered::new("good", good.url());
    for number in 0..100 {
        let got = broker.provision(&relay, &format!("i-{number}")).await;
        assert_eq!(got.unwrap().status(), 201);
    }
    let mut lost = 0;
    while let Some(ended) = calls.join_next().await {
        lost += usize::from(ended.unwrap().is_err());
    }
    // Two of the ten faults are answers.
    assert!(lost >= 80, "{lost}");
    assert_eq!(bad.calls().len(), 100, "each was sent once");
    let left: usize = relay.states().iter().map(|state| state.in_flight).sum();
    assert_eq!(left, 0);
}
