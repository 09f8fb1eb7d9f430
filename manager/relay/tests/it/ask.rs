//! The manager's own calls.

use crate::support::{Registered, relay};
use qm_relay::{RelayError, RelaySettings};
use qm_testkit::hostile::{Fault, HostileBroker, SERVICE, SYNC_PLAN};
use quartermaster_osb::{Answer, Call, Envelope, Hints, InstanceId, Outcome, Poll, Verb};

fn envelope() -> Envelope {
    Envelope {
        request_identity: Some("deed-7".to_owned()),
        ..Envelope::default()
    }
}

fn hints() -> Hints {
    Hints {
        service_id: Some(SERVICE.to_owned()),
        plan_id: Some(SYNC_PLAN.to_owned()),
    }
}

#[tokio::test]
async fn a_broker_is_asked_and_its_answer_read() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", hostile.url());
    broker.provision(&relay, "i-1").await.unwrap();
    let instance = InstanceId::new("i-1").unwrap();
    let fetch = Call::FetchInstance {
        instance: instance.clone(),
        hints: hints(),
    };
    let poll = Call::PollInstance {
        instance: instance.clone(),
        poll: Poll {
            hints: hints(),
            operation: None,
        },
    };
    let delete = Call::Deprovision {
        instance,
        accepts_incomplete: true,
        hints: hints(),
    };
    for call in [&fetch, &poll, &delete] {
        let got = relay
            .ask(&broker.target(), call, &envelope())
            .await
            .unwrap();
        let outcome = Outcome::parse(call.verb(), &got);
        assert!(matches!(outcome, Outcome::Success(_)), "{outcome:?}");
    }
    assert!(hostile.instances().is_empty());
    let got = relay
        .ask(&broker.target(), &delete, &envelope())
        .await
        .unwrap();
    assert_eq!(got.status(), 410);
    for call in hostile.calls_of(Verb::Deprovision) {
        assert_eq!(call.header("x-broker-api-request-identity"), Some("deed-7"));
        assert_eq!(call.header("x-correlation-id"), Some("deed-7"));
        assert_eq!(
            call.header("authorization"),
            Some("Basic dXNlcjpwYXNzd29yZA==")
        );
    }
}

#[tokio::test]
async fn a_refusal_is_an_answer() {
    let hostile = HostileBroker::start().await.unwrap();
    hostile.on(Verb::FetchInstance).then(Fault::status(500));
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", hostile.url());
    let call = Call::FetchInstance {
        instance: InstanceId::new("i").unwrap(),
        hints: Hints::default(),
    };
    let got = relay
        .ask(&broker.target(), &call, &envelope())
        .await
        .unwrap();
    let outcome = Outcome::parse(Verb::FetchInstance, &got);
    assert!(matches!(outcome, Outcome::Broken { .. }), "{outcome:?}");
    assert!(!matches!(outcome, Outcome::Success(Answer::Deleted)));
}

#[tokio::test]
async fn what_no_header_can_carry_is_not_sent() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", hostile.url());
    let envelope = Envelope {
        request_identity: Some("a\nb".to_owned()),
        ..Envelope::default()
    };
    let call = Call::Catalog {
        if_none_match: None,
    };
    let error = relay
        .ask(&broker.target(), &call, &envelope)
        .await
        .unwrap_err();
    assert!(matches!(error, RelayError::Invalid { .. }), "{error:?}");
    assert!(hostile.calls().is_empty());
}
