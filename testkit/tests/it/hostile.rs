//! The hostile broker: good without a script, bad exactly as scripted.

mod base;
mod control;
mod meaning;
mod script;
mod wire;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use qm_testkit::hostile::{ASYNC_PLAN, HostileBroker, SERVICE, SYNC_PLAN};
use qm_testkit::http::{Client, json, raw};
use serde_json::{Value, json};
use std::time::Duration;

/// A broker and a client that it lets in.
async fn broker() -> (HostileBroker, Client) {
    let broker = HostileBroker::start().await.unwrap();
    let client = Client::new(&broker.url(), "user", "password");
    (broker, client)
}

fn provision_body(plan: &str) -> Value {
    json!({
        "service_id": SERVICE,
        "plan_id": plan,
        "organization_guid": "o",
        "space_guid": "s",
        "parameters": {"size": 3},
    })
}

fn bind_body(plan: &str) -> Value {
    json!({"service_id": SERVICE, "plan_id": plan})
}

/// Path of an instance with what a delete needs.
fn ids(plan: &str) -> String {
    format!("service_id={SERVICE}&plan_id={plan}&accepts_incomplete=true")
}

/// An honest request as bytes, for peers that must see the wire.
fn bytes(method: &str, path: &str, body: Option<&Value>) -> Vec<u8> {
    let token = STANDARD.encode("user:password");
    let body = body.map(Value::to_string).unwrap_or_default();
    format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic {token}\r\n\
         X-Broker-API-Version: 2.17\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
    .into_bytes()
}

/// What a raw client gets for an honest request, until the broker closes or half a minute is over.
async fn wire(broker: &HostileBroker, request: &[u8]) -> String {
    let answer = raw(broker.address(), request, Duration::from_secs(30)).await;
    String::from_utf8_lossy(&answer).into_owned()
}

/// The body of a raw answer.
fn body_of(answer: &str) -> &str {
    answer
        .split_once("\r\n\r\n")
        .expect("an answer has a head")
        .1
}

/// Sends the calls that make an instance of a plan, to the end.
async fn make_instance(client: &Client, id: &str, plan: &str) {
    let path = format!("/v2/service_instances/{id}?accepts_incomplete=true");
    let answer = client.put(&path, &provision_body(plan)).await.unwrap();
    match plan {
        SYNC_PLAN => assert_eq!(answer.status(), 201),
        ASYNC_PLAN => {
            assert_eq!(answer.status(), 202);
            assert_eq!(
                poll(client, &format!("/v2/service_instances/{id}")).await,
                "succeeded"
            );
        }
        other => panic!("no plan {other}"),
    }
}

/// Polls a resource to its end.
async fn poll(client: &Client, path: &str) -> String {
    for _ in 0..10 {
        let answer = client.get(&format!("{path}/last_operation")).await.unwrap();
        assert_eq!(answer.status(), 200);
        let state = json(&answer)["state"].as_str().unwrap().to_owned();
        if state != "in progress" {
            return state;
        }
    }
    panic!("{path} never ends");
}
