//! A binding is made, shown, renamed and deleted.

use super::world::{BINDINGS, World, id_in, plain};
use crate::harness::Engine;
use crate::harness::answer::{id, items, text};
use qm_testkit::hostile::{ASYNC_PLAN, Fault, SERVICE, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    a_binding_comes_with_its_credentials,
    credentials_of_slow_bindings_are_fetched,
    a_binding_without_credentials_is_none,
    everything_a_broker_says_of_a_binding_is_shown,
    what_cannot_be_bound_is_refused,
    an_instance_that_is_not_ready_cannot_be_bound,
    only_name_and_labels_of_a_binding_change,
    a_binding_is_deleted_as_long_as_the_caller_waits,
    brokers_that_cannot_be_asked_are_not_told_to_take_their_time,
);

async fn a_binding_comes_with_its_credentials(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let wish = json!({"name": "b", "service_instance_id": made, "parameters": {"role": "x"},
        "bind_resource": {"app_guid": "app"}, "labels": {"_k8sname": ["b"]}, "credentials": {"evil": 1}});
    let bound = person.0.post(BINDINGS, &wish).await.expect(201);
    let id = id(&bound);
    let credentials =
        json!({"username": id, "password": format!("secret-of-{id}"), "instance": made});
    assert_eq!(bound["credentials"], credentials);
    assert_eq!(bound["name"], "b");
    assert_eq!(bound["service_instance_id"], made.as_str());
    assert_eq!(bound["ready"], true);
    assert_eq!(bound["bind_resource"], json!({"app_guid": "app"}));
    assert_eq!(bound["labels"], json!({"_k8sname": ["b"]}));
    assert_eq!(bound["last_operation"]["state"], "succeeded");
    let calls = world.broker.calls_of(Verb::Bind);
    assert_eq!(calls.len(), 1);
    let body = calls[0].body.as_ref().unwrap();
    assert_eq!(
        (&body["service_id"], &body["plan_id"]),
        (&json!(SERVICE), &json!(SYNC_PLAN))
    );
    assert_eq!(body["parameters"], json!({"role": "x"}));
    assert_eq!(body["bind_resource"], json!({"app_guid": "app"}));
    assert_eq!(body["context"]["platform"], "service-manager");
    assert_eq!(body["context"]["instance_name"], "n");
    assert_eq!(calls[0].header("x-broker-api-version"), Some("2.17"));
    assert_eq!(calls[0].binding.as_deref(), Some(id.as_str()));
    let shown = person.binding(&id).await.expect(200);
    assert_eq!(shown["credentials"], credentials);
    let page = person.0.get(BINDINGS).await.expect(200);
    assert_eq!(items(&page)[0]["credentials"], credentials);
    world.agree().await;
}

async fn credentials_of_slow_bindings_are_fetched(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    for (query, name) in [("", "a"), ("?async=true", "b")] {
        let location = person.bind(query, &made, name).await.location();
        assert!(location.starts_with(BINDINGS), "{location}");
        let operation = person.good_end(&location).await;
        assert_eq!(operation["resource_type"], BINDINGS);
        let id = id_in(&location);
        let shown = person.binding(&id).await.expect(200);
        assert_eq!(
            shown["credentials"]["password"],
            format!("secret-of-{id}"),
            "P18"
        );
        assert_eq!(shown["ready"], true);
    }
    let waited = person.bind("?async=false", &made, "c").await.expect(201);
    assert_eq!(waited["credentials"]["username"], waited["id"]);
    let fetches = world.broker.calls_of(Verb::FetchBinding);
    assert_eq!(fetches.len(), 3, "one each");
    for poll in world.broker.calls_of(Verb::PollBinding) {
        assert_eq!(poll.query_value("plan_id").as_deref(), Some(ASYNC_PLAN));
        assert_eq!(poll.query_value("service_id").as_deref(), Some(SERVICE));
    }
    // The first asking may fail.
    world
        .broker
        .on(Verb::FetchBinding)
        .times(2)
        .then(Fault::status(503));
    let late = person.bind("?async=false", &made, "d").await.expect(201);
    assert_eq!(late["credentials"]["username"], late["id"]);
    assert_eq!(world.agree().await.len(), 5);
}

