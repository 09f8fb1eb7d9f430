//! Every way in which a broker can fail to hand over its catalog, and what is made of it.

use crate::support::server::{Server, answer};
use crate::support::tls::Authority;
use crate::support::{Registered, impatient, impatient_with_bodies, relay};
use qm_relay::{Relay, RelayError, RelaySettings};
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::Verb;
use serde_json::json;
use tokio::task::JoinSet;

#[tokio::test]
async fn every_fault_has_its_error() {
    let rows = [
        (Fault::Hang, "lost", 502),
        (Fault::Close, "lost", 502),
        (Fault::Reset, "lost", 502),
        (Fault::Cut, "lost", 502),
        (Fault::WrongLength { by: 10 }, "lost", 502),
        (Fault::HangInBody, "slow", 504),
        (
            Fault::Trickle {
                bytes: 1,
                millis: 50,
            },
            "slow",
            504,
        ),
        (Fault::Gigantic { bytes: None }, "undecodable", 400),
        (
            Fault::Gigantic {
                bytes: Some(8 << 20),
            },
            "undecodable",
            400,
        ),
        (Fault::Malformed, "undecodable", 400),
        (Fault::NotJson, "undecodable", 400),
        (Fault::WrongLength { by: -10 }, "undecodable", 400),
        (Fault::answer(200, json!({})), "undecodable", 400),
        (Fault::answer(200, json!([])), "undecodable", 400),
        (Fault::answer(202, json!({"services": []})), "refused", 400),
        (Fault::answer(304, json!(null)), "refused", 400),
        (Fault::status(400), "refused", 400),
        (Fault::status(401), "refused", 400),
        (Fault::status(404), "refused", 400),
        (Fault::status(500), "refused", 400),
        (Fault::redirect(302, "http://127.0.0.1:1/"), "refused", 400),
        (
            Fault::Raw {
                text: "SSH-2.0-OpenSSH\r\n\r\n".to_owned(),
            },
            "lost",
            502,
        ),
    ];
    // All at once: some of them are about waiting.
    let mut trying = JoinSet::new();
    for (fault, word, status) in rows {
        trying.spawn(async move {
            let hostile = HostileBroker::start().await.unwrap();
            hostile.on(Verb::Catalog).then(fault.clone());
            // Time runs only where the fault is that it runs.
            let relay = relay(match fault {
                Fault::Hang => impatient(),
                Fault::HangInBody | Fault::Trickle { .. } => impatient_with_bodies(),
                _ => RelaySettings::default(),
            });
            let broker = Registered::new("b", hostile.url());
            let error = broker.catalog(&relay).await.unwrap_err();
            assert_eq!(
                (error.word(), error.status()),
                (word, status),
                "{fault:?}: {error:?}"
            );
            assert_eq!(hostile.calls().len(), 1, "{fault:?}");
            hostile.behave();
            recovers(&broker, &relay).await;
        });
    }
    while let Some(ended) = trying.join_next().await {
        ended.unwrap();
    }
}

/// A busy machine may be too slow for an impatient relay now and then, not always.
async fn recovers(broker: &Registered, relay: &Relay) {
    for _ in 0..50 {
        match broker.catalog(relay).await {
            Ok(_) => return,
            Err(error) => assert!(error.status() > 500, "{error:?}"),
        }
    }
    panic!("the broker behaves and gets no call through");
}

#[tokio::test]
async fn nothing_listens_or_no_such_name() {
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    // A label this long is no name, so that no name server has to be asked.
    let nowhere = format!("http://{}.invalid", "x".repeat(70));
    // So that it does not matter whether this machine has authorities of its own.
    let relay = relay(RelaySettings {
        extra_roots: vec![Authority::new("any").pem()],
        ..RelaySettings::default()
    });
    for (url, wanted) in [
        (format!("http://{closed}"), "nothing listens"),
        (format!("https://{closed}"), "nothing listens"),
        (nowhere, "cannot be resolved"),
    ] {
        let error = Registered::new("b", url).catalog(&relay).await.unwrap_err();
        assert!(matches!(error, RelayError::Unreachable { .. }), "{error:?}");
        assert!(error.to_string().contains(wanted), "{error}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed_and_said_so() {
    let hostile = HostileBroker::start().await.unwrap();
    let elsewhere = HostileBroker::start().await.unwrap();
    let there = format!("{}/v2/catalog", elsewhere.url());
    let relay = relay(RelaySettings::default());
    for status in [301, 302, 303, 307, 308] {
        hostile.reset();
        hostile
            .on(Verb::Catalog)
            .then(Fault::redirect(status, &there));
        let error = Registered::new("b", hostile.url())
            .catalog(&relay)
            .await
            .unwrap_err();
        assert!(matches!(error, RelayError::Refused { code, .. } if code == status));
        assert!(
            error.to_string().contains("redirects are not followed"),
            "{error}"
        );
    }
    assert!(elsewhere.calls().is_empty());
}

#[tokio::test]
async fn the_limit_of_a_catalog_is_exact_and_configurable() {
    let body = r#"{"services":[]}"#;
    let server = Server::start(move |_| answer(200, body)).await;
    let broker = Registered::new("b", &*server.url);
    let limited = |catalog_limit| {
        relay(RelaySettings {
            catalog_limit,
            ..RelaySettings::default()
        })
    };
    assert!(broker.catalog(&limited(body.len())).await.is_ok());
    let error = broker.catalog(&limited(body.len() - 1)).await.unwrap_err();
    assert!(error.to_string().contains("14 bytes"), "{error}");
}

#[tokio::test]
async fn a_refusal_with_a_huge_body_is_still_a_refusal() {
    let server = Server::start(|_| answer(500, vec![b'x'; 5 << 20])).await;
    let relay = relay(RelaySettings::default());
    let error = Registered::new("b", &*server.url)
        .catalog(&relay)
        .await
        .unwrap_err();
    assert!(
        matches!(error, RelayError::Refused { code: 500, .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn heads_are_limited_too() {
    let hostile = HostileBroker::start().await.unwrap();
    let long = "x".repeat(1 << 20);
    hostile.on(Verb::Catalog).then(Fault::Raw {
        text: format!(
            "HTTP/1.1 200 OK\r\nX-Long: {long}\r\nContent-Length: 15\r\n\r\n{{\"services\":[]}}"
        ),
    });
    let relay = relay(RelaySettings::default());
    let error = Registered::new("b", hostile.url())
        .catalog(&relay)
        .await
        .unwrap_err();
    assert!(matches!(error, RelayError::Lost { .. }), "{error:?}");
}
