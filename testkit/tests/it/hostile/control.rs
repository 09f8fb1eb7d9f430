//! The reins over HTTP, and the broker as a program.

use super::{broker, provision_body};
use qm_testkit::hostile::{Fault, Rule, SYNC_PLAN};
use qm_testkit::http::{Client, json};
use qm_testkit::process::Program;
use quartermaster_osb::Verb;
use serde_json::json;

#[tokio::test]
async fn another_process_scripts_and_looks() {
    let program = Program::binary("hostile-broker").unwrap();
    let program = program.args(["--listen", "127.0.0.1:0", "--user", "u", "--password", "p"]);
    let mut process = program.start().await.unwrap();
    let client = Client::new(&process.url(), "u", "p");
    let rules = json!([
        {"verb": "provision", "instance": "bad", "fault": {"fault": "answer", "status": 500}},
        {"verb": "catalog", "from": 2, "times": 1, "fault": {"fault": "slow", "millis": 1,
            "then": {"fault": "not_json"}}},
    ]);
    let answer = client.post("/_hostile/faults", &rules).await.unwrap();
    assert_eq!(answer.status(), 200);
    let body = provision_body(SYNC_PLAN);
    for (id, status) in [("bad", 500), ("good", 201)] {
        let path = format!("/v2/service_instances/{id}");
        assert_eq!(client.put(&path, &body).await.unwrap().status(), status);
    }
    assert!(json(&client.get("/v2/catalog").await.unwrap()).is_object());
    assert!(json(&client.get("/v2/catalog").await.unwrap()).is_null());

    let calls = json(&client.get("/_hostile/calls").await.unwrap());
    assert_eq!(calls.as_array().unwrap().len(), 4);
    assert_eq!(calls[0]["verb"], "provision");
    assert_eq!(calls[0]["status"], 500);
    assert_eq!(calls[0]["worked"], false);
    assert_eq!(calls[1]["body"], body);
    let instances = json(&client.get("/_hostile/instances").await.unwrap());
    assert_eq!(instances.as_array().unwrap().len(), 1);
    assert_eq!(instances[0]["id"], "good");

    assert_eq!(
        client
            .post("/_hostile/reset", &json!({}))
            .await
            .unwrap()
            .status(),
        200
    );
    for what in ["calls", "instances", "faults"] {
        let path = format!("/_hostile/{what}");
        assert_eq!(json(&client.get(&path).await.unwrap()), json!([]));
    }
    assert!(process.terminate().await.unwrap().success());
}

#[tokio::test]
async fn refuses_scripts_it_does_not_understand() {
    let (_broker, client) = broker().await;
    for (rule, word) in [
        (
            json!({"verb": "provisoin", "fault": {"fault": "hang"}}),
            "provisoin",
        ),
        (json!({"verb": "bind", "fault": {"fault": "hagn"}}), "hagn"),
        (
            json!({"verb": "bind", "nht": 2, "fault": {"fault": "hang"}}),
            "nht",
        ),
        (json!({"fault": {"fault": "slow", "milis": 2}}), "milis"),
        (json!([{"fault": {"fault": "hang"}}, {}]), "fault"),
    ] {
        let answer = client.post("/_hostile/faults", &rule).await.unwrap();
        assert_eq!(answer.status(), 400, "{rule}");
        let text = json(&answer)["description"].to_string();
        assert!(text.contains(word), "{text}");
    }
    let rules = client.get("/_hostile/faults").await.unwrap();
    assert_eq!(json(&rules), json!([]));
}

#[tokio::test]
async fn catalog_credentials_forgetting_and_reset() {
    let (broker, client) = broker().await;
    let body = provision_body(SYNC_PLAN);
    let path = "/v2/service_instances/i";
    assert_eq!(client.put(path, &body).await.unwrap().status(), 201);
    let order = json!({"instance": "i"});
    client.post("/_hostile/forget", &order).await.unwrap();
    assert_eq!(broker.instances(), []);
    let catalog = json!({"services": []});
    client.put("/_hostile/catalog", &catalog).await.unwrap();
    assert_eq!(json(&client.get("/v2/catalog").await.unwrap()), catalog);
    let credentials = json!({"user": "x", "password": "y"});
    client
        .put("/_hostile/credentials", &credentials)
        .await
        .unwrap();
    assert_eq!(client.get("/v2/catalog").await.unwrap().status(), 401);
    let before = broker.calls().last().unwrap().number;
    broker.reset();
    assert_eq!(client.get("/v2/catalog").await.unwrap().status(), 200);
    let calls = broker.calls();
    assert_eq!((calls.len(), calls[0].number), (1, before + 1));
}

#[test]
fn rules_survive_json() {
    for fault in [
        Fault::Behave,
        Fault::slow(5),
        Fault::lose_answer(),
        Fault::redirect(302, "x"),
        Fault::Gigantic { bytes: None },
        Fault::WrongLength { by: -1 },
        Fault::succeed_then_fail(),
        Fault::fail_work("x"),
        Fault::forget(),
    ] {
        let mut rule = Rule::new(Some(Verb::PollBinding), fault);
        rule.times = Some(3);
        let text = serde_json::to_string(&rule).unwrap();
        assert_eq!(serde_json::from_str::<Rule>(&text).unwrap(), rule, "{text}");
    }
}
