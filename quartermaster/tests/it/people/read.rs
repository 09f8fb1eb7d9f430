//! What is shown of instances, bindings and operations, and how it is found.

use super::world::{BINDINGS, INSTANCES, World, id_in, plain};
use crate::harness::answer::{fields, id, items, text};
use crate::harness::{Engine, eventually, query};
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    a_list_has_last_operations_when_asked,
    what_an_operator_has_lost_is_found_by_its_context,
    pages_go_on_by_the_last_token,
    an_operation_tells_its_story,
    what_the_broker_says_meanwhile_is_told,
    what_is_not_there_is_said,
    parameters_are_the_brokers_word,
);

async fn a_list_has_last_operations_when_asked(engine: Engine) {
    let world = World::start(engine).await;
    let made = world.made("n").await;
    world.bound(&made, "b").await;
    for path in [INSTANCES, BINDINGS] {
        let plain = items(&world.person().0.get(path).await.expect(200));
        assert_eq!(plain[0].get("last_operation"), None, "{path}: {plain:?}");
        let with = query(path, &[("attach_last_operations", "true")]);
        let with = items(&world.person().0.get(&with).await.expect(200));
        let last = &with[0]["last_operation"];
        assert_eq!(last["type"], "create", "{path}: {with:?}");
        assert_eq!(last["state"], "succeeded");
        assert_eq!(last["resource_id"], with[0]["id"]);
        let one = world
            .person()
            .0
            .get(&format!("{path}/{}", id(&with[0])))
            .await
            .expect(200);
        assert_eq!(one["last_operation"]["id"], last["id"]);
    }
    let instances = query(INSTANCES, &[("attach_last_operations", "true")]);
    let page = world.person().0.get(&instances).await.expect(200);
    assert_eq!(items(&page)[0]["state"], "ready");
    // The last one is the last one.
    world
        .person()
        .change(&made, &json!({"name": "m"}))
        .await
        .expect(200);
    let page = world.person().0.get(&instances).await.expect(200);
    assert_eq!(items(&page)[0]["last_operation"]["type"], "update");
}

async fn what_an_operator_has_lost_is_found_by_its_context(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    for (name, cluster, namespace) in [("a", "c1", "n1"), ("b", "c1", "n2"), ("c", "c2", "n1")] {
        let labels = json!({"_clusterid": [cluster], "_namespace": [namespace], "_k8sname": [name], "team": ["x"]});
        let mut wish = world.wish(name);
        wish["labels"] = labels.clone();
        let made = person.create("", &wish).await.expect(201);
        let bind = json!({"name": name, "service_instance_id": made["id"], "labels": labels});
        let bound = person.0.post(BINDINGS, &bind).await.expect(201);
        assert_eq!(bound["context"]["clusterid"], cluster);
        assert_eq!(bound["context"]["namespace"], namespace);
    }
    let cases: [(&str, &str, &[&str]); 7] = [
        (
            "name eq 'a' and context/clusterid eq 'c1' and context/namespace eq 'n1'",
            "",
            &["a"],
        ),
        ("context/clusterid eq 'c1'", "", &["a", "b"]),
        (
            "context/clusterid in ('c1', 'c2') and context/namespace eq 'n1'",
            "",
            &["a", "c"],
        ),
        ("context/clusterid eq 'c3'", "", &[]),
        ("ready eq true", "_k8sname eq 'b'", &["b"]),
        ("", "_clusterid eq 'c1' and _namespace eq 'n1'", &["a"]),
        ("name in ('a','c')", "team eq 'x'", &["a", "c"]),
    ];
    for path in [INSTANCES, BINDINGS] {
        for (field, label, wanted) in cases {
            let asked = query(path, &[("fieldQuery", field), ("labelQuery", label)]);
            let page = person.0.get(&asked).await.expect(200);
            assert_eq!(fields(&page, "name"), wanted, "{path} {field} {label}");
            assert_eq!(page["num_items"], wanted.len());
        }
    }
    let mine = format!(
        "service_plan_id eq '{}' and platform_id eq 'service-manager'",
        world.sync
    );
    let page = person
        .0
        .get(&query(INSTANCES, &[("fieldQuery", &mine)]))
        .await
        .expect(200);
    assert_eq!(page["num_items"], 3);
    let wrong = query(INSTANCES, &[("fieldQuery", "password eq 'x'")]);
    plain(person.0.get(&wrong).await, 400, "BadRequest", &["password"]);
}

/// The operator appends the next token to the address it used, and never removes the old one.
async fn pages_go_on_by_the_last_token(engine: Engine) {
    let world = World::start(engine).await;
    for name in ["a", "b", "c", "d", "e"] {
        world.made(name).await;
    }
    let mut path = format!("{INSTANCES}?max_items=2&attach_last_operations=true");
    let mut seen = Vec::new();
    for turn in 0.. {
        assert!(turn < 5, "it goes round: {seen:?}");
        let page = world.person().0.get(&path).await.expect(200);
        assert_eq!(page["num_items"], 5);
        seen.extend(fields(&page, "name"));
        match page["token"].as_str() {
            Some(token) if !token.is_empty() => path = format!("{path}&token={token}"),
            _ => break,
        }
    }
    seen.sort();
    assert_eq!(seen, ["a", "b", "c", "d", "e"]);
}

