//! The broker of others really runs and answers.

use qm_testkit::http::{Client, json};
use qm_testkit::openbrokerapi::{self, ASYNC_PLAN, SERVICE, SYNC_PLAN};
use serde_json::{Value, json};

const I: &str = "/v2/service_instances/i";
const B: &str = "/v2/service_instances/i/service_bindings/b";

fn body(plan: &str) -> Value {
    json!({"service_id": SERVICE, "plan_id": plan, "organization_guid": "o", "space_guid": "s"})
}

fn delete(path: &str, plan: &str) -> String {
    format!("{path}?service_id={SERVICE}&plan_id={plan}&accepts_incomplete=true")
}

/// Polls until nothing is in progress; the last status and state.
async fn finish(client: &Client, path: &str) -> (u16, Value) {
    for _ in 0..600 {
        let answer = client.get(&format!("{path}/last_operation")).await.unwrap();
        let state = json(&answer)["state"].clone();
        if state != "in progress" {
            return (answer.status().as_u16(), state);
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    panic!("{path} never ends");
}

#[tokio::test]
async fn answers_as_a_broker() {
    let Some(process) = openbrokerapi::start("u", "p").await else {
        return;
    };
    let client = Client::new(&process.url(), "u", "p");
    let stranger = Client::new(&process.url(), "u", "wrong");
    assert_eq!(stranger.get("/v2/catalog").await.unwrap().status(), 401);
    let catalog = json(&client.get("/v2/catalog").await.unwrap());
    assert_eq!(catalog["services"][0]["id"], SERVICE);
    assert_eq!(catalog["services"][0]["plans"][1]["id"], ASYNC_PLAN);

    let made = client.put(I, &body(SYNC_PLAN)).await.unwrap();
    assert_eq!(made.status(), 201);
    assert_eq!(client.put(I, &body(SYNC_PLAN)).await.unwrap().status(), 200);
    assert_eq!(
        client.put(I, &body(ASYNC_PLAN)).await.unwrap().status(),
        409
    );
    let bound = client.put(B, &body(SYNC_PLAN)).await.unwrap();
    assert_eq!(bound.status(), 201);
    assert_eq!(json(&bound)["credentials"]["username"], "b");
    let fetched = json(&client.get(B).await.unwrap());
    assert_eq!(fetched["credentials"], json(&bound)["credentials"]);
    let update = json!({"service_id": SERVICE, "parameters": {"size": 2}});
    assert_eq!(client.patch(I, &update).await.unwrap().status(), 200);
    let fetched = json(&client.get(I).await.unwrap());
    assert_eq!(fetched["parameters"], json!({"size": 2}));
    for path in [B, I] {
        let path = delete(path, SYNC_PLAN);
        assert_eq!(client.delete(&path).await.unwrap().status(), 200);
        assert_eq!(client.delete(&path).await.unwrap().status(), 410);
    }
}

#[tokio::test]
async fn works_in_the_background() {
    let Some(process) = openbrokerapi::start("u", "p").await else {
        return;
    };
    let client = Client::new(&process.url(), "u", "p");
    let refused = client.put(I, &body(ASYNC_PLAN)).await.unwrap();
    assert_eq!(refused.status(), 422);
    let path = format!("{I}?accepts_incomplete=true");
    let accepted = client.put(&path, &body(ASYNC_PLAN)).await.unwrap();
    assert_eq!(accepted.status(), 202);
    assert!(json(&accepted)["operation"].is_string());
    assert_eq!(finish(&client, I).await, (200, json!("succeeded")));
    let bind = format!("{B}?accepts_incomplete=true");
    let bound = client.put(&bind, &body(ASYNC_PLAN)).await.unwrap();
    assert_eq!(bound.status(), 202);
    assert_eq!(finish(&client, B).await, (200, json!("succeeded")));
    assert_eq!(client.get(B).await.unwrap().status(), 200);
    let update = json!({"service_id": SERVICE, "plan_id": SYNC_PLAN});
    assert_eq!(client.patch(&path, &update).await.unwrap().status(), 202);
    assert_eq!(finish(&client, I).await, (200, json!("succeeded")));
    assert_eq!(json(&client.get(I).await.unwrap())["plan_id"], SYNC_PLAN);
    let unbind = delete(B, ASYNC_PLAN);
    assert_eq!(client.delete(&unbind).await.unwrap().status(), 202);
}
