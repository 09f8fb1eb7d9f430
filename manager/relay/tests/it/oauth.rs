//! Tokens of the OAuth2 client-credentials grant: fetched, kept, renewed.

use crate::support::server::{Server, answer};
use crate::support::{Registered, impatient, relay};
use bytes::Bytes;
use http::{Request, Response};
use qm_model::broker::Auth;
use qm_relay::{RelayError, RelaySettings};
use qm_testkit::hostile::HostileBroker;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::task::JoinSet;

fn auth(url: &str) -> Auth {
    Auth::OAuth2 {
        token_url: format!("{url}/oauth/token?zone=1"),
        client_id: "the client".to_owned(),
        client_secret: "p:ss/wörd".to_owned().into(),
        scope: "broker.read broker.write".to_owned(),
    }
}

/// Gives out `token-1`, `token-2`, ... and, as a broker, takes the tokens that `takes` says.
async fn both(takes: impl Fn(usize) -> bool + Send + Sync + 'static) -> Server {
    let given = AtomicUsize::new(0);
    Server::start(move |request| {
        if request.uri().path() == "/oauth/token" {
            let number = given.fetch_add(1, Ordering::SeqCst) + 1;
            let body = format!(
                r#"{{"access_token":"token-{number}","token_type":"bearer","expires_in":3600}}"#
            );
            return answer(200, body);
        }
        broker(request, &takes)
    })
    .await
}

fn broker(request: &Request<Bytes>, takes: impl Fn(usize) -> bool) -> Response<Bytes> {
    let header = request
        .headers()
        .get("authorization")
        .unwrap()
        .to_str()
        .unwrap();
    let number: usize = header
        .strip_prefix("Bearer token-")
        .unwrap()
        .parse()
        .unwrap();
    match takes(number) {
        true => answer(200, r#"{"services":[]}"#),
        false => answer(401, "{}"),
    }
}

#[tokio::test]
async fn a_token_is_fetched_once_and_kept() {
    let server = both(|_| true).await;
    let relay = relay(RelaySettings::default());
    let mut calls = JoinSet::new();
    for _ in 0..8 {
        let relay = relay.clone();
        let broker = Registered::new("b", &*server.url).auth(auth(&server.url));
        calls.spawn(async move { broker.catalog(&relay).await });
    }
    while let Some(ended) = calls.join_next().await {
        ended.unwrap().unwrap();
    }
    assert_eq!(server.count("/oauth/token"), 1);
    assert_eq!(server.count("/v2/catalog"), 8);
    let seen = server.seen();
    let asked = seen.iter().find(|seen| seen.method() == "POST").unwrap();
    assert_eq!(asked.uri().query(), Some("zone=1"));
    assert_eq!(
        asked.body().as_ref(),
        b"grant_type=client_credentials&scope=broker.read%20broker.write"
    );
    assert_eq!(
        asked.headers()["content-type"],
        "application/x-www-form-urlencoded"
    );
    // the%20client:p%3Ass%2Fw%C3%B6rd
    assert_eq!(
        asked.headers()["authorization"],
        "Basic dGhlJTIwY2xpZW50OnAlM0FzcyUyRnclQzMlQjZyZA=="
    );
}

#[tokio::test]
async fn a_kept_token_that_is_refused_is_renewed_once() {
    let least = Arc::new(AtomicUsize::new(1));
    let wanted = Arc::clone(&least);
    let server = both(move |number| number >= wanted.load(Ordering::SeqCst)).await;
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", &*server.url).auth(auth(&server.url));
    broker.catalog(&relay).await.unwrap();
    least.store(2, Ordering::SeqCst);
    broker.catalog(&relay).await.unwrap();
    assert_eq!(
        (server.count("/oauth/token"), server.count("/v2/catalog")),
        (2, 3)
    );
    // No token will do any more: one more is fetched and one more call made, and that is all.
    least.store(100, Ordering::SeqCst);
    let error = broker.catalog(&relay).await.unwrap_err();
    assert!(
        matches!(error, RelayError::Refused { code: 401, .. }),
        "{error:?}"
    );
    assert_eq!(
        (server.count("/oauth/token"), server.count("/v2/catalog")),
        (3, 5)
    );
}

#[tokio::test]
async fn a_new_token_that_is_refused_is_the_end() {
    let server = both(|_| false).await;
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", &*server.url).auth(auth(&server.url));
    let error = broker.catalog(&relay).await.unwrap_err();
    assert!(
        matches!(error, RelayError::Refused { code: 401, .. }),
        "{error:?}"
    );
    assert_eq!(
        (server.count("/oauth/token"), server.count("/v2/catalog")),
        (1, 1)
    );
}

#[tokio::test]
async fn basic_credentials_are_not_tried_twice() {
    let server = Server::start(|_| answer(401, "{}")).await;
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", &*server.url);
    broker.catalog(&relay).await.unwrap_err();
    assert_eq!(server.count("/v2/catalog"), 1);
}

#[tokio::test]
async fn without_a_token_the_broker_is_not_called() {
    let relay = relay(RelaySettings::default());
    let hostile = HostileBroker::start().await.unwrap();
    let rows = [
        (answer(401, r#"{"error":"hunter2"}"#), "client secret"),
        (answer(302, ""), "redirects are not followed"),
        (answer(500, ""), "500"),
        (answer(200, "hunter2"), "not valid JSON"),
        (
            answer(200, r#"{"access_token":"hunter2","token_type":"mac"}"#),
            "token_type",
        ),
        (answer(200, vec![b' '; 300 * 1024]), "larger than"),
    ];
    for (said, wanted) in rows {
        let server = Server::start(move |_| said.clone()).await;
        let broker = Registered::new("b", hostile.url()).auth(auth(&server.url));
        let error = broker.catalog(&relay).await.unwrap_err();
        let text = error.to_string();
        assert_eq!(error.status(), 400, "{text}");
        assert!(
            text.contains(wanted) && text.contains("/oauth/token"),
            "{text}"
        );
        assert!(
            !text.contains("hunter2") && !text.contains("zone"),
            "{text}"
        );
    }
    assert!(hostile.calls().is_empty());
}

#[tokio::test]
async fn a_token_endpoint_that_hangs_ends_with_the_call() {
    let hostile = HostileBroker::start().await.unwrap();
    // Connections are made by the kernel; nobody takes them.
    let hanging = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = hanging.local_addr().unwrap();
    let relay = relay(impatient());
    let mut calls = JoinSet::new();
    for _ in 0..4 {
        let relay = relay.clone();
        let grant = Auth::OAuth2 {
            token_url: format!("http://{address}/oauth/token"),
            client_id: "c".to_owned(),
            client_secret: "s".to_owned().into(),
            scope: String::new(),
        };
        let broker = Registered::new("b", hostile.url()).auth(grant);
        calls.spawn(async move { broker.catalog(&relay).await });
    }
    while let Some(ended) = calls.join_next().await {
        assert_eq!(ended.unwrap().unwrap_err().status(), 502);
    }
    assert!(hostile.calls().is_empty());
}