async fn an_operation_tells_its_story(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    world
        .broker
        .on(Verb::PollInstance)
        .times(3)
        .then(Fault::state("in progress"));
    let location = person
        .create("?async=true", &world.slow_wish("n"))
        .await
        .location();
    let under_way = crate::harness::eventually("the broker works on it", async || {
        let operation = person.0.get(&location).await.expect(200);
        (operation["reschedule"] == true && !operation["attempts"].is_null()).then_some(operation)
    })
    .await;
    assert_eq!(under_way["state"], "in progress");
    for time in ["next_attempt_at", "deadline", "reschedule_timestamp"] {
        assert!(
            text(&under_way, time).ends_with('Z'),
            "{time}: {under_way:#}"
        );
    }
    let steps = |operation: &Value| -> Vec<String> {
        let steps = operation["steps"].as_array().unwrap();
        steps.iter().map(|step| text(step, "description")).collect()
    };
    assert_eq!(steps(&under_way)[0], "accepted");
    let ended = person.good_end(&location).await;
    let told = steps(&ended);
    assert_eq!(
        (told[0].as_str(), told.last().unwrap().as_str()),
        ("accepted", "succeeded")
    );
    assert!(told.len() > 2, "{told:?}");
    assert!(
        told.iter()
            .any(|step| step.contains("the broker works on it")),
        "{told:?}"
    );
    for absent in [
        "next_attempt_at",
        "first_error",
        "broker_error",
        "errors",
        "external_id",
        "context",
    ] {
        assert_eq!(ended.get(absent), None, "{absent}: {ended:#}");
    }
    // The same by its own path, and in the list.
    let own = format!("/v1/operations/{}", id(&ended));
    assert_eq!(person.0.get(&own).await.expect(200), ended);
    let mine = format!("resource_id eq '{}'", id_in(&location));
    let page = person
        .0
        .get(&query("/v1/operations", &[("fieldQuery", &mine)]))
        .await
        .expect(200);
    assert_eq!(items(&page), std::slice::from_ref(&ended));
    // Of another resource it is not.
    let other = format!("{INSTANCES}/other/operations/{}", id(&ended));
    person.0.get(&other).await.refused(404, "NotFound");
}

async fn what_is_not_there_is_said(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let says = ["could not find such"];
    plain(person.instance("none").await, 404, "NotFound", &says);
    plain(person.binding("none").await, 404, "NotFound", &says);
    plain(
        person.change("none", &json!({"name": "x"})).await,
        404,
        "NotFound",
        &says,
    );
    plain(person.delete("none").await, 404, "NotFound", &says);
    plain(person.unbind("none").await, 404, "NotFound", &says);
    plain(person.bind("", "none", "b").await, 404, "NotFound", &says);
    for how in ["undelete", "retry", "rollback"] {
        plain(person.repair("none", how).await, 404, "NotFound", &says);
    }
    for path in [INSTANCES, BINDINGS] {
        plain(
            person.0.get(&format!("{path}/none/parameters")).await,
            404,
            "NotFound",
            &says,
        );
        let cascade = format!("{path}/none?cascade=true");
        plain(person.0.delete(&cascade).await, 404, "NotFound", &says);
        assert_eq!(person.0.delete(path).await.status, 405, "not all at once");
    }
}

async fn parameters_are_the_brokers_word(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let mut wish = world.wish("n");
    wish["parameters"] = json!({"size": 3});
    let made = id(&person.create("", &wish).await.expect(201));
    let bind = json!({"name": "b", "service_instance_id": made, "parameters": {"role": "x"}});
    let bound = id(&person.0.post(BINDINGS, &bind).await.expect(201));
    let bare = world.made("bare").await;
    let instance = format!("{INSTANCES}/{made}/parameters");
    let binding = format!("{BINDINGS}/{bound}/parameters");
    assert_eq!(
        person.0.get(&instance).await.expect(200),
        json!({"size": 3})
    );
    assert_eq!(
        person.0.get(&binding).await.expect(200),
        json!({"role": "x"})
    );
    let none = person
        .0
        .get(&format!("{INSTANCES}/{bare}/parameters"))
        .await;
    assert_eq!(none.text.trim(), "null", "{none:#?}");
    for (path, verb) in [
        (&instance, Verb::FetchInstance),
        (&binding, Verb::FetchBinding),
    ] {
        let refused = person.0.get(&format!("{path}?async=true")).await;
        plain(refused, 400, "InvalidRequest", &["async"]);
        world.broker.on(verb).times(1).then(Fault::status(404));
        plain(person.0.get(path).await, 400, "ServiceBrokerErr", &["404"]);
        for fault in [Fault::NotJson, Fault::Malformed, Fault::status(500)] {
            world.broker.on(verb).times(1).then(fault);
            assert_eq!(person.0.get(path).await.status, 502);
        }
    }
    let world = World::with_offering(engine, "instances_retrievable", json!(false)).await;
    let made = world.made("n").await;
    let before = world.asked();
    let refused = world
        .person()
        .0
        .get(&format!("{INSTANCES}/{made}/parameters"))
        .await;
    plain(refused, 400, "BadRequest", &["instances_retrievable"]);
    assert_eq!(world.asked(), before);
}

async fn what_the_broker_says_meanwhile_is_told(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let words = json!({"state": "in progress", "description": "half of it is there"});
    let polled = world.broker.on(Verb::PollInstance);
    polled.always().then(Fault::edit(words));
    let location = person.create("", &world.slow_wish("n")).await.location();
    let told = "the broker works on it. The broker said: half of it is there";
    eventually("it is told", async || {
        let operation = person.0.get(&location).await.expect(200);
        assert_eq!(operation["state"], "in progress", "{operation:#}");
        (operation["description"] == told).then_some(())
    })
    .await;
    let shown = person.instance(&id_in(&location)).await.expect(200);
    assert_eq!(shown["last_operation"]["description"], told, "{shown:#}");
    world.broker.behave();
    let operation = person.good_end(&location).await;
    assert_eq!(operation.get("description"), None, "{operation:#}");
    assert_eq!(operation.get("broker_error"), None, "{operation:#}");
}
