//! An instance is made: how long the caller waits, what it is shown, what is refused before the broker is called.

use super::world::{INSTANCES, World, id_in, plain, quick, standard};
use crate::harness::Engine;
use crate::harness::answer::{id, text};
use crate::harness::brokers;
use qm_testkit::hostile::{ASYNC_PLAN, Fault, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    the_caller_waits_as_long_as_it_says,
    an_instance_is_shown_with_all_its_fields,
    the_broker_is_sent_what_the_protocol_demands,
    a_plan_is_found_by_its_names,
    what_cannot_be_is_refused_before_the_broker_is_called,
    parameters_are_held_against_the_schema_first,
    what_failed_in_the_request_leaves_nothing,
    what_failed_in_the_background_stays_to_be_seen,
);

async fn the_caller_waits_as_long_as_it_says(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    // Per plan and `async`: the status, and whether the broker was polled.
    let cases = [
        (world.wish("a"), "", 201),
        (world.wish("b"), "?async=false", 201),
        (world.wish("c"), "?async=true", 202),
        (world.wish("d"), "?async=yes", 202),
        (world.slow_wish("e"), "", 202),
        (world.slow_wish("f"), "?async=false", 201),
        (world.slow_wish("g"), "?async=true", 202),
    ];
    for (wish, query, status) in cases {
        let answer = person.create(query, &wish).await;
        assert_eq!(answer.status, status, "{wish} {query}: {answer:#?}");
        let id = if status == 202 {
            assert_eq!(answer.body, json!({}));
            let location = answer.location();
            assert!(location.starts_with(&format!("{INSTANCES}/")), "{location}");
            let operation = person.good_end(&location).await;
            assert_eq!(operation["type"], "create");
            assert_eq!(operation["resource_type"], INSTANCES);
            id_in(&location)
        } else {
            assert_eq!(answer.header("location"), None);
            id(&answer.body)
        };
        let shown = person.instance(&id).await.expect(200);
        assert_eq!(shown["ready"], true, "{shown:#}");
        assert_eq!(shown["state"], "ready");
        assert_eq!(shown["last_operation"]["state"], "succeeded");
    }
    assert_eq!(world.agree().await.len(), 7);
}

