//! An instance is changed: the broker is called only for what is its own, and is sent only what was asked for.

use super::world::{INSTANCES, World, id_in, plain, quick, standard};
use crate::harness::answer::{id, text};
use crate::harness::{Engine, Platform};
use qm_testkit::hostile::{ASYNC_PLAN, Call, Fault, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    labels_alone_are_the_managers,
    a_name_goes_to_brokers_that_want_it,
    only_what_was_asked_for_is_sent,
    a_plan_change_is_polled_with_the_old_plan,
    the_dashboard_stays_until_another_is_said,
    what_cannot_be_changed_is_refused,
    one_change_at_a_time,
    an_instance_of_a_platform_is_labelled_only,
    a_broker_with_another_catalog_is_asked_for_it,
);

/// The last update that the broker got, and its body.
fn update(world: &World) -> (Call, Value) {
    let call = world.broker.calls_of(Verb::Update).pop().unwrap();
    let body = call.body.clone().unwrap();
    (call, body)
}

async fn labels_alone_are_the_managers(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let before = world.asked();
    for (change, wanted) in [
        (
            json!([{"op": "add", "key": "team", "values": ["a"]}]),
            json!({"team": ["a"]}),
        ),
        (
            json!([{"op": "add_values", "key": "team", "values": ["b"]}]),
            json!({"team": ["a", "b"]}),
        ),
        (
            json!([{"op": "remove_values", "key": "team", "values": ["a"]}]),
            json!({"team": ["b"]}),
        ),
        (
            json!([{"op": "remove", "key": "team", "values": null}]),
            Value::Null,
        ),
    ] {
        let changed = person
            .change(&made, &json!({"labels": change}))
            .await
            .expect(200);
        assert_eq!(changed["labels"], wanted);
        assert_eq!(changed["last_operation"]["type"], "update");
    }
    person.change(&made, &json!({})).await.expect(200);
    // What the operator always sends along.
    let same = json!({"ready": false, "usable": false, "name": "n", "service_plan_id": world.sync});
    let changed = person.change(&made, &same).await.expect(200);
    assert_eq!(
        (&changed["ready"], &changed["usable"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(world.asked(), before, "the broker was asked");
    // Asked for in the background, it is done all the same.
    let path = format!("{INSTANCES}/{made}?async=true");
    let labels = json!({"labels": [{"op": "add", "key": "x", "values": ["y"]}]});
    let location = person.0.patch(&path, &labels).await.location();
    person.good_end(&location).await;
    assert_eq!(
        person.instance(&made).await.expect(200)["labels"],
        json!({"x": ["y"]})
    );
    assert_eq!(world.asked(), before);
}

async fn a_name_goes_to_brokers_that_want_it(engine: Engine) {
    let world = World::start(engine).await;
    let made = world.made("n").await;
    let changed = world
        .person()
        .change(&made, &json!({"name": "m"}))
        .await
        .expect(200);
    assert_eq!(
        (&changed["name"], &changed["context"]["instance_name"]),
        (&json!("m"), &json!("m"))
    );
    let (_, body) = update(&world);
    assert_eq!(body["context"]["instance_name"], "m");
    for absent in ["parameters", "plan_id", "maintenance_info"] {
        assert_eq!(body.get(absent), None, "{absent}: {body}");
    }
    let world = World::with_offering(engine, "allow_context_updates", json!(false)).await;
    let made = world.made("n").await;
    let changed = world
        .person()
        .change(&made, &json!({"name": "m"}))
        .await
        .expect(200);
    assert_eq!(changed["name"], "m");
    assert!(world.broker.calls_of(Verb::Update).is_empty());
}

async fn only_what_was_asked_for_is_sent(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let mut wish = world.wish("n");
    wish["parameters"] = json!({"a": 1, "b": 2});
    let made = id(&person.create("", &wish).await.expect(201));
    person
        .change(&made, &json!({"parameters": {"b": 3}}))
        .await
        .expect(200);
    let (call, body) = update(&world);
    assert_eq!(body["parameters"], json!({"b": 3}), "P13");
    assert_eq!(body["service_id"], SERVICE);
    assert_eq!(body.get("plan_id"), None, "{body}");
    assert_eq!(body["previous_values"]["plan_id"], SYNC_PLAN);
    assert_eq!(body["context"]["instance_name"], "n");
    assert_eq!(
        call.query_value("accepts_incomplete").as_deref(),
        Some("true")
    );
    assert_eq!(call.header("x-broker-api-version"), Some("2.17"));
    let info = json!({"maintenance_info": {"version": "1.0.0"}});
    let changed = person.change(&made, &info).await.expect(200);
    assert_eq!(changed["maintenance_info"], json!({"version": "1.0.0"}));
    let (_, body) = update(&world);
    assert_eq!(body["maintenance_info"], json!({"version": "1.0.0"}));
    assert_eq!(body.get("parameters"), None, "{body}");
    // All at once.
    let all = json!({"name": "m", "service_plan_id": world.slow, "parameters": {"c": 1},
        "labels": [{"op": "add", "key": "k", "values": ["v"]}]});
    let changed = person.change(&made, &all).await.expect(200);
    assert_eq!(
        (&changed["name"], &changed["labels"]),
        (&json!("m"), &json!({"k": ["v"]}))
    );
    assert_eq!(changed["service_plan_id"], world.slow.as_str());
    assert_eq!(update(&world).1["plan_id"], ASYNC_PLAN);
    world.agree().await;
}

async fn a_plan_change_is_polled_with_the_old_plan(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    world
        .broker
        .on(Verb::PollInstance)
        .times(2)
        .then(Fault::state("in progress"));
    let before = world.broker.calls_of(Verb::PollInstance).len();
    let change = json!({"service_plan_id": world.sync});
    let location = person.change(&made, &change).await.location();
    // Until it is confirmed the old one counts.
    let shown = person.instance(&made).await.expect(200);
    if shown["last_operation"]["state"] == "in progress" {
        assert_eq!(shown["service_plan_id"], world.slow.as_str());
        assert_eq!(shown["state"], "updating");
    }
    person.good_end(&location).await;
    let polls = world.broker.calls_of(Verb::PollInstance).split_off(before);
    assert!(polls.len() >= 3, "{polls:#?}");
    for poll in polls {
        assert_eq!(
            poll.query_value("plan_id").as_deref(),
            Some(ASYNC_PLAN),
            "P8"
        );
    }
    let shown = person.instance(&made).await.expect(200);
    assert_eq!(
        (&shown["service_plan_id"], &shown["state"]),
        (&json!(world.sync), &json!("ready"))
    );
    // Waited for in the request.
    let back = format!("{INSTANCES}/{made}?async=false");
    let changed = person
        .0
        .patch(&back, &json!({"service_plan_id": world.slow}))
        .await
        .expect(200);
    assert_eq!(changed["service_plan_id"], world.slow.as_str());
    world.agree().await;
}

async fn the_dashboard_stays_until_another_is_said(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let first = person.instance(&made).await.expect(200)["dashboard_url"].clone();
    let change = json!({"parameters": {"a": 1}});
    for said in [json!({}), json!({"dashboard_url": null})] {
        world
            .broker
            .on(Verb::Update)
            .times(1)
            .then(Fault::edit(said));
        let changed = person.change(&made, &change).await.expect(200);
        assert_eq!(changed["dashboard_url"], first, "P15");
    }
    let other = json!({"dashboard_url": "https://other.example/"});
    world
        .broker
        .on(Verb::Update)
        .times(1)
        .then(Fault::edit(other));
    let changed = person.change(&made, &change).await.expect(200);
    assert_eq!(changed["dashboard_url"], "https://other.example/");
    // A caller cannot set it.
    let changed = person
        .change(&made, &json!({"dashboard_url": "https://evil.example/"}))
        .await;
    assert_eq!(
        changed.expect(200)["dashboard_url"],
        "https://other.example/"
    );
}

async fn what_cannot_be_changed_is_refused(engine: Engine) {
    let mut catalog = standard();
    catalog["services"][0]["plan_updateable"] = json!(false);
    let mut other = catalog["services"][0].clone();
    other["id"] = json!("other-service");
    other["name"] = json!("other");
    for (n, plan) in other["plans"]
        .as_array_mut()
        .unwrap()
        .iter_mut()
        .enumerate()
    {
        plan["id"] = json!(format!("other-plan-{n}"));
        plan["name"] = json!(format!("other-{n}"));
    }
    catalog["services"].as_array_mut().unwrap().push(other);
    let world = World::with_catalog(quick(engine), &catalog).await;
    let person = world.person();
    let made = world.made("n").await;
    let before = world.asked();
    let page = crate::harness::query(
        "/v1/service_plans",
        &[("fieldQuery", "catalog_name eq 'other-0'")],
    );
    let elsewhere = crate::harness::answer::items(&person.0.get(&page).await.expect(200));
    let elsewhere = id(&elsewhere[0]);
    let cases = [
        (json!({"id": "x"}), 400, "BadRequest", "id"),
        (
            json!({"shared": true, "name": "x"}),
            400,
            "BadRequest",
            "shared",
        ),
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
            "platform_id",
        ),
        (json!({"name": ""}), 400, "BadRequest", "name"),
        (
            json!({"service_plan_id": "nowhere"}),
            404,
            "NotFound",
            "service_plans",
        ),
        (
            json!({"service_plan_id": world.slow}),
            400,
            "BadRequest",
            "plan_updateable",
        ),
        (
            json!({"service_plan_id": elsewhere}),
            400,
            "BadRequest",
            "offering",
        ),
        (json!({"labels": {"a": ["b"]}}), 400, "BadRequest", "labels"),
        (
            json!({"labels": [{"op": "add", "key": "x y", "values": ["v"]}]}),
            400,
            "BadRequest",
            "",
        ),
        (json!({"parameters": 7}), 400, "BadRequest", "parameters"),
    ];
    for (change, status, word, says) in cases {
        plain(person.change(&made, &change).await, status, word, &[says]);
    }
    assert_eq!(world.asked(), before, "the broker was asked");
    // Parameters may change all the same (P6).
    person
        .change(&made, &json!({"parameters": {"a": 1}}))
        .await
        .expect(200);
}

async fn one_change_at_a_time(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    let change = json!({"parameters": {"a": 1}});
    let location = person.change(&made, &change).await.location();
    let operation = location.rsplit('/').next().unwrap().to_owned();
    for other in [
        json!({"parameters": {"a": 2}}),
        json!({"name": "m"}),
        json!({"labels": [{"op": "add", "key": "k", "values": ["v"]}]}),
    ] {
        let refused = person.change(&made, &other).await;
        plain(
            refused,
            422,
            "ConcurrentOperationInProgress",
            &[&operation, "wait"],
        );
    }
    for how in ["retry", "rollback", "undelete"] {
        plain(
            person.repair(&made, how).await,
            422,
            "UnprocessableEntity",
            &[],
        );
    }
    world.broker.behave();
    person.good_end(&location).await;
    person.change(&made, &json!({"name": "m"})).await.location();
    assert_eq!(world.broker.instances()[0].parameters, json!({"a": 1}));
    world.agree().await;
    // Two at once: one is told to wait, or comes second.
    let quick = world.made("quick").await;
    world
        .broker
        .on(Verb::Update)
        .times(1)
        .then(Fault::slow(300));
    let other = json!({"parameters": {"a": 2}});
    let (first, second) = tokio::join!(
        person.change(&quick, &change),
        person.change(&quick, &other)
    );
    let mut statuses = [first.status, second.status];
    statuses.sort_unstable();
    assert!([[200, 200], [200, 422]].contains(&statuses), "{statuses:?}");
    world.agree().await;
}

async fn an_instance_of_a_platform_is_labelled_only(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let platform = Platform::register(&world.manager, "k", "kubernetes").await;
    let door = format!("/v1/osb/{}/v2/service_instances/theirs", world.broker_id);
    let body = json!({"service_id": SERVICE, "plan_id": SYNC_PLAN, "organization_guid": "o", "space_guid": "s",
        "context": {"platform": "kubernetes", "namespace": "n", "clusterid": "c"}});
    platform.client().put(&door, &body).await.expect(201);
    let before = world.asked();
    for change in [json!({"name": "x"}), json!({"parameters": {"a": 1}})] {
        plain(person.change("theirs", &change).await, 404, "NotFound", &[]);
    }
    let labels = json!({"labels": [{"op": "add", "key": "k", "values": ["v"]}]});
    let changed = person.change("theirs", &labels).await.expect(200);
    assert_eq!(changed["labels"], json!({"k": ["v"]}));
    plain(person.bind("", "theirs", "b").await, 404, "NotFound", &[]);
    assert_eq!(world.asked(), before);
    // It may be deleted, and the broker is asked once.
    person.delete("theirs").await.expect(200);
    assert_eq!(world.broker.calls_of(Verb::Deprovision).len(), 1);
    world.agree().await;
}

async fn a_broker_with_another_catalog_is_asked_for_it(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let before = world.broker.calls_of(Verb::Catalog).len();
    // It has a new version that nobody here knows of.
    let mut catalog = standard();
    for plan in catalog["services"][0]["plans"].as_array_mut().unwrap() {
        plan["maintenance_info"] = json!({"version": "2.0.0"});
    }
    world
        .broker
        .set_catalog(crate::harness::brokers::read(&catalog));
    let refused = person.create("", &world.wish("n")).await;
    plain(refused, 502, "BrokerError", &["MaintenanceInfoConflict"]);
    world
        .broker
        .wait_for(Verb::Catalog, before + 1)
        .await
        .unwrap();
    crate::harness::eventually("the new catalog is known", async || {
        let answer = person.create("", &world.wish("n")).await;
        (answer.status == 201).then_some(())
    })
    .await;
    assert!(world.broker.calls_of(Verb::Deprovision).is_empty());
    let made = person
        .create("?async=true", &world.wish("m"))
        .await
        .location();
    let shown = {
        person.good_end(&made).await;
        person.instance(&id_in(&made)).await.expect(200)
    };
    assert_eq!(text(&shown["maintenance_info"], "version"), "2.0.0");
}