async fn a_binding_without_credentials_is_none(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made_slowly("n").await;
    for fault in [Fault::status(404), Fault::status(400), Fault::NotJson] {
        world
            .broker
            .on(Verb::FetchBinding)
            .times(1)
            .then(fault.clone());
        let location = person.bind("", &made, "b").await.location();
        let operation = person.bad_end(&location).await;
        let why = text(&operation["errors"], "description");
        assert!(why.contains("credentials"), "{fault:?}: {operation:#}");
        world.settled().await;
        let unbound = world.broker.calls_of(Verb::Unbind);
        assert!(
            unbound
                .iter()
                .any(|call| call.binding == Some(id_in(&location)))
        );
        person.unbind(&id_in(&location)).await.expect(200);
    }
    assert_eq!(world.agree().await, [made]);
}

async fn everything_a_broker_says_of_a_binding_is_shown(engine: Engine) {
    let mut catalog = super::world::standard();
    catalog["services"][0]["requires"] =
        json!(["syslog_drain", "route_forwarding", "volume_mount"]);
    let world = World::with_catalog(super::world::quick(engine), &catalog).await;
    let made = world.made("n").await;
    let said = json!({
        "syslog_drain_url": "syslog://h:1",
        "route_service_url": "https://r",
        "volume_mounts": [{"driver": "d", "container_dir": "/c", "mode": "r", "device_type": "shared",
            "device": {"volume_id": "v"}}],
        "endpoints": [{"host": "h", "ports": ["1", "2-3"], "protocol": "tcp"}],
        "metadata": {"expires_at": "2030-01-01T00:00:00.0Z"},
    });
    world
        .broker
        .on(Verb::Bind)
        .times(1)
        .then(Fault::edit(said.clone()));
    let bound = world.person().bind("", &made, "b").await.expect(201);
    for answer in [
        bound.clone(),
        world.person().binding(&id(&bound)).await.expect(200),
    ] {
        for field in [
            "syslog_drain_url",
            "route_service_url",
            "volume_mounts",
            "endpoints",
        ] {
            assert_eq!(answer[field], said[field], "{field}: {answer:#}");
        }
    }
    let viewer = world.somebody("vera", "viewer", None).await;
    let seen = viewer.binding(&id(&bound)).await.expect(200);
    for field in [
        "credentials",
        "syslog_drain_url",
        "route_service_url",
        "volume_mounts",
    ] {
        assert_eq!(seen.get(field), None, "{field}: {seen:#}");
    }
}

async fn what_cannot_be_bound_is_refused(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let before = world.asked();
    let cases = [
        (json!({"id": "x"}), 400, "BadRequest", "id"),
        (json!({"name": ""}), 400, "BadRequest", "name"),
        (json!({"name": null}), 400, "BadRequest", "name"),
        (
            json!({"service_instance_id": null}),
            400,
            "BadRequest",
            "service_instance_id",
        ),
        (
            json!({"service_instance_id": "none"}),
            404,
            "NotFound",
            "service_instances",
        ),
        (
            json!({"parameters": "text"}),
            400,
            "BadRequest",
            "parameters",
        ),
    ];
    for (more, status, word, says) in cases {
        let mut wish = json!({"name": "b", "service_instance_id": made});
        for (field, value) in more.as_object().unwrap() {
            wish[field] = value.clone();
        }
        plain(person.0.post(BINDINGS, &wish).await, status, word, &[says]);
    }
    assert_eq!(world.asked(), before);
    let world = World::with_offering(engine, "bindable", json!(false)).await;
    let made = world.made("n").await;
    let before = world.asked();
    plain(
        world.person().bind("", &made, "b").await,
        400,
        "BadRequest",
        &["bindable"],
    );
    assert_eq!(world.asked(), before);
}

async fn an_instance_that_is_not_ready_cannot_be_bound(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    let location = person.create("", &world.slow_wish("n")).await.location();
    let id = id_in(&location);
    let refused = person.bind("", &id, "b").await;
    let operation = location.rsplit('/').next().unwrap();
    plain(refused, 422, "OperationInProgress", &["created", operation]);
    world.broker.behave();
    person.good_end(&location).await;
    // While it is changed it may be bound; a broker that is busy is asked again.
    world
        .broker
        .on(Verb::PollInstance)
        .times(3)
        .then(Fault::state("in progress"));
    let change = person
        .change(&id, &json!({"parameters": {"a": 1}}))
        .await
        .location();
    let bound = person.bind("", &id, "b").await.location();
    person.good_end(&change).await;
    person.good_end(&bound).await;
    person.unbind(&id_in(&bound)).await.location();
    world.agree().await;
    world
        .broker
        .on(Verb::PollInstance)
        .always()
        .then(Fault::state("in progress"));
    let location = person.delete(&id).await.location();
    let operation = location.rsplit('/').next().unwrap();
    let refused = person.bind("", &id, "c").await;
    plain(refused, 422, "OperationInProgress", &["deleted", operation]);
    world.broker.behave();
    person.good_end(&location).await;
    assert!(world.agree().await.is_empty());
}