async fn an_instance_is_shown_with_all_its_fields(engine: Engine) {
    let world = World::start(engine).await;
    let mut wish = world.wish("mine");
    wish["labels"] =
        json!({"team": ["a", "b"], "_clusterid": ["c1"], "_namespace": ["n1"], "_k8sname": ["k"]});
    wish["parameters"] = json!({"size": 3});
    // What clients in the field send without meaning it.
    wish["service_id"] = json!("x");
    wish["ready"] = json!(false);
    wish["usable"] = json!(false);
    wish["context"] = json!({"evil": true});
    let made = world.person().create("", &wish).await.expect(201);
    assert_eq!(made["name"], "mine");
    assert_eq!(made["service_plan_id"], world.sync.as_str());
    assert_eq!(made["platform_id"], "service-manager");
    assert_eq!(
        (&made["ready"], &made["usable"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(made["labels"]["team"], json!(["a", "b"]));
    let context = json!({
        "platform": "service-manager", "instance_name": "mine", "clusterid": "c1", "namespace": "n1",
    });
    assert_eq!(made["context"], context);
    assert_eq!(
        made["dashboard_url"],
        format!("http://dashboard.example/{}", id(&made))
    );
    assert_eq!(made["maintenance_info"], json!({"version": "1.0.0"}));
    assert_eq!(made["message"], Value::Null, "all is well");
    for absent in ["parameters", "credentials", "referenced_instance_id"] {
        assert_eq!(made.get(absent), None, "{absent} in {made}");
    }
    let operation = &made["last_operation"];
    assert_eq!(operation["type"], "create");
    assert_eq!(operation["platform_id"], "service-manager");
    assert_eq!(operation["resource_id"], made["id"]);
    for time in ["created_at", "updated_at"] {
        assert!(text(operation, time).ends_with('Z'), "{operation}");
    }
    let mut shown = world.person().instance(&id(&made)).await.expect(200);
    // The first answer is made before the operation has its last moment.
    shown["last_operation"] = made["last_operation"].clone();
    assert_eq!(shown, made, "it is shown as it was answered");
}

async fn the_broker_is_sent_what_the_protocol_demands(engine: Engine) {
    let world = World::start(engine).await;
    let mut wish = world.wish("mine");
    wish["parameters"] = json!({"size": 3});
    wish["labels"] = json!({"_clusterid": ["c1"], "_namespace": ["n1"]});
    let headers = [
        ("content-type", "application/json"),
        ("x-correlationid", "find-me"),
    ];
    let admin = world.manager.admin();
    let made = admin
        .send(http::Method::POST, INSTANCES, &headers, wish.to_string())
        .await
        .expect(201);
    assert_eq!(made["last_operation"]["correlation_id"], "find-me");
    let calls = world.broker.calls_of(Verb::Provision);
    assert_eq!(calls.len(), 1);
    let call = &calls[0];
    assert_eq!(call.header("x-broker-api-version"), Some("2.17"));
    assert_eq!(
        call.header("x-broker-api-request-identity"),
        Some("find-me")
    );
    assert_eq!(call.header("content-type"), Some("application/json"));
    assert!(call.header("authorization").unwrap().starts_with("Basic "));
    assert_eq!(
        call.query_value("accepts_incomplete").as_deref(),
        Some("true")
    );
    assert_eq!(call.instance.as_deref(), made["id"].as_str());
    let body = call.body.as_ref().unwrap();
    assert_eq!(body["service_id"], SERVICE);
    assert_eq!(body["plan_id"], SYNC_PLAN);
    assert_eq!(body["parameters"], json!({"size": 3}));
    assert_eq!(body["context"], made["context"]);
    assert_eq!(body["maintenance_info"], json!({"version": "1.0.0"}));
    for old in ["organization_guid", "space_guid"] {
        assert!(
            !text(body, old).is_empty(),
            "{old} must not be empty: {body}"
        );
    }
    // Without parameters none are sent.
    let bare = world.made("bare").await;
    let calls = world.broker.wait_for((Verb::Provision, &*bare), 1).await;
    let body = calls.unwrap().pop().unwrap().body.unwrap();
    assert_eq!(body.get("parameters"), None, "{body}");
    // Polls say what is polled for.
    let slow = world.made_slowly("slow").await;
    let polls = world
        .broker
        .wait_for((Verb::PollInstance, &*slow), 1)
        .await
        .unwrap();
    for poll in polls {
        assert_eq!(poll.query_value("service_id").as_deref(), Some(SERVICE));
        assert_eq!(poll.query_value("plan_id").as_deref(), Some(ASYNC_PLAN));
        assert!(
            poll.query_value("operation")
                .unwrap()
                .starts_with("operation-")
        );
        assert_eq!(poll.header("x-broker-api-version"), Some("2.17"));
        assert!(poll.header("x-broker-api-request-identity").is_some());
    }
}

async fn a_plan_is_found_by_its_names(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let names = |offering: &str, plan: &str| json!({"name": "n", "service_offering_name": offering, "service_plan_name": plan});
    let made = person
        .create("", &names("hostile", "sync"))
        .await
        .expect(201);
    assert_eq!(made["service_plan_id"], world.sync.as_str());
    let before = world.asked();
    for (offering, plan) in [("hostile", "none"), ("none", "sync"), ("Hostile", "sync")] {
        let refused = person.create("", &names(offering, plan)).await;
        plain(refused, 400, "BadRequest", &[offering, plan]);
    }
    // Two of them: nobody can say which.
    let other = brokers::broker().await;
    brokers::register(&world.manager.admin(), "other", &other).await;
    let refused = person.create("", &names("hostile", "sync")).await;
    plain(refused, 400, "BadRequest", &["service_plan_id"]);
    assert_eq!(world.asked(), before);
}

async fn what_cannot_be_is_refused_before_the_broker_is_called(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let before = world.asked();
    let long = "x".repeat(2000);
    let cases = [
        (json!({"id": "mine"}), 400, "BadRequest", "id"),
        (json!({"shared": true}), 400, "BadRequest", "shared"),
        (
            json!({"referenced_instance_id": "x"}),
            400,
            "BadRequest",
            "parameters",
        ),
        (
            json!({"platform_id": "k8s"}),
            400,
            "InvalidTransfer",
            "service-manager",
        ),
        (json!({"name": ""}), 400, "BadRequest", "name"),
        (json!({"name": long}), 400, "BadRequest", "name"),
        (json!({"name": "a\u{0}b"}), 400, "BadRequest", "name"),
        (json!({"name": null}), 400, "BadRequest", "name"),
        (
            json!({"service_plan_id": "nowhere"}),
            404,
            "NotFound",
            "service_plans",
        ),
        (
            json!({"service_plan_id": ""}),
            400,
            "BadRequest",
            "service_plan_id",
        ),
        (
            json!({"service_offering_name": "hostile"}),
            400,
            "BadRequest",
            "service_plan_id",
        ),
        (
            json!({"service_plan_name": "sync"}),
            400,
            "BadRequest",
            "service_plan_id",
        ),
        (
            json!({"service_plan_id": null, "service_plan_name": "sync"}),
            400,
            "BadRequest",
            "service_offering_name",
        ),
        (
            json!({"service_plan_id": null, "service_offering_name": "x"}),
            400,
            "BadRequest",
            "service_plan_name",
        ),
        (
            json!({"parameters": "text"}),
            400,
            "BadRequest",
            "parameters",
        ),
        (json!({"parameters": [1]}), 400, "BadRequest", "parameters"),
        (json!({"labels": []}), 400, "BadRequest", "labels"),
    ];
    for (more, status, word, says) in cases {
        let mut wish = world.wish("n");
        for (field, value) in more.as_object().unwrap() {
            wish[field] = value.clone();
        }
        for query in ["", "?async=true"] {
            plain(person.create(query, &wish).await, status, word, &[says]);
        }
    }
    let json = [("content-type", "application/json")];
    let twice = format!(
        r#"{{"name":"n","service_plan_id":"{}","parameters":{{"a":1,"a":2}}}}"#,
        world.sync
    );
    let answer = person
        .0
        .send(http::Method::POST, INSTANCES, &json, twice)
        .await;
    plain(answer, 400, "BadRequest", &["duplicate key"]);
    assert_eq!(world.asked(), before, "the broker heard of it");
    assert!(world.recorded().await.is_empty());
}

async fn parameters_are_held_against_the_schema_first(engine: Engine) {
    let schema = json!({"parameters": {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "type": "object",
        "required": ["size"],
        "properties": {"size": {"type": "integer", "maximum": 5}, "password": {"type": "string", "maxLength": 3}},
        "additionalProperties": false,
    }});
    let mut catalog = standard();
    for plan in catalog["services"][0]["plans"].as_array_mut().unwrap() {
        plan["schemas"] = json!({
            "service_instance": {"create": schema, "update": schema},
            "service_binding": {"create": schema},
        });
    }
    let world = World::with_catalog(quick(engine), &catalog).await;
    let person = world.person();
    let before = world.asked();
    let wish = |parameters: &Value| {
        let mut wish = world.wish("n");
        wish["parameters"] = parameters.clone();
        wish
    };
    let bad = [
        (json!({"size": "hunter2"}), "/size"),
        (json!({"size": 6}), "/size"),
        (json!({"size": 1, "password": "hunter2"}), "/password"),
        (json!({}), "size"),
        (json!({"size": 1, "colour": "hunter2"}), "colour"),
    ];
    for (parameters, place) in &bad {
        let refused = person.create("?async=true", &wish(parameters)).await;
        let words = plain(refused, 400, "BadRequest", &[place, "sync"]);
        assert!(!words.contains("hunter2"), "{words}");
    }
    plain(
        person.create("", &world.wish("n")).await,
        400,
        "BadRequest",
        &["size"],
    );
    assert_eq!(world.asked(), before, "the broker heard of it");
    let made = person
        .create("", &wish(&json!({"size": 1})))
        .await
        .expect(201);
    let before = world.asked();
    for (parameters, place) in &bad {
        let refused = person
            .change(&id(&made), &json!({"parameters": parameters}))
            .await;
        plain(refused, 400, "BadRequest", &[place]);
        let bind =
            json!({"name": "b", "service_instance_id": made["id"], "parameters": parameters});
        let refused = person.0.post(super::world::BINDINGS, &bind).await;
        plain(refused, 400, "BadRequest", &[place]);
    }
    assert_eq!(world.asked(), before, "the broker heard of it");
    let good = json!({"parameters": {"size": 2}});
    person.change(&id(&made), &good).await.expect(200);
}

async fn what_failed_in_the_request_leaves_nothing(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let said = json!({"error": "Odd", "description": "no such size"});
    for (n, query) in ["", "?async=false"].into_iter().enumerate() {
        world
            .broker
            .on(Verb::Provision)
            .times(1)
            .then(Fault::answer(400, said.clone()));
        let answer = person.create(query, &world.wish("n")).await;
        let broker = answer.body["broker_error"].clone();
        plain(answer, 502, "BrokerError", &["400"]);
        assert_eq!(broker["StatusCode"], 400);
        assert_eq!(broker["ErrorMessage"], "Odd");
        assert_eq!(broker["Description"], "no such size");
        assert!(broker.get("ResponseError").is_none_or(Value::is_null));
        assert_eq!(
            world.broker.calls_of(Verb::Provision).len(),
            n + 1,
            "it is sent once"
        );
    }
    assert!(world.agree().await.is_empty());
    assert!(world.broker.calls_of(Verb::Deprovision).is_empty());
    // The name is free.
    person.create("", &world.wish("n")).await.expect(201);
}

async fn what_failed_in_the_background_stays_to_be_seen(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let said = json!({"error": "Odd", "description": "no such size"});
    world
        .broker
        .on(Verb::Provision)
        .times(1)
        .then(Fault::answer(400, said));
    let location = person
        .create("?async=true", &world.wish("n"))
        .await
        .location();
    let operation = person.bad_end(&location).await;
    assert!(
        text(&operation["errors"], "description").contains("400"),
        "{operation:#}"
    );
    assert_eq!(operation["broker_error"]["Description"], "no such size");
    let id = id_in(&location);
    let shown = person.instance(&id).await.expect(200);
    assert_eq!(
        (&shown["ready"], &shown["usable"]),
        (&json!(false), &json!(false))
    );
    assert_eq!(shown["state"], "create failed");
    assert!(text(&shown, "message").contains("Delete it"), "{shown:#}");
    assert_eq!(
        shown["last_operation"]["broker_error"]["ErrorMessage"],
        "Odd"
    );
    // It cannot be changed, bound or tried again; it can be deleted, without the broker if nobody was told of it.
    let refused = person.change(&id, &json!({"name": "m"})).await;
    plain(refused, 403, "UpdateOperationIsNotAllowed", &["delete it"]);
    plain(
        person.bind("", &id, "b").await,
        422,
        "OperationInProgress",
        &["delete it"],
    );
    plain(
        person.repair(&id, "retry").await,
        422,
        "UnprocessableEntity",
        &["delete it"],
    );
    plain(
        person.create("", &world.wish("n")).await,
        409,
        "Conflict",
        &["name"],
    );
    person.delete(&id).await.expect(200);
    person.instance(&id).await.refused(404, "NotFound");
    person.create("", &world.wish("n")).await.expect(201);
    world.agree().await;
}
