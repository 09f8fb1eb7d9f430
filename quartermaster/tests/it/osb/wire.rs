//! The wire of a door: what goes on to the broker, what is refused before it, in which form, and how a broker's words
//! come back.

use super::world::{Door, World, wanted};
use crate::harness::{Answer, Engine};
use http::Method;
use qm_testkit::hostile::{Fault, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    what_is_sent_reaches_the_broker_as_it_came,
    what_cannot_be_read_goes_nowhere,
    a_suspended_platform_looks_and_cleans_up,
    a_brokers_words_come_back,
);

/// Sends bytes to an instance's door with the headers of a platform.
async fn put(door: &Door, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let path = format!("{}{path}", door.path);
    let body = body.to_owned();
    door.client.send(Method::PUT, &path, headers, body).await
}

async fn what_is_sent_reaches_the_broker_as_it_came(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    // Odd spaces, a number that loses its form when it is read, and a field that nobody knows.
    let body = format!(
        "{{ \"service_id\":\"{SERVICE}\",\n\"plan_id\" : \"{SYNC_PLAN}\", \"parameters\":{{\"x\":1.50}},\
         \"organization_guid\":\"o\",\"space_guid\":\"s\",\"from_2_18\":[1e2]}}"
    );
    let headers = [
        ("x-broker-api-version", "2.16"),
        ("x-broker-api-originating-identity", "kubernetes e30="),
        ("x-broker-api-request-identity", "request-7"),
        ("x-correlation-id", "correlation-7"),
    ];
    // No content type: JSON is meant.
    let path = "/service_instances/a%2Fb%20c?accepts_incomplete=true&later=%2B";
    let answer = put(&door, path, &headers, &body).await;
    assert_eq!(
        answer.header("x-broker-api-request-identity"),
        Some("request-7")
    );
    assert_eq!(answer.header("x-correlation-id"), Some("correlation-7"));
    answer.expect(201);
    let calls = world.broker.calls_of(Verb::Provision);
    let call = calls.last().unwrap();
    assert_eq!(call.bytes, body.as_bytes());
    assert_eq!(call.instance.as_deref(), Some("a/b c"));
    assert_eq!(call.query, "accepts_incomplete=true&later=%2B");
    assert_eq!(call.header("x-broker-api-version"), Some("2.16"));
    assert_eq!(
        call.header("x-broker-api-originating-identity"),
        Some("kubernetes e30=")
    );
    assert_eq!(call.header("x-correlation-id"), Some("correlation-7"));
    let theirs = door.client.authorization();
    assert!(call.header("authorization").is_some());
    assert_ne!(call.header("authorization"), theirs);
    world.instance("a%2Fb%20c").await.expect(200);
}

async fn what_cannot_be_read_goes_nowhere(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    let before = world.broker.calls().len();
    let twice = format!(r#"{{"service_id":"{SERVICE}","parameters":{{"k":1,"k":"hunter2"}}}}"#);
    let cases = [
        ("", "the body is empty"),
        ("{", "invalid json"),
        ("[]", "must be a JSON object"),
        (twice.as_str(), "invalid json: duplicate key parameters.k"),
    ];
    for (body, words) in cases {
        for path in [
            "/service_instances/i",
            "/service_instances/i/service_bindings/b",
        ] {
            let answer = put(&door, path, &[], body).await;
            let refused = answer.expect(400);
            let description = refused["description"].as_str().unwrap();
            assert!(description.contains(words), "{description}");
            assert!(!description.contains("hunter2"), "{description}");
            // The form of OSB: nothing else is in it.
            let keys: Vec<_> = refused.as_object().unwrap().keys().collect();
            assert_eq!(keys, ["description", "error"]);
        }
    }
    // What is no door is nothing, and has no other methods.
    let path = format!("{}/catalog", door.path);
    door.client.post(&path, &json!({})).await.expect(405);
    let path = door.path.replace("/v2", "/v3");
    door.client.get(&path).await.expect(404);
    assert_eq!(world.broker.calls().len(), before);
    assert!(world.recorded().await.is_empty());
}

async fn a_suspended_platform_looks_and_cleans_up(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    door.provision("i").await.expect(201);
    let suspend = async |suspended: bool| {
        let path = format!("/v1/platforms/{}", world.platform.id);
        let body = json!({ "suspended": suspended });
        world.manager.admin().patch(&path, &body).await.expect(200);
    };
    suspend(true).await;
    let said = door.provision("j").await.refused(400, "BadRequest");
    assert!(said.ends_with("(rule: platform-suspended)"), "{said}");
    door.update("i", &json!({})).await.expect(400);
    door.bind("i", "b").await.expect(400);
    door.client.get(&door.url("i")).await.expect(200);
    door.deprovision("i").await.expect(200);
    suspend(false).await;
    door.provision("j").await.expect(201);
    assert_eq!(world.agree().await.len(), 1);
}

async fn a_brokers_words_come_back(engine: Engine) {
    let world = World::start(engine).await;
    let door = world.door();
    let answers = |status: u16, body: Value| Fault::Answer {
        status,
        headers: vec![("Retry-After".to_owned(), "7".to_owned())],
        body,
    };
    let said = |text: &str| format!("Service broker hostile {text}");
    let cases = [
        (
            422,
            json!({"error": "RequiresApp", "description": "no app", "extra": 1}),
            json!({"error": "RequiresApp", "description": said("failed with: no app"), "extra": 1}),
        ),
        (
            400,
            json!("plain words"),
            json!({"description": said("responded with invalid JSON: plain words")}),
        ),
    ];
    for (status, body, wanted_body) in cases {
        world
            .broker
            .on(Verb::Provision)
            .times(1)
            .then(answers(status, body));
        let answer = door.provision_as("i", &wanted(SYNC_PLAN)).await;
        assert_eq!(answer.header("retry-after"), Some("7"));
        assert_eq!(answer.expect(status), wanted_body);
    }
    assert!(world.agree().await.is_empty());
}