async fn only_name_and_labels_of_a_binding_change(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let made = world.made("n").await;
    let bound = world.bound(&made, "b").await;
    let path = format!("{BINDINGS}/{bound}");
    let before = world.asked();
    let change =
        json!({"name": "c", "labels": [{"op": "add", "key": "_k8sname", "values": ["c"]}]});
    let changed = person.0.patch(&path, &change).await.expect(200);
    assert_eq!(
        (&changed["name"], &changed["labels"]),
        (&json!("c"), &json!({"_k8sname": ["c"]}))
    );
    let rotated = json!({"labels": [{"op": "remove", "key": "_k8sname", "values": null}]});
    let changed = person.0.patch(&path, &rotated).await.expect(200);
    assert_eq!(changed.get("labels"), None, "{changed}");
    for (change, word) in [
        (json!({"id": "x"}), "BadRequest"),
        (json!({"service_instance_id": "x"}), "InvalidRequest"),
        (json!({"parameters": {"a": 1}}), "InvalidRequest"),
        (json!({"bind_resource": {"a": 1}}), "InvalidRequest"),
    ] {
        plain(person.0.patch(&path, &change).await, 400, word, &[]);
    }
    let later = person
        .0
        .patch(&format!("{path}?async=true"), &json!({"name": "d"}))
        .await;
    plain(later, 400, "InvalidRequest", &["async"]);
    assert_eq!(world.asked(), before, "the broker was asked");
    let shown = person.binding(&bound).await.expect(200);
    assert_eq!(
        shown["credentials"]["username"],
        bound.as_str(),
        "they stay"
    );
}

async fn a_binding_is_deleted_as_long_as_the_caller_waits(engine: Engine) {
    let world = World::start(engine).await;
    let person = world.person();
    let (quick, slow) = (world.made("quick").await, world.made_slowly("slow").await);
    for (instance, query, status) in [
        (&quick, "", 200),
        (&quick, "?async=false", 200),
        (&quick, "?async=true", 202),
        (&slow, "", 202),
        (&slow, "?async=false", 200),
        (&slow, "?async=true", 202),
    ] {
        let bound = person.bind("?async=false", instance, "b").await.expect(201);
        let path = format!("{BINDINGS}/{}", id(&bound));
        let answer = person.0.delete(&format!("{path}{query}")).await;
        assert_eq!(answer.status, status, "{query}: {answer:#?}");
        assert_eq!(answer.body, json!({}));
        if status == 202 {
            person.good_end(&answer.location()).await;
        }
        person.0.get(&path).await.refused(404, "NotFound");
        let call = world.broker.calls_of(Verb::Unbind).pop().unwrap();
        assert_eq!(call.query_value("service_id").as_deref(), Some(SERVICE));
        assert!(call.query_value("plan_id").is_some());
    }
    // Gone at the broker already.
    let bound = person.bind("", &quick, "b").await.expect(201);
    world
        .broker
        .on(Verb::Unbind)
        .times(1)
        .then(Fault::work_then(Fault::status(410)));
    person.unbind(&id(&bound)).await.expect(200);
    assert_eq!(world.agree().await.len(), 2);
}

async fn brokers_that_cannot_be_asked_are_not_told_to_take_their_time(engine: Engine) {
    let world = World::with_offering(engine, "bindings_retrievable", json!(false)).await;
    let person = world.person();
    let made = world.made("n").await;
    let bound = world.bound(&made, "b").await;
    let parameters = person
        .0
        .get(&format!("{BINDINGS}/{bound}/parameters"))
        .await;
    plain(parameters, 400, "BadRequest", &["bindings_retrievable"]);
    person.unbind(&bound).await.expect(200);
    for verb in [Verb::Bind, Verb::Unbind] {
        let call = world.broker.calls_of(verb).pop().unwrap();
        let asked = call.query_value("accepts_incomplete");
        assert_ne!(asked.as_deref(), Some("true"), "{call:?}");
    }
    assert!(world.broker.calls_of(Verb::FetchBinding).is_empty());
    let _: Value = person.instance(&made).await.expect(200);
    world.agree().await;
}
