//! TLS with an authority of our own: what is accepted, what is not, and what is said about it.

use crate::support::server::{Server, answer};
use crate::support::tls::{Authority, Front, Pair};
use crate::support::{Registered, relay};
use qm_model::broker::{Auth, Tls};
use qm_relay::{BadSettings, Identity, Relay, RelayError, RelaySettings};
use qm_testkit::hostile::HostileBroker;

const HERE: &[&str] = &["127.0.0.1", "localhost"];

fn trusting(authority: &Authority) -> RelaySettings {
    RelaySettings {
        extra_roots: vec![authority.pem()],
        ..RelaySettings::default()
    }
}

fn own(pair: &Pair) -> Tls {
    Tls::Own {
        certificate: pair.cert.clone(),
        key: pair.key.clone().into(),
    }
}

/// The message of a TLS failure.
async fn failure(relay: &Relay, broker: &Registered) -> String {
    let error = broker.catalog(relay).await.unwrap_err();
    assert!(matches!(error, RelayError::Tls { .. }), "{error:?}");
    assert_eq!(error.status(), 502);
    error.to_string()
}

#[tokio::test]
async fn an_authority_of_the_settings_is_trusted_and_others_are_not() {
    let hostile = HostileBroker::start().await.unwrap();
    let (known, unknown) = (Authority::new("known"), Authority::new("unknown"));
    let front = Front::start(&known.server(HERE), None, hostile.address()).await;
    let broker = Registered::new("b", front.url());
    broker.catalog(&relay(trusting(&known))).await.unwrap();
    let by_name = format!("https://localhost:{}/", front.address.port());
    let broker_by_name = Registered::new("n", by_name);
    broker_by_name
        .catalog(&relay(trusting(&known)))
        .await
        .unwrap();
    let text = failure(&relay(trusting(&unknown)), &broker).await;
    assert!(
        text.contains("unknown CA") && text.contains("extra root"),
        "{text}"
    );
    let careless = relay(RelaySettings {
        skip_tls_verification: true,
        ..RelaySettings::default()
    });
    broker.catalog(&careless).await.unwrap();
}

#[tokio::test]
async fn expired_and_wrongly_named_certificates_are_told_apart() {
    let hostile = HostileBroker::start().await.unwrap();
    let authority = Authority::new("a");
    let relay = relay(trusting(&authority));
    let expired = authority.expired(HERE);
    let front = Front::start(&expired, None, hostile.address()).await;
    let text = failure(&relay, &Registered::new("b", front.url())).await;
    assert!(text.contains("expired on 2002-02-03"), "{text}");
    let other = authority.server(&["other.example"]);
    let front = Front::start(&other, None, hostile.address()).await;
    let text = failure(&relay, &Registered::new("b", front.url())).await;
    assert!(
        text.contains("for other.example and not for 127.0.0.1"),
        "{text}"
    );
    assert!(hostile.calls().is_empty());
}

#[tokio::test]
async fn a_client_certificate_is_shown_where_it_belongs() {
    let hostile = HostileBroker::start().await.unwrap();
    let (authority, clients, strangers) = (
        Authority::new("s"),
        Authority::new("c"),
        Authority::new("x"),
    );
    let (brokers, managers) = (clients.client(), clients.client());
    let with_own_identity = RelaySettings {
        identity: Some(Identity {
            certificate: managers.cert.clone(),
            key: managers.key.clone().into(),
        }),
        ..trusting(&authority)
    };
    for version in [&rustls::version::TLS12, &rustls::version::TLS13] {
        let pair = authority.server(HERE);
        let to = hostile.address();
        let front = Front::speaking(&[version], &pair, Some(&clients), to).await;
        let broker = |tls| Registered::new("b", front.url()).tls(tls);
        let relay = relay(with_own_identity.clone());
        broker(own(&brokers)).catalog(&relay).await.unwrap();
        broker(Tls::Managers).catalog(&relay).await.unwrap();
        // The manager's own is shown only to brokers that are registered with it.
        let text = failure(&relay, &broker(Tls::None)).await;
        assert!(text.contains("client certificate"), "{version:?}: {text}");
        let stranger = strangers.client();
        let text = failure(&relay, &broker(own(&stranger))).await;
        assert!(
            text.contains("does not accept the client certificate"),
            "{version:?}: {text}"
        );
    }
    // With a certificate alone there is no Authorization at all (defect 5: not even somebody else's).
    hostile.reset();
    let pair = authority.server(HERE);
    let front = Front::start(&pair, Some(&clients), hostile.address()).await;
    let broker = Registered::new("b", front.url())
        .tls(own(&brokers))
        .auth(Auth::None);
    let error = broker
        .catalog(&relay(trusting(&authority)))
        .await
        .unwrap_err();
    assert!(
        matches!(error, RelayError::Refused { code: 401, .. }),
        "{error:?}"
    );
    assert_eq!(hostile.calls()[0].header("authorization"), None);
}

#[tokio::test]
async fn a_certificate_that_cannot_be_shown_is_refused_before_the_call() {
    let hostile = HostileBroker::start().await.unwrap();
    let authority = Authority::new("a");
    let front = Front::start(&authority.server(HERE), None, hostile.address()).await;
    let relay = relay(trusting(&authority));
    let (one, other) = (authority.client(), authority.client());
    let mixed = Tls::Own {
        certificate: one.cert.clone(),
        key: other.key.into(),
    };
    for (tls, wanted) in [(mixed, "does not belong"), (Tls::Managers, "without one")] {
        let broker = Registered::new("b", front.url()).tls(tls);
        let error = broker.catalog(&relay).await.unwrap_err();
        assert_eq!(error.status(), 400);
        assert!(error.to_string().contains(wanted), "{error}");
    }
    let bad = RelaySettings {
        identity: Some(Identity {
            certificate: one.cert,
            key: "hunter2".to_owned().into(),
        }),
        ..RelaySettings::default()
    };
    assert!(!format!("{bad:?}").contains("hunter2"));
    let error = Relay::new(bad).unwrap_err();
    assert!(matches!(error, BadSettings::Identity(_)), "{error:?}");
}

#[tokio::test]
async fn the_wrong_scheme_is_guessed() {
    let hostile = HostileBroker::start().await.unwrap();
    let authority = Authority::new("a");
    let relay = relay(trusting(&authority));
    let server = Server::start(|_| answer(200, "{}")).await;
    let plain = Registered::new("b", server.url.replace("http://", "https://"));
    let text = failure(&relay, &plain).await;
    assert!(text.contains("does not speak TLS"), "{text}");
    let front = Front::start(&authority.server(HERE), None, hostile.address()).await;
    let secured = Registered::new("b", format!("http://{}", front.address));
    let error = secured.catalog(&relay).await.unwrap_err();
    assert_eq!(error.status(), 502);
    assert!(error.to_string().contains("https://"), "{error}");
}
