//! Defect 21: bodies were never closed and a transport was made for each call, so that descriptors grew.

use crate::support::counting::Counting;
use crate::support::tls::{Authority, Front};
use crate::support::{Registered, relay};
use qm_relay::{Relay, RelaySettings};
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::Verb;
use std::sync::Arc;
use tokio::task::JoinSet;

const AT_ONCE: usize = 4;
const CALLS: usize = 100;

#[tokio::test]
async fn defect_21_descriptors_stay_few_however_many_calls_are_made() {
    let hostile = HostileBroker::start().await.unwrap();
    let counting = Counting::start(hostile.address()).await;
    let authority = Authority::new("a");
    let front = Front::start(&authority.server(&["127.0.0.1"]), None, counting.address).await;
    let relay = relay(RelaySettings {
        extra_roots: vec![authority.pem()],
        ..RelaySettings::default()
    });
    let plain = format!("http://{}", counting.address);
    let mut before = 0;
    for url in [plain, front.url()] {
        // Answers that are read, ignored, refused and broken alike.
        hostile.reset();
        hostile.on(Verb::Provision).then(Fault::Cycle {
            faults: vec![
                Fault::Behave,
                Fault::status(500),
                Fault::status(404),
                Fault::Malformed,
                Fault::Behave,
            ],
        });
        many(&relay, Registered::new("b", url)).await;
        assert_eq!(hostile.calls().len(), AT_ONCE * CALLS);
        // Two at once may each begin a connection for one that has just become free.
        let made = counting.total() - before;
        assert!(
            made <= AT_ONCE * 3,
            "{made} connections for {} calls",
            AT_ONCE * CALLS
        );
        before = counting.total();
    }
    assert!(
        counting.open() <= AT_ONCE * 6,
        "{} are open",
        counting.open()
    );
}

async fn many(relay: &Relay, broker: Registered) {
    let broker = Arc::new(broker);
    let mut callers = JoinSet::new();
    for caller in 0..AT_ONCE {
        let (relay, broker) = (relay.clone(), Arc::clone(&broker));
        callers.spawn(async move {
            for number in 0..CALLS {
                let id = format!("i-{caller}-{number}");
                broker.provision(&relay, &id).await.unwrap();
            }
        });
    }
    while let Some(ended) = callers.join_next().await {
        ended.unwrap();
    }
}

#[tokio::test]
async fn defect_21_connections_with_broken_answers_are_closed() {
    let hostile = HostileBroker::start().await.unwrap();
    let counting = Counting::start(hostile.address()).await;
    hostile.on(Verb::Provision).then(Fault::Cycle {
        faults: vec![
            Fault::Cut,
            Fault::Gigantic { bytes: None },
            Fault::Close,
            Fault::WrongLength { by: 10 },
        ],
    });
    let relay = relay(RelaySettings {
        breaker: qm_relay::BreakerSettings {
            failures: u32::MAX,
            ..qm_relay::BreakerSettings::default()
        },
        ..RelaySettings::default()
    });
    let broker = Registered::new("b", format!("http://{}", counting.address));
    for number in 0..100 {
        let id = format!("i-{number}");
        broker.provision(&relay, &id).await.unwrap_err();
    }
    counting.wait_for_open(1).await;
}
