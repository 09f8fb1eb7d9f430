//! Every way in which a passed call can end without an answer, and what that means for what was asked.

use crate::support::server::{Server, answer};
use crate::support::{Registered, impatient, impatient_with_bodies, relay};
use qm_model::broker::Auth;
use qm_relay::{BreakerSettings, BreakerState, RelayError, RelaySettings};
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::{Outcome, Verb};
use std::time::Duration;
use tokio::task::JoinSet;

#[tokio::test]
async fn every_fault_on_the_wire_leaves_it_open_whether_it_was_done() {
    let rows = [
        (Fault::Hang, "lost", 502),
        (Fault::Close, "lost", 502),
        (Fault::Reset, "lost", 502),
        (Fault::Cut, "lost", 502),
        (Fault::lose_answer(), "lost", 502),
        (Fault::WrongLength { by: 10 }, "lost", 502),
        (Fault::HangInBody, "slow", 504),
        (
            Fault::Trickle {
                bytes: 1,
                millis: 500,
            },
            "slow",
            504,
        ),
        (Fault::Gigantic { bytes: None }, "oversized", 502),
        (
            Fault::Gigantic {
                bytes: Some(2 << 20),
            },
            "oversized",
            502,
        ),
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
            hostile.on(Verb::Provision).then(fault.clone());
            let relay = relay(match fault {
                Fault::Hang => impatient(),
                Fault::HangInBody | Fault::Trickle { .. } => impatient_with_bodies(),
                _ => RelaySettings::default(),
            });
            let broker = Registered::new("b", hostile.url());
            let error = broker.provision(&relay, "i").await.unwrap_err();
            assert_eq!(
                (error.word(), error.status()),
                (word, status),
                "{fault:?}: {error:?}"
            );
            assert_eq!(error.outcome(), Outcome::Lost, "{fault:?}");
            assert_eq!(hostile.calls().len(), 1, "{fault:?}: repeated");
        });
    }
    while let Some(ended) = trying.join_next().await {
        ended.unwrap();
    }
}

#[tokio::test]
async fn garbage_that_is_http_is_an_answer_like_any_other() {
    for fault in [Fault::Malformed, Fault::NotJson, Fault::status(500)] {
        let hostile = HostileBroker::start().await.unwrap();
        hostile.on(Verb::Provision).then(fault.clone());
        let relay = relay(RelaySettings::default());
        let broker = Registered::new("b", hostile.url());
        let got = broker.provision(&relay, "i").await.unwrap();
        assert!(!got.body().is_empty(), "{fault:?}");
    }
}

#[tokio::test]
async fn redirects_are_answers_and_are_not_followed() {
    let hostile = HostileBroker::start().await.unwrap();
    let elsewhere = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", hostile.url());
    for status in [301, 302, 303, 307, 308] {
        hostile.reset();
        let there = format!("{}/v2/service_instances/i", elsewhere.url());
        hostile
            .on(Verb::Provision)
            .then(Fault::redirect(status, &there));
        let got = broker.provision(&relay, "i").await.unwrap();
        assert_eq!(got.status(), status);
    }
    assert!(elsewhere.calls().is_empty());
}

#[tokio::test]
async fn the_limit_of_an_answer_is_exact_and_not_that_of_a_catalog() {
    let server = Server::start(|_| answer(201, vec![b' '; 1000])).await;
    let broker = Registered::new("b", &*server.url);
    let limited = |answer_limit| {
        relay(RelaySettings {
            answer_limit,
            catalog_limit: 1,
            ..RelaySettings::default()
        })
    };
    let got = broker.provision(&limited(1000), "i").await.unwrap();
    assert_eq!(got.body().len(), 1000);
    let error = broker.provision(&limited(999), "i").await.unwrap_err();
    assert!(matches!(error, RelayError::Oversized { .. }), "{error:?}");
    assert!(error.to_string().contains("999 bytes"), "{error}");
}

