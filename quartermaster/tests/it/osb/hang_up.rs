//! Callers that hang up half way: what they asked for is finished and recorded all the same, and what they did not
//! finish asking for is not begun.

use super::world::{World, quick, wanted};
use crate::harness::{Engine, Setup, eventually};
use http::Method;
use qm_testkit::hostile::{ASYNC_PLAN, Fault, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::{Value, json};
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;

on_both_engines!(
    what_a_lost_caller_asked_for_is_done_and_recorded,
    half_a_request_is_no_request,
);

/// The broker is slow and nobody loses patience but the caller.
fn patient(engine: Engine) -> Setup {
    quick(engine)
        .set("QM_BROKERS_TIMEOUT", "25s")
        .set("QM_BROKERS_HEADER_TIMEOUT", "20s")
}

async fn what_a_lost_caller_asked_for_is_done_and_recorded(engine: Engine) {
    let world = World::on(patient(engine)).await;
    let door = world.door();
    for verb in [
        Verb::Provision,
        Verb::Update,
        Verb::Bind,
        Verb::Unbind,
        Verb::Deprovision,
    ] {
        world.broker.on(verb).always().then(Fault::slow(700));
    }
    let named = json!({"service_id": SERVICE, "plan_id": SYNC_PLAN});
    let ids = format!("service_id={SERVICE}&plan_id={SYNC_PLAN}");
    let binding = door.binding_url("i", "b");

    let path = door.url("i");
    abandon(
        &world,
        Verb::Provision,
        Method::PUT,
        &path,
        &wanted(SYNC_PLAN),
    )
    .await;
    let shown = ended(&world, "create").await;
    assert_eq!(shown["ready"], true, "{shown}");
    let before = shown["service_plan_id"].clone();

    let change = json!({"service_id": SERVICE, "plan_id": ASYNC_PLAN});
    abandon(&world, Verb::Update, Method::PATCH, &path, &change).await;
    let shown = ended(&world, "update").await;
    assert_ne!(shown["service_plan_id"], before, "the new plan is in force");
    let back = json!({"plan_id": SYNC_PLAN});
    door.update("i", &back).await.expect(202);
    assert_eq!(door.end_of("i").await, "succeeded");

    abandon(&world, Verb::Bind, Method::PUT, &binding, &named).await;
    eventually("the binding is recorded", async || {
        let path = "/v1/service_bindings/b";
        let shown = world.manager.admin().get(path).await;
        (shown.status == 200 && shown.body["ready"] == true).then_some(())
    })
    .await;
    world.agree().await;

    let path = format!("{binding}?{ids}");
    abandon(&world, Verb::Unbind, Method::DELETE, &path, &Value::Null).await;
    eventually("the binding is gone", async || {
        let path = "/v1/service_bindings/b";
        (world.manager.admin().get(path).await.status == 404).then_some(())
    })
    .await;

    let path = format!("{}?{ids}", door.url("i"));
    abandon(
        &world,
        Verb::Deprovision,
        Method::DELETE,
        &path,
        &Value::Null,
    )
    .await;
    eventually("the instance is gone", async || {
        (world.instance("i").await.status == 404).then_some(())
    })
    .await;
    assert!(world.agree().await.is_empty());
    let calls = world.broker.calls();
    let mutating = calls.iter().filter(|call| call.method != "GET").count();
    assert_eq!(mutating, 6, "each was asked for once: {calls:#?}");
}

async fn half_a_request_is_no_request(engine: Engine) {
    let world = World::on(patient(engine)).await;
    let door = world.door();
    let request = request(&world, &Method::PUT, &door.url("i"), &wanted(SYNC_PLAN));
    for length in [request.len() / 3, request.len() - 1] {
        let mut stream = TcpStream::connect(address(&world)).await.unwrap();
        stream
            .write_all(&request.as_bytes()[..length])
            .await
            .unwrap();
        stream.shutdown().await.unwrap();
    }
    // Whoever sends it whole afterwards is the first.
    door.provision("i").await.expect(201);
    assert_eq!(world.broker.calls_of(Verb::Provision).len(), 1);
    world.agree().await;
}

/// Sends a whole request and hangs up when the broker has it.
async fn abandon(world: &World, verb: Verb, method: Method, path: &str, body: &Value) {
    let before = world.broker.calls_of(verb).len();
    let request = request(world, &method, path, body);
    let mut stream = TcpStream::connect(address(world)).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    world.broker.wait_for(verb, before + 1).await.unwrap();
    drop(stream);
}

/// The instance when this has succeeded.
async fn ended(world: &World, deed: &str) -> Value {
    eventually("it is recorded as done", async || {
        let shown = world.instance("i").await.expect(200);
        let last = &shown["last_operation"];
        (last["type"] == deed && last["state"] == "succeeded").then_some(shown)
    })
    .await
}

fn address(world: &World) -> String {
    world.manager.url().replace("http://", "")
}

fn request(world: &World, method: &Method, path: &str, body: &Value) -> String {
    let client = world.door().client;
    let body = match body {
        Value::Null => String::new(),
        body => body.to_string(),
    };
    format!(
        "{method} {path} HTTP/1.1\r\nhost: manager\r\nauthorization: {}\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        client.authorization().unwrap(),
        body.len()
    )
}
