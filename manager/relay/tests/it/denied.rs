//! Networks that are never called, by whichever name.

use crate::support::server::{Server, answer};
use crate::support::{Registered, relay};
use qm_model::broker::Auth;
use qm_relay::{Network, Relay, RelayError, RelaySettings};
use quartermaster_osb::Outcome;

/// This machine stands for what must not be called.
fn without_loopback() -> Relay {
    relay(RelaySettings {
        denied_networks: networks(&["127.0.0.0/8", "::1"]),
        ..RelaySettings::default()
    })
}

fn careless_without_loopback() -> Relay {
    relay(RelaySettings {
        skip_tls_verification: true,
        denied_networks: networks(&["127.0.0.0/8", "::1"]),
        ..RelaySettings::default()
    })
}

fn networks(texts: &[&str]) -> Vec<Network> {
    texts.iter().map(|text| text.parse().unwrap()).collect()
}

fn is_denied(error: &RelayError) {
    let inner = match error {
        RelayError::Token(inner) => inner,
        other => other,
    };
    assert!(matches!(inner, RelayError::Invalid { .. }), "{error:?}");
    assert!(
        error.to_string().contains("brokers.denied_networks"),
        "{error}"
    );
    assert_eq!((error.status(), error.outcome()), (400, Outcome::NotSent));
}

#[tokio::test]
async fn no_form_of_an_address_leads_there() {
    let server = Server::start(|_| answer(200, r#"{"services":[]}"#)).await;
    let port = server.url.rsplit(':').next().unwrap();
    let (relay, careless) = (without_loopback(), careless_without_loopback());
    // A name is resolved first, so that what it leads to now is what counts.
    for host in ["127.0.0.1", "[::ffff:127.0.0.1]", "localhost", "LOCALHOST"] {
        let broker = Registered::new("b", format!("http://{host}:{port}"));
        is_denied(&broker.catalog(&relay).await.unwrap_err());
        is_denied(&broker.provision(&relay, "i").await.unwrap_err());
        let secured = Registered::new("s", format!("https://{host}:{port}"));
        is_denied(&secured.catalog(&careless).await.unwrap_err());
    }
    // Resolvers that know these forms read them as 127.0.0.1; the others do not find them.
    for host in ["2130706433", "127.1", "0x7f000001"] {
        let broker = Registered::new("b", format!("http://{host}:{port}"));
        let error = broker.catalog(&relay).await.unwrap_err();
        assert_eq!(error.outcome(), Outcome::NotSent, "{error:?}");
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn nor_does_a_token_endpoint_or_an_issuer() {
    let tokens = Server::start(|_| answer(200, r#"{"access_token":"t"}"#)).await;
    let relay = without_loopback();
    let broker = Registered::new("b", "http://192.0.2.1").auth(Auth::OAuth2 {
        token_url: format!("{}/token", tokens.url),
        client_id: "c".to_owned(),
        client_secret: "s".to_owned().into(),
        scope: String::new(),
    });
    is_denied(&broker.catalog(&relay).await.unwrap_err());
    is_denied(&broker.provision(&relay, "i").await.unwrap_err());
    is_denied(&relay.discover(&tokens.url).await.unwrap_err());
    is_denied(&relay.keys(&tokens.url).await.unwrap_err());
    assert!(tokens.seen().is_empty());
}

#[tokio::test]
async fn by_default_clouds_keep_their_secrets_and_this_machine_is_called() {
    let server = Server::start(|_| answer(200, r#"{"services":[]}"#)).await;
    let relay = relay(RelaySettings::default());
    Registered::new("b", &*server.url)
        .catalog(&relay)
        .await
        .unwrap();
    for url in [
        "http://169.254.169.254/latest/meta-data",
        "http://[::ffff:169.254.169.254]",
        "http://[fe80::1]",
        "http://[fd00:ec2::254]",
    ] {
        is_denied(&Registered::new("m", url).catalog(&relay).await.unwrap_err());
    }
}

#[tokio::test]
async fn a_denied_broker_does_not_open_its_breaker() {
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", "http://169.254.169.254");
    for _ in 0..20 {
        is_denied(&broker.provision(&relay, "i").await.unwrap_err());
    }
}
