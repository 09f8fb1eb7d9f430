//! The good case: what is sent, what is kept, what is asked again.

use crate::support::server::{Server, answer};
use crate::support::{Registered, relay};
use qm_model::broker::Auth;
use qm_relay::{Fetched, RelayError, RelaySettings};
use qm_testkit::hostile::{ASYNC_PLAN, HostileBroker, standard_catalog, without_plan};
use quartermaster_osb::Verb;
use std::collections::BTreeSet;

#[tokio::test]
async fn a_catalog_is_fetched_once_and_then_asked_for_by_its_tag() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", hostile.url());
    let first = relay.catalog(&broker.target(), None).await.unwrap();
    let Fetched::Catalog { catalog, raw, etag } = first else {
        panic!("no catalog");
    };
    assert_eq!(catalog, standard_catalog());
    assert_eq!(raw, serde_json::to_value(standard_catalog()).unwrap());
    let tag = etag.unwrap();
    let same = relay.catalog(&broker.target(), Some(&tag)).await.unwrap();
    assert_eq!(same, Fetched::Unchanged);
    hostile.set_catalog(without_plan(&standard_catalog(), ASYNC_PLAN));
    let changed = relay.catalog(&broker.target(), Some(&tag)).await.unwrap();
    let Fetched::Catalog { catalog, etag, .. } = changed else {
        panic!("not seen as changed");
    };
    assert_eq!(catalog.services[0].plans.len(), 1);
    assert_ne!(etag.unwrap(), tag);
}

#[tokio::test]
async fn only_the_protocol_and_our_credentials_are_sent() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", hostile.url());
    relay
        .catalog(&broker.target(), Some("\"x\""))
        .await
        .unwrap();
    relay.catalog(&broker.target(), None).await.unwrap();
    let calls = hostile.calls_of(Verb::Catalog);
    let names: BTreeSet<_> = calls[0].headers.keys().map(String::as_str).collect();
    let wanted = [
        "accept",
        "authorization",
        "host",
        "if-none-match",
        "x-broker-api-request-identity",
        "x-broker-api-version",
    ];
    assert_eq!(names, BTreeSet::from(wanted));
    assert_eq!(calls[0].header("x-broker-api-version"), Some("2.17"));
    assert_eq!(
        calls[0].header("authorization"),
        Some("Basic dXNlcjpwYXNzd29yZA==")
    );
    let identity = |call: usize| calls[call].header("x-broker-api-request-identity").unwrap();
    assert_eq!(identity(0).len(), 36);
    assert_ne!(identity(0), identity(1));
}

#[tokio::test]
async fn the_path_of_the_url_is_kept() {
    let server = Server::start(|_| answer(200, r#"{"services":[]}"#)).await;
    let relay = relay(RelaySettings::default());
    for (path, wanted) in [
        ("", "/v2/catalog"),
        ("/", "/v2/catalog"),
        ("/osb", "/osb/v2/catalog"),
        ("/osb/one/", "/osb/one/v2/catalog"),
    ] {
        let broker = Registered::new("b", format!("{}{path}", server.url));
        broker.catalog(&relay).await.unwrap();
        assert_eq!(server.seen().last().unwrap().uri().path(), wanted);
    }
}

#[tokio::test]
async fn a_bearer_token_or_nothing_is_sent() {
    let server = Server::start(|_| answer(200, r#"{"services":[]}"#)).await;
    let relay = relay(RelaySettings::default());
    let bearer = Auth::Bearer {
        token: "t0ken".to_owned().into(),
    };
    let authorization = || {
        let seen = server.seen();
        let value = seen.last().unwrap().headers().get("authorization").cloned();
        value.map(|value| value.to_str().unwrap().to_owned())
    };
    let broker = Registered::new("b", &*server.url).auth(bearer);
    broker.catalog(&relay).await.unwrap();
    assert_eq!(authorization().as_deref(), Some("Bearer t0ken"));
    let broker = Registered::new("b", &*server.url).auth(Auth::None);
    broker.catalog(&relay).await.unwrap();
    assert_eq!(authorization(), None);
}

#[tokio::test]
async fn changed_credentials_are_used_at_once() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings::default());
    let old = Registered::new("b", hostile.url());
    old.catalog(&relay).await.unwrap();
    hostile.demand_credentials("user", "other");
    let refused = old.catalog(&relay).await.unwrap_err();
    assert!(
        matches!(refused, RelayError::Refused { code: 401, .. }),
        "{refused:?}"
    );
    assert!(refused.to_string().contains("credentials"), "{refused}");
    let new = Registered::new("b", hostile.url()).auth(Auth::Basic {
        username: "user".to_owned(),
        password: "other".to_owned().into(),
    });
    new.catalog(&relay).await.unwrap();
    assert_eq!(relay.states().len(), 1);
}

#[tokio::test]
async fn a_forgotten_broker_is_not_among_the_states() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", hostile.url());
    broker.catalog(&relay).await.unwrap();
    relay.forget(&broker.id);
    assert!(relay.states().is_empty());
    broker.catalog(&relay).await.unwrap();
    assert_eq!(relay.states().len(), 1);
}

#[tokio::test]
async fn what_must_not_be_called_is_not() {
    let hostile = HostileBroker::start().await.unwrap();
    let strict = relay(RelaySettings {
        plain_http: false,
        ..RelaySettings::default()
    });
    let lax = relay(RelaySettings::default());
    let with_query = format!("{}?a=hunter2", hostile.url());
    let oauth = Auth::OAuth2 {
        token_url: "ftp://hunter2".to_owned(),
        client_id: "c".to_owned(),
        client_secret: "s".to_owned().into(),
        scope: String::new(),
    };
    let rows = [
        (&strict, Registered::new("b", hostile.url()), "https://"),
        (&lax, Registered::new("b", with_query), "query"),
        (
            &lax,
            Registered::new("b", "ftp://hunter2"),
            "http:// or https://",
        ),
        (
            &lax,
            Registered::new("b", hostile.url()).auth(oauth),
            "token_url",
        ),
    ];
    for (relay, broker, wanted) in rows {
        let error = broker.catalog(relay).await.unwrap_err();
        assert!(matches!(error, RelayError::Invalid { .. }), "{error:?}");
        assert!(error.to_string().contains(wanted), "{error}");
        assert!(!error.to_string().contains("hunter2"), "{error}");
    }
    assert!(hostile.calls().is_empty());
}
