//! A platform's request as the broker gets it, and the broker's answer as it comes back.

use crate::support::server::{Server, answer};
use crate::support::{Registered, passed, relay, wanted};
use http::{Method, Response};
use qm_model::broker::Auth;
use qm_relay::{RelayError, RelaySettings};
use qm_testkit::hostile::HostileBroker;
use quartermaster_osb::{Outcome, Verb};
use std::collections::BTreeSet;

#[tokio::test]
async fn path_query_and_body_go_as_they_came() {
    let server = Server::start(|_| answer(201, "{}")).await;
    let relay = relay(RelaySettings::default());
    // Not what we would write: spaces, order, numbers and escapes are the platform's.
    let body = "{ \"z\":1.0,\"a\":1e2 , \"u\":\"\\u00fc\",\"a\":\"\u{fc}\" }";
    let path = "/v2/service_instances/a%2Fb%20c%c3%bc?accepts_incomplete=true&x=%2f&&y";
    for (base, before) in [("", ""), ("/", ""), ("/osb/one/", "/osb/one")] {
        let broker = Registered::new("b", format!("{}{base}", server.url));
        let got = broker
            .pass(&relay, Verb::Provision, passed(path, body))
            .await;
        assert_eq!(got.unwrap().status(), 201);
        let seen = server.seen().pop().unwrap();
        assert_eq!(seen.method(), Method::PUT);
        assert_eq!(seen.uri().to_string(), format!("{before}{path}"));
        assert_eq!(seen.body(), body);
    }
}

#[tokio::test]
async fn every_verb_has_its_method_and_no_body_where_none_belongs() {
    let server = Server::start(|_| answer(200, "{}")).await;
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", &*server.url);
    let (instance, binding) = (
        "/v2/service_instances/i",
        "/v2/service_instances/i/service_bindings/b",
    );
    let adapt = format!("{binding}/adapt_credentials");
    let rows = [
        (Verb::Provision, instance, Method::PUT, true),
        (Verb::FetchInstance, instance, Method::GET, false),
        (Verb::Update, instance, Method::PATCH, true),
        (Verb::Deprovision, instance, Method::DELETE, false),
        (Verb::PollInstance, instance, Method::GET, false),
        (Verb::Bind, binding, Method::PUT, true),
        (Verb::FetchBinding, binding, Method::GET, false),
        (Verb::Unbind, binding, Method::DELETE, false),
        (Verb::PollBinding, binding, Method::GET, false),
        (Verb::Bind, &adapt, Method::POST, true),
    ];
    for (verb, path, method, with_body) in rows {
        broker.pass(&relay, verb, passed(path, "{}")).await.unwrap();
        let seen = server.seen().pop().unwrap();
        assert_eq!(seen.method(), method, "{verb}");
        assert_eq!(seen.body().is_empty(), !with_body, "{verb}");
        for name in ["content-length", "content-type"] {
            let told = seen.headers().contains_key(name);
            assert_eq!(told, with_body, "{verb} {name}");
        }
    }
}

#[tokio::test]
async fn only_what_is_for_the_broker_is_sent() {
    let server = Server::start(|_| answer(200, "{}")).await;
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", &*server.url);
    let mut request = passed("/v2/service_instances/i", &wanted());
    for (name, value) in [
        ("accept-encoding", "gzip"),
        ("connection", "keep-alive, X-Hop"),
        ("content-length", "99999"),
        ("cookie", "session=hunter2"),
        ("expect", "100-continue"),
        ("proxy-authorization", "hunter2"),
        ("transfer-encoding", "chunked"),
        ("x-broker-api-originating-identity", "cloudfoundry e30="),
        ("x-broker-api-request-identity", "the platform's"),
        ("x-forwarded-for", "10.0.0.1"),
        ("x-hop", "1"),
        ("x-vendor", "kept"),
    ] {
        request.headers.insert(name, value.parse().unwrap());
    }
    broker.pass(&relay, Verb::Provision, request).await.unwrap();
    let seen = server.seen().pop().unwrap();
    let names: BTreeSet<_> = seen
        .headers()
        .keys()
        .map(http::HeaderName::as_str)
        .collect();
    let wanted = BTreeSet::from([
        "authorization",
        "content-length",
        "content-type",
        "host",
        "user-agent",
        "x-broker-api-originating-identity",
        "x-broker-api-request-identity",
        "x-broker-api-version",
        "x-correlation-id",
        "x-vendor",
    ]);
    assert_eq!(names, wanted);
    let value = |name: &str| seen.headers()[name].to_str().unwrap().to_owned();
    assert_eq!(value("authorization"), "Basic dXNlcjpwYXNzd29yZA==");
    assert_eq!(value("x-broker-api-request-identity"), "deed-1");
    assert_eq!(value("x-correlation-id"), "deed-1");
    assert_eq!(value("x-broker-api-version"), "2.16");
    assert_eq!(
        value("x-broker-api-originating-identity"),
        "cloudfoundry e30="
    );
    assert_eq!(format!("http://{}", value("host")), server.url);
}

