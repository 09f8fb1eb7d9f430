//! Without a script it is a good broker.

use super::{bind_body, broker, ids, make_instance, poll, provision_body};
use http::Request;
use qm_testkit::hostile::{ASYNC_PLAN, Config, HostileBroker, Phase, SYNC_PLAN, standard_catalog};
use qm_testkit::http::{Client, json};
use quartermaster_osb::{Catalog, Verb};
use serde_json::{Value, json};

const I: &str = "/v2/service_instances/i";
const B: &str = "/v2/service_instances/i/service_bindings/b";

#[tokio::test]
async fn serves_its_catalog_with_a_tag() {
    let (_broker, client) = broker().await;
    let answer = client.get("/v2/catalog").await.unwrap();
    assert_eq!(answer.status(), 200);
    let catalog: Catalog = serde_json::from_slice(answer.body()).unwrap();
    assert_eq!(catalog, standard_catalog());
    assert_eq!(catalog.services[0].plans.len(), 2);
    let tag = answer.headers()["etag"].clone();
    let again = Request::get("/v2/catalog")
        .header("X-Broker-API-Version", "2.17")
        .header("If-None-Match", tag)
        .body(bytes::Bytes::new())
        .unwrap();
    assert_eq!(client.send(again).await.unwrap().status(), 304);
}

#[tokio::test]
async fn a_synchronous_life() {
    let (broker, client) = broker().await;
    let body = provision_body(SYNC_PLAN);
    assert_eq!(client.put(I, &body).await.unwrap().status(), 201);
    assert_eq!(client.put(I, &body).await.unwrap().status(), 200);
    let mut other = body.clone();
    other["space_guid"] = json!("elsewhere");
    assert_eq!(client.put(I, &other).await.unwrap().status(), 409);
    assert_eq!(json(&client.get(I).await.unwrap())["plan_id"], SYNC_PLAN);

    let bound = client.put(B, &bind_body(SYNC_PLAN)).await.unwrap();
    assert_eq!(bound.status(), 201);
    assert_eq!(json(&bound)["credentials"]["username"], "b");
    let again = client.put(B, &bind_body(SYNC_PLAN)).await.unwrap();
    assert_eq!((again.status().as_u16(), json(&again)), (200, json(&bound)));
    let known = broker.instances();
    assert_eq!(known.len(), 1);
    assert_eq!(known[0].phase, Phase::Ready);
    assert_eq!(known[0].parameters, json!({"size": 3}));
    assert_eq!(known[0].bindings[0].id, "b");

    let update = json!({"service_id": body["service_id"], "parameters": {"size": 4}});
    assert_eq!(client.patch(I, &update).await.unwrap().status(), 200);
    assert_eq!(broker.instances()[0].parameters, json!({"size": 4}));

    let delete = format!("{I}?{}", ids(SYNC_PLAN));
    let unbind = format!("{B}?{}", ids(SYNC_PLAN));
    assert_eq!(client.delete(&delete).await.unwrap().status(), 422);
    assert_eq!(client.delete(I).await.unwrap().status(), 400);
    assert_eq!(client.delete(&unbind).await.unwrap().status(), 200);
    assert_eq!(client.delete(&unbind).await.unwrap().status(), 410);
    assert_eq!(client.delete(&delete).await.unwrap().status(), 200);
    assert_eq!(client.delete(&delete).await.unwrap().status(), 410);
    assert_eq!(client.get(I).await.unwrap().status(), 404);
    assert_eq!(broker.instances(), []);
}

#[tokio::test]
async fn an_asynchronous_life() {
    let (broker, client) = broker().await;
    let body = provision_body(ASYNC_PLAN);
    let refused = client.put(I, &body).await.unwrap();
    assert_eq!(refused.status(), 422);
    assert_eq!(json(&refused)["error"], "AsyncRequired");
    let path = format!("{I}?accepts_incomplete=true");
    let first = client.put(&path, &body).await.unwrap();
    assert_eq!(first.status(), 202);
    let again = client.put(&path, &body).await.unwrap();
    assert_eq!(again.status(), 202);
    assert_eq!(json(&again)["operation"], json(&first)["operation"]);
    assert_eq!(broker.instances()[0].phase, Phase::Creating);
    assert_eq!(client.get(I).await.unwrap().status(), 404);
    assert_eq!(poll(&client, I).await, "succeeded");
    assert_eq!(client.put(&path, &body).await.unwrap().status(), 200);

    let bind = format!("{B}?accepts_incomplete=true");
    let bound = client.put(&bind, &bind_body(ASYNC_PLAN)).await.unwrap();
    assert_eq!(bound.status(), 202);
    assert_eq!(json(&bound)["credentials"], Value::Null);
    assert_eq!(poll(&client, B).await, "succeeded");
    assert_eq!(
        json(&client.get(B).await.unwrap())["credentials"]["username"],
        "b"
    );

    let update = json!({"service_id": body["service_id"], "plan_id": SYNC_PLAN});
    assert_eq!(client.patch(&path, &update).await.unwrap().status(), 202);
    assert_eq!(broker.instances()[0].plan_id, ASYNC_PLAN);
    assert_eq!(poll(&client, I).await, "succeeded");
    assert_eq!(broker.instances()[0].plan_id, SYNC_PLAN);

    let unbind = format!("{B}?{}", ids(ASYNC_PLAN));
    assert_eq!(client.delete(&unbind).await.unwrap().status(), 202);
    assert_eq!(poll(&client, B).await, "succeeded");
    let gone = client.get(&format!("{B}/last_operation")).await.unwrap();
    assert_eq!(gone.status(), 410);
}

