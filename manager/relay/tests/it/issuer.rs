//! What an issuer publishes, and what is not taken from it.

use crate::support::server::{Server, answer};
use crate::support::tls::{Authority, Front};
use crate::support::{impatient, relay};
use qm_relay::{RelayError, RelaySettings};
use qm_testkit::hostile::{Fault, HostileBroker};
use std::sync::{Arc, OnceLock};

const WELL_KNOWN: &str = "/.well-known/openid-configuration";

/// An issuer below `path` that answers with the document that `issuer` makes of its URL.
async fn issuer(at: &'static str, called: fn(&str) -> String, keys: &'static str) -> Server {
    let url: Arc<OnceLock<String>> = Arc::default();
    let own = Arc::clone(&url);
    let server = Server::start(move |request| {
        let own = own.get().unwrap();
        match request.uri().path() {
            path if path == at => {
                let name = called(own);
                answer(200, format!(r#"{{"issuer":"{name}","jwks_uri":"{own}/keys","token_endpoint":"{own}/token","x":1}}"#))
            }
            "/keys" => answer(200, keys),
            _ => answer(404, "{}"),
        }
    })
    .await;
    url.set(server.url.clone()).unwrap();
    server
}

#[tokio::test]
async fn discovers_with_and_without_a_last_slash() {
    let relay = relay(RelaySettings::default());
    let keys = r#"{"keys":[{"kid":"1"}]}"#;
    let server = issuer(WELL_KNOWN, str::to_owned, keys).await;
    for url in [server.url.clone(), format!("{}/", server.url)] {
        let found = relay.discover(&url).await.unwrap();
        assert_eq!(found.issuer, server.url);
        assert_eq!(found.token_endpoint, Some(format!("{}/token", server.url)));
        assert_eq!(relay.keys(&found.jwks_uri).await.unwrap(), keys);
    }
    // A server that wants the plain concatenation.
    let server = issuer(
        "/a//.well-known/openid-configuration",
        |own| format!("{own}/a/"),
        keys,
    )
    .await;
    let found = relay.discover(&format!("{}/a/", server.url)).await.unwrap();
    assert_eq!(found.issuer, format!("{}/a/", server.url));
    assert_eq!(server.count("/a/.well-known/openid-configuration"), 1);
}

#[tokio::test]
async fn another_issuers_document_is_not_taken() {
    let relay = relay(RelaySettings::default());
    let server = issuer(WELL_KNOWN, |_| "https://evil.example".to_owned(), "{}").await;
    let error = relay.discover(&server.url).await.unwrap_err();
    assert!(error.to_string().contains("another issuer"), "{error}");
}

#[tokio::test]
async fn without_tls_only_this_machine_is_asked() {
    let strict = relay(RelaySettings::default());
    for url in [
        "http://issuer.example",
        "http://10.0.0.1",
        "ftp://x",
        "",
        "http://u:p@localhost",
    ] {
        for error in [
            strict.discover(url).await.unwrap_err(),
            strict.keys(url).await.unwrap_err(),
        ] {
            assert!(
                matches!(error, RelayError::Invalid { .. }),
                "{url}: {error:?}"
            );
        }
    }
    // A document that leads there is not taken either.
    let there = "http://issuer.example/keys";
    let url: Arc<OnceLock<String>> = Arc::default();
    let own = Arc::clone(&url);
    let server = Server::start(move |_| {
        let own = own.get().unwrap();
        answer(200, format!(r#"{{"issuer":"{own}","jwks_uri":"{there}"}}"#))
    })
    .await;
    url.set(server.url.clone()).unwrap();
    let error = strict.discover(&server.url).await.unwrap_err();
    assert!(error.to_string().contains("jwks_uri"), "{error}");
    let lax = relay(RelaySettings {
        issuer_plain_http: true,
        ..RelaySettings::default()
    });
    assert_eq!(lax.discover(&server.url).await.unwrap().jwks_uri, there);
}

#[tokio::test]
async fn an_issuer_with_tls_must_be_trusted() {
    let server = Server::start(|_| answer(200, r#"{"keys":[]}"#)).await;
    let authority = Authority::new("a");
    let to = server.url.strip_prefix("http://").unwrap().parse().unwrap();
    let front = Front::start(&authority.server(&["127.0.0.1"]), None, to).await;
    let uri = format!("{}/keys", front.url());
    let trusting = |authority: &Authority| {
        relay(RelaySettings {
            extra_roots: vec![authority.pem()],
            ..RelaySettings::default()
        })
    };
    trusting(&authority).keys(&uri).await.unwrap();
    let error = trusting(&Authority::new("b")).keys(&uri).await.unwrap_err();
    assert!(matches!(error, RelayError::Tls { .. }), "{error:?}");
}

#[tokio::test]
async fn what_is_no_document_is_told() {
    let relay = relay(RelaySettings::default());
    let rows = [
        (404, "{}".to_owned(), "404"),
        (302, String::new(), "redirects"),
        (200, "hunter2".to_owned(), "not valid JSON"),
        (200, "{}".to_owned(), "is required"),
        (
            200,
            r#"{"keys":"hunter2","issuer":5}"#.to_owned(),
            "must be",
        ),
        (200, " ".repeat(2 << 20), "larger than"),
    ];
    for (status, body, wanted) in rows {
        let server = Server::start(move |_| answer(status, body.clone())).await;
        for error in [
            relay.discover(&server.url).await.unwrap_err(),
            relay.keys(&server.url).await.unwrap_err(),
        ] {
            assert_eq!(error.status(), 400);
            assert!(error.to_string().contains(wanted), "{error}");
            assert!(!error.to_string().contains("hunter2"), "{error}");
        }
    }
}

#[tokio::test]
async fn an_issuer_that_is_away_or_hangs_is_an_error_and_no_more() {
    let mut hostile = HostileBroker::start().await.unwrap();
    hostile.on_any().then(Fault::Hang);
    let relay = relay(impatient());
    let uri = format!("{}/v2/catalog", hostile.url());
    assert_eq!(relay.keys(&uri).await.unwrap_err().status(), 502);
    hostile.stop().await;
    let error = relay.discover(&hostile.url()).await.unwrap_err();
    assert!(matches!(error, RelayError::Unreachable { .. }), "{error:?}");
}
