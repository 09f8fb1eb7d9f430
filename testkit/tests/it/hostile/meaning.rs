//! Faults in meaning: lies, lapses of memory, other catalogs, other credentials.

use super::{broker, ids, make_instance, poll, provision_body};
use qm_testkit::hostile::{
    ASYNC_PLAN, Fault, Phase, SYNC_PLAN, standard_catalog, with_other_ids, without_plan,
};
use qm_testkit::http::{Client, json};
use quartermaster_osb::Verb;
use serde_json::{Value, json};

const I: &str = "/v2/service_instances/i";
const POLL: &str = "/v2/service_instances/i/last_operation";

async fn begin(client: &Client) -> Value {
    let path = format!("{I}?accepts_incomplete=true");
    let answer = client.put(&path, &provision_body(ASYNC_PLAN)).await;
    json(&answer.unwrap())
}

async fn state(client: &Client) -> String {
    let answer = client.get(POLL).await.unwrap();
    json(&answer)["state"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[tokio::test]
async fn an_operation_that_never_ends() {
    let (broker, client) = broker().await;
    begin(&client).await;
    broker
        .on(Verb::PollInstance)
        .then(Fault::state("in progress"));
    for _ in 0..20 {
        assert_eq!(state(&client).await, "in progress");
    }
    assert_eq!(broker.instances()[0].phase, Phase::Creating);
}

#[tokio::test]
async fn an_operation_that_succeeds_and_then_fails() {
    let (broker, client) = broker().await;
    begin(&client).await;
    broker
        .on(Verb::PollInstance)
        .then(Fault::succeed_then_fail());
    let mut states = Vec::new();
    for _ in 0..3 {
        states.push(state(&client).await);
    }
    assert_eq!(states, ["succeeded", "failed", "failed"]);
}

#[tokio::test]
async fn polls_that_answer_nonsense() {
    let (broker, client) = broker().await;
    begin(&client).await;
    for status in [404, 410] {
        broker.on(Verb::PollInstance).then(Fault::status(status));
        assert_eq!(client.get(POLL).await.unwrap().status(), status);
        broker.behave();
    }
    broker.on(Verb::PollInstance).then(Fault::state("Done!"));
    assert_eq!(state(&client).await, "Done!");
}

#[tokio::test]
async fn an_operation_other_than_the_one_begun() {
    let (broker, client) = broker().await;
    broker
        .on(Verb::Provision)
        .nth(1)
        .then(Fault::wrong_operation("somebody else's"));
    let first = begin(&client).await;
    assert_eq!(first["operation"], "somebody else's");
    let second = begin(&client).await;
    assert_eq!(second["operation"], "operation-1");
    assert_eq!(second["dashboard_url"], first["dashboard_url"]);
}

#[tokio::test]
async fn work_that_fails() {
    let (broker, client) = broker().await;
    broker
        .on(Verb::Provision)
        .then(Fault::fail_work("no space left"));
    begin(&client).await;
    assert_eq!(poll(&client, I).await, "failed");
    let answer = json(&client.get(POLL).await.unwrap());
    assert_eq!(answer["description"], "no space left");
    assert_eq!(broker.instances()[0].phase, Phase::Failed);
    // An orphan, until the platform deletes it.
    let delete = format!("{I}?{}", ids(ASYNC_PLAN));
    assert_eq!(client.delete(&delete).await.unwrap().status(), 202);
    assert_eq!(poll(&client, I).await, "succeeded");
    assert_eq!(broker.instances(), []);
}

#[tokio::test]
async fn an_update_that_fails_changes_nothing() {
    let (broker, client) = broker().await;
    make_instance(&client, "i", ASYNC_PLAN).await;
    broker.on(Verb::Update).then(Fault::FailWork {
        description: "half done".to_owned(),
        instance_usable: Some(false),
        update_repeatable: Some(true),
    });
    let body =
        json!({"service_id": provision_body(ASYNC_PLAN)["service_id"], "parameters": {"size": 9}});
    let path = format!("{I}?accepts_incomplete=true");
    assert_eq!(client.patch(&path, &body).await.unwrap().status(), 202);
    assert_eq!(poll(&client, I).await, "failed");
    let answer = json(&client.get(POLL).await.unwrap());
    assert_eq!(answer["instance_usable"], false);
    assert_eq!(answer["update_repeatable"], true);
    assert_eq!(broker.instances()[0].parameters, json!({"size": 3}));
}

#[tokio::test]
async fn synchronous_work_that_fails() {
    let (broker, client) = broker().await;
    broker.on(Verb::Provision).then(Fault::fail_work("broken"));
    let answer = client.put(I, &provision_body(SYNC_PLAN)).await.unwrap();
    assert_eq!(answer.status(), 500);
    assert_eq!(json(&answer)["description"], "broken");
    assert_eq!(broker.instances(), []);
}

#[tokio::test]
async fn a_broker_that_forgets() {
    let (broker, client) = broker().await;
    make_instance(&client, "i", SYNC_PLAN).await;
    make_instance(&client, "k", SYNC_PLAN).await;
    broker.on(Verb::FetchInstance).nth(1).then(Fault::forget());
    assert_eq!(client.get(I).await.unwrap().status(), 404);
    assert_eq!(client.get(POLL).await.unwrap().status(), 404);
    broker.forget("k");
    assert_eq!(broker.instances(), []);
    // What it deleted it remembers, until it forgets that too.
    make_instance(&client, "i", SYNC_PLAN).await;
    let delete = format!("{I}?{}", ids(SYNC_PLAN));
    assert_eq!(client.delete(&delete).await.unwrap().status(), 200);
    assert_eq!(client.get(POLL).await.unwrap().status(), 410);
    broker.forget("i");
    assert_eq!(client.get(POLL).await.unwrap().status(), 404);
}

#[tokio::test]
async fn answers_with_a_field_lost_or_changed() {
    let (broker, client) = broker().await;
    broker.on(Verb::Provision).then(Fault::Edit {
        status: Some(200),
        headers: vec![("X-Odd".to_owned(), "yes".to_owned())],
        patch: json!({"dashboard_url": null, "metadata": {"labels": {"a": "b"}}}),
    });
    let answer = client.put(I, &provision_body(SYNC_PLAN)).await.unwrap();
    assert_eq!(answer.status(), 200);
    assert_eq!(answer.headers()["x-odd"], "yes");
    assert_eq!(json(&answer), json!({"metadata": {"labels": {"a": "b"}}}));
    assert_eq!(broker.instances().len(), 1);
}

#[tokio::test]
async fn a_catalog_that_flaps() {
    let (broker, client) = broker().await;
    broker.flap_catalog(&without_plan(&standard_catalog(), ASYNC_PLAN));
    let mut sizes = Vec::new();
    for _ in 0..4 {
        let catalog = json(&client.get("/v2/catalog").await.unwrap());
        sizes.push(catalog["services"][0]["plans"].as_array().unwrap().len());
    }
    assert_eq!(sizes, [2, 1, 2, 1]);

    broker.behave();
    broker.set_catalog(with_other_ids(&standard_catalog()));
    let catalog = json(&client.get("/v2/catalog").await.unwrap());
    assert_eq!(catalog["services"][0]["name"], "hostile");
    let id = catalog["services"][0]["plans"][0]["id"].as_str().unwrap();
    assert_ne!(id, SYNC_PLAN);
    let answer = client.put(I, &provision_body(SYNC_PLAN)).await.unwrap();
    assert_eq!(answer.status(), 400);
}

#[tokio::test]
async fn credentials_that_change() {
    let (broker, client) = broker().await;
    broker.demand_credentials("other", "new");
    assert_eq!(client.get("/v2/catalog").await.unwrap().status(), 401);
    let other = Client::new(&broker.url(), "other", "new");
    assert_eq!(other.get("/v2/catalog").await.unwrap().status(), 200);
    broker.on(Verb::Catalog).then(Fault::unauthorized());
    assert_eq!(other.get("/v2/catalog").await.unwrap().status(), 401);
}