#[tokio::test]
async fn what_was_not_sent_was_not_done() {
    let closed = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    let plain = Server::start(|_| answer(200, "{}")).await;
    let careless = || RelaySettings {
        skip_tls_verification: true,
        ..RelaySettings::default()
    };
    let rows = [
        (format!("http://{closed}"), "unreachable"),
        (plain.url.replace("http://", "https://"), "tls"),
        ("ftp://h".to_owned(), "invalid"),
    ];
    for (url, word) in rows {
        let relay = relay(careless());
        let error = Registered::new("b", url)
            .provision(&relay, "i")
            .await
            .unwrap_err();
        assert_eq!(error.word(), word, "{error:?}");
        assert_eq!(error.outcome(), Outcome::NotSent, "{error:?}");
    }
    assert!(plain.seen().is_empty());
}

#[tokio::test]
async fn without_a_token_nothing_is_sent_whatever_its_endpoint_does() {
    let hostile = HostileBroker::start().await.unwrap();
    let tokens = HostileBroker::start().await.unwrap();
    let relay = relay(impatient());
    // The token endpoint of the tests is a broker: all its answers are wrong in some way.
    for fault in [
        Fault::Close,
        Fault::HangInBody,
        Fault::Hang,
        Fault::Gigantic { bytes: None },
        Fault::Malformed,
        Fault::status(500),
        Fault::status(401),
    ] {
        tokens.reset();
        tokens.on_any().then(fault.clone());
        let broker = Registered::new("b", hostile.url()).auth(Auth::OAuth2 {
            token_url: format!("{}/v2/catalog", tokens.url()),
            client_id: "c".to_owned(),
            client_secret: "s".to_owned().into(),
            scope: String::new(),
        });
        let error = broker.provision(&relay, "i").await.unwrap_err();
        assert!(
            matches!(error, RelayError::Token(_)),
            "{fault:?}: {error:?}"
        );
        assert_eq!(error.outcome(), Outcome::NotSent, "{fault:?}");
        relay.forget(&broker.id);
    }
    assert!(hostile.calls().is_empty());
}

#[tokio::test]
async fn answers_of_any_status_keep_the_breaker_closed_and_lost_ones_open_it() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings {
        breaker: BreakerSettings {
            failures: 3,
            pause: Duration::from_secs(3600),
        },
        ..RelaySettings::default()
    });
    let broker = Registered::new("b", hostile.url());
    hostile.on(Verb::Provision).then(Fault::Cycle {
        faults: vec![
            Fault::status(500),
            Fault::status(503),
            Fault::NotJson,
            Fault::status(422),
        ],
    });
    for _ in 0..12 {
        broker.provision(&relay, "i").await.unwrap();
    }
    assert_eq!(relay.states()[0].breaker, BreakerState::Closed);
    hostile.behave();
    hostile.on(Verb::Provision).then(Fault::Reset);
    for _ in 0..3 {
        let error = broker.provision(&relay, "i").await.unwrap_err();
        assert_eq!(error.outcome(), Outcome::Lost);
    }
    assert_eq!(relay.states()[0].breaker, BreakerState::Open);
    let shown = relay.numbers();
    assert!(
        shown.contains(r#"qm_broker_breaker{broker="b"} 2"#),
        "{shown}"
    );
    assert!(
        shown.contains(r#"qm_broker_requests_total{broker="b",verb="provision",code="lost"} 3"#),
        "{shown}"
    );
    // It is left alone, whatever is asked, and nothing was sent.
    hostile.reset();
    let error = broker.provision(&relay, "i").await.unwrap_err();
    assert!(matches!(error, RelayError::Open { .. }), "{error:?}");
    assert_eq!((error.status(), error.outcome()), (503, Outcome::NotSent));
    broker.catalog(&relay).await.unwrap_err();
    assert!(hostile.calls().is_empty());
}