#[tokio::test]
async fn any_answer_comes_back_whole() {
    for status in [
        200, 201, 202, 302, 400, 404, 409, 410, 412, 422, 500, 503, 599,
    ] {
        let server = Server::start(move |_| {
            Response::builder()
                .status(status)
                .header("Retry-After", "7")
                .header("Set-Cookie", "a=b")
                .header("Location", "http://127.0.0.1:1/")
                .header("Connection", "X-Hop")
                .header("X-Hop", "1")
                .body("[not our business".into())
                .unwrap()
        })
        .await;
        let relay = relay(RelaySettings::default());
        let got = Registered::new("b", &*server.url)
            .provision(&relay, "i")
            .await;
        let got = got.unwrap();
        assert_eq!(got.status(), status);
        assert_eq!(got.body(), "[not our business");
        assert_eq!(got.headers()["retry-after"], "7");
        for gone in ["connection", "content-length", "set-cookie", "x-hop"] {
            assert!(!got.headers().contains_key(gone), "{gone}");
        }
        assert_eq!(server.seen().len(), 1, "nothing is followed or repeated");
    }
}

#[tokio::test]
async fn a_life_of_an_instance_at_a_broker_that_behaves() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", hostile.url());
    assert_eq!(broker.provision(&relay, "i-1").await.unwrap().status(), 201);
    assert_eq!(broker.provision(&relay, "i-1").await.unwrap().status(), 200);
    assert_eq!(hostile.instances().len(), 1);
    let call = &hostile.calls()[0];
    let query = "?service_id=s&plan_id=p";
    let path = format!("{}{query}", call.path);
    let gone = broker
        .pass(&relay, Verb::Deprovision, passed(&path, ""))
        .await;
    assert!(gone.unwrap().status().as_u16() < 500);
}

#[tokio::test]
async fn what_cannot_be_sent_is_told_before_anything_is() {
    let hostile = HostileBroker::start().await.unwrap();
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", hostile.url());
    let bad = broker.pass(&relay, Verb::Provision, passed("@127.0.0.1/", "{}"));
    let error = bad.await.unwrap_err();
    assert!(matches!(error, RelayError::Invalid { .. }), "{error:?}");
    assert_eq!(error.outcome(), Outcome::NotSent);
    let target = broker.target();
    let request = passed("/v2/service_instances/i", "{}");
    let error = relay
        .pass(&target, Verb::Provision, "a\nb", request)
        .await
        .unwrap_err();
    assert_eq!(error.outcome(), Outcome::NotSent);
    assert!(hostile.calls().is_empty());
}

#[tokio::test]
async fn a_token_that_ran_out_is_renewed_and_the_request_sent_again() {
    let given = std::sync::atomic::AtomicUsize::new(0);
    let server = Server::start(move |request| {
        if request.uri().path() == "/token" {
            let number = given.fetch_add(1, std::sync::atomic::Ordering::SeqCst) + 1;
            return answer(
                200,
                format!(r#"{{"access_token":"t{number}","expires_in":3600}}"#),
            );
        }
        match request.headers()["authorization"].to_str().unwrap() {
            "Bearer t1" if request.method() == Method::PUT => answer(401, "{}"),
            _ => answer(200, "{}"),
        }
    })
    .await;
    let relay = relay(RelaySettings::default());
    let broker = Registered::new("b", &*server.url).auth(Auth::OAuth2 {
        token_url: format!("{}/token", server.url),
        client_id: "c".to_owned(),
        client_secret: "s".to_owned().into(),
        scope: String::new(),
    });
    let poll = passed("/v2/service_instances/i/last_operation", "");
    broker.pass(&relay, Verb::PollInstance, poll).await.unwrap();
    let got = broker.provision(&relay, "i").await.unwrap();
    assert_eq!(got.status(), 200);
    let seen = server.seen();
    let puts: Vec<_> = seen
        .iter()
        .filter(|seen| seen.method() == Method::PUT)
        .collect();
    assert_eq!(puts.len(), 2);
    assert_eq!(puts[0].body(), puts[1].body());
}