#[tokio::test]
async fn a_deletion_halts_a_creation() {
    let (broker, client) = broker().await;
    let path = format!("{I}?accepts_incomplete=true");
    let body = provision_body(ASYNC_PLAN);
    assert_eq!(client.put(&path, &body).await.unwrap().status(), 202);
    let delete = format!("{I}?{}", ids(ASYNC_PLAN));
    assert_eq!(client.delete(&delete).await.unwrap().status(), 202);
    assert_eq!(client.put(&path, &body).await.unwrap().status(), 422);
    assert_eq!(poll(&client, I).await, "succeeded");
    assert_eq!(broker.instances(), []);
}

#[tokio::test]
async fn a_binding_is_rotated() {
    let (broker, client) = broker().await;
    make_instance(&client, "i", SYNC_PLAN).await;
    let mut body = bind_body(SYNC_PLAN);
    body["parameters"] = json!({"role": "reader"});
    assert_eq!(client.put(B, &body).await.unwrap().status(), 201);
    let next = "/v2/service_instances/i/service_bindings/next";
    let wrong = json!({"predecessor_binding_id": "never"});
    assert_eq!(client.put(next, &wrong).await.unwrap().status(), 400);
    let rotate = json!({"predecessor_binding_id": "b"});
    assert_eq!(client.put(next, &rotate).await.unwrap().status(), 201);
    let bindings = &broker.instances()[0].bindings;
    assert_eq!(bindings.len(), 2);
    assert_eq!(bindings[1].parameters, json!({"role": "reader"}));
}

#[tokio::test]
async fn refuses_what_a_broker_refuses() {
    let (broker, client) = broker().await;
    for (user, password) in [("user", "wrong"), ("", "")] {
        let stranger = Client::new(&broker.url(), user, password);
        assert_eq!(stranger.get("/v2/catalog").await.unwrap().status(), 401);
    }
    let versions = [(None, 400), (Some("1.9"), 412), (Some("2.99"), 200)];
    for (version, status) in versions {
        let mut request = Request::get("/v2/catalog");
        if let Some(version) = version {
            request = request.header("X-Broker-API-Version", version);
        }
        let request = request.body(bytes::Bytes::new()).unwrap();
        assert_eq!(client.send(request).await.unwrap().status(), status);
    }
    for key in ["service_id", "plan_id", "organization_guid", "space_guid"] {
        let mut body = provision_body(SYNC_PLAN);
        body.as_object_mut().unwrap().remove(key);
        assert_eq!(client.put(I, &body).await.unwrap().status(), 400, "{key}");
    }
    let mut body = provision_body(SYNC_PLAN);
    body["maintenance_info"] = json!({"version": "0.9.0"});
    let answer = client.put(I, &body).await.unwrap();
    assert_eq!(json(&answer)["error"], "MaintenanceInfoConflict");
    assert_eq!(client.get("/v2/nothing").await.unwrap().status(), 404);
    assert_eq!(broker.instances(), []);
    assert_eq!(broker.calls().last().unwrap().verb, None);
}

#[tokio::test]
async fn records_what_it_got() {
    let (broker, client) = broker().await;
    let request = Request::put("/v2/service_instances/a%2Fb%20c?accepts_incomplete=true&x=%20y")
        .header("X-Broker-API-Version", "2.17")
        .header("X-Broker-API-Request-Identity", "r-1")
        .body(bytes::Bytes::from(provision_body(SYNC_PLAN).to_string()))
        .unwrap();
    let answer = client.send(request).await.unwrap();
    assert_eq!(answer.headers()["x-broker-api-request-identity"], "r-1");
    let calls = broker.wait_for_calls(1).await.unwrap();
    let call = &calls[0];
    assert_eq!((call.number, call.verb), (1, Some(Verb::Provision)));
    assert_eq!(call.method, "PUT");
    assert_eq!(call.path, "/v2/service_instances/a%2Fb%20c");
    assert_eq!(call.instance.as_deref(), Some("a/b c"));
    assert_eq!(call.query_value("x").as_deref(), Some(" y"));
    assert_eq!(call.header("x-broker-api-request-identity"), Some("r-1"));
    assert_eq!(call.body, Some(provision_body(SYNC_PLAN)));
    assert_eq!(
        (call.status, call.answered, call.worked),
        (Some(201), true, true)
    );
    assert_eq!(broker.instances()[0].id, "a/b c");
    assert_eq!(broker.calls_of(Verb::Bind), []);
}

#[tokio::test]
async fn stops_and_comes_back_with_its_memory() {
    let (mut broker, client) = broker().await;
    make_instance(&client, "i", SYNC_PLAN).await;
    broker.stop().await;
    assert!(client.get(I).await.is_err());
    broker.resume().unwrap();
    assert_eq!(client.get(I).await.unwrap().status(), 200);
}

#[tokio::test]
async fn takes_any_configuration() {
    let broker = HostileBroker::start_with(Config {
        credentials: None,
        asynchronous: vec![SYNC_PLAN.to_owned()],
        polls: 3,
        retry_after: Some(7),
        ..Config::default()
    })
    .await
    .unwrap();
    let client = Client::new(&broker.url(), "", "");
    let path = format!("{I}?accepts_incomplete=true");
    let body = provision_body(SYNC_PLAN);
    assert_eq!(client.put(&path, &body).await.unwrap().status(), 202);
    for _ in 0..3 {
        let answer = client.get(&format!("{I}/last_operation")).await.unwrap();
        assert_eq!(json(&answer)["state"], "in progress");
        assert_eq!(answer.headers()["retry-after"], "7");
    }
    assert_eq!(poll(&client, I).await, "succeeded");
}
