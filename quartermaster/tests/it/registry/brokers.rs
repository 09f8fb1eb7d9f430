//! `/v1/service_brokers`: registering, reading, changing and removing brokers.

use crate::harness::answer::{fields, id, items, text};
use crate::harness::brokers::{broker, plans, register, registration, show};
use crate::harness::{Engine, Manager, eventually, query};
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    a_broker_is_registered_and_read,
    what_is_wrong_with_a_registration_is_said,
    names_and_ids_are_unique,
    a_broker_is_changed,
    a_new_address_needs_its_credentials,
    a_broker_is_removed_with_all_that_hangs_on_it,
    brokers_are_removed_by_query,
    asynchronous_deeds_have_an_operation,
    a_failed_asynchronous_registration_stays_to_be_seen,
    one_deed_at_a_time,
    addresses_are_taken_as_people_write_them,
);

const PATH: &str = "/v1/service_brokers";

fn path(broker: &Value) -> String {
    format!("{PATH}/{}", id(broker))
}

async fn a_broker_is_registered_and_read(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let mut body = registration("db", &hostile);
    body["description"] = json!("databases");
    body["labels"] = json!({"region": ["eu", "us"], "nothing": []});
    body["ready"] = json!(false);
    body["created_at"] = json!("1999-01-01T00:00:00Z");
    body["unknown"] = json!({"field": true});

    let answer = admin.post(PATH, &body).await;
    assert_eq!(answer.header("location"), None, "no Location on a 201");
    assert_eq!(answer.header("content-type"), Some("application/json"));
    let made = answer.expect(201);
    assert_eq!(made["name"], "db");
    assert_eq!(made["description"], "databases");
    assert_eq!(made["broker_url"], hostile.url());
    assert_eq!(made["ready"], true);
    assert_eq!(made["labels"], json!({"region": ["eu", "us"]}));
    assert_eq!(made["credentials"]["basic"]["username"], "user");
    assert_eq!(made["credentials"]["basic"]["password"], "password");
    assert!(!text(&made, "created_at").starts_with("1999"));
    let operation = &made["last_operation"];
    assert_eq!(operation["type"], "create");
    assert_eq!(operation["state"], "succeeded");
    assert_eq!(operation["resource_type"], PATH);
    assert_eq!(operation["resource_id"], id(&made));
    for moment in [
        "created_at",
        "updated_at",
        "reschedule_timestamp",
        "deletion_scheduled",
    ] {
        let moment = text(operation, moment);
        assert!(moment.ends_with('Z') && moment.contains('T'), "{moment}");
    }

    // Only the answer to the registration shows the credentials.
    let read = admin.get(&path(&made)).await.expect(200);
    assert_eq!(read.get("credentials"), None);
    assert_eq!(read["name"], "db");
    assert_eq!(read["last_operation"]["state"], "succeeded");
    assert_eq!(read["last_operation"].get("context"), None);
    let page = admin.get(PATH).await.expect(200);
    assert_eq!(page["num_items"], 1);
    let listed = &items(&page)[0];
    assert_eq!(listed["id"], made["id"]);
    assert_eq!(listed.get("credentials"), None);
    assert_eq!(listed.get("last_operation"), None);
    let attached = format!("{PATH}?attach_last_operations=true");
    let attached = items(&admin.get(&attached).await.expect(200));
    assert_eq!(attached[0]["last_operation"]["id"], operation["id"]);

    // The catalog was read with the credentials and the protocol's version.
    let calls = hostile.calls_of(Verb::Catalog);
    assert_eq!(calls.len(), 1);
    let version = calls[0].header("x-broker-api-version").unwrap();
    assert!(version.starts_with("2."), "{version}");
    assert!(
        calls[0]
            .header("authorization")
            .unwrap()
            .starts_with("Basic ")
    );
    assert_eq!(plans(&admin, &made).await.len(), 2);

    let gone = admin.get(&format!("{PATH}/nobody")).await;
    assert!(gone.refused(404, "NotFound").contains(PATH));
}

async fn what_is_wrong_with_a_registration_is_said(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let good = registration("db", &hostile);
    let without = |field: &str| {
        let mut body = good.clone();
        body.as_object_mut().unwrap().remove(field);
        body
    };
    let with = |field: &str, value: Value| {
        let mut body = good.clone();
        body[field] = value;
        body
    };
    let wrong = [
        without("name"),
        without("broker_url"),
        without("credentials"),
        with("name", json!("")),
        with("name", json!("n".repeat(256))),
        with("broker_url", json!("")),
        with("broker_url", json!("not an address")),
        with("credentials", json!({})),
        with("credentials", json!({"basic": {"username": "u"}})),
        with(
            "credentials",
            json!({"basic": {"username": "u", "password": ""}}),
        ),
        with(
            "credentials",
            json!({"tls": {"client_certificate": "x", "client_key": "y"}}),
        ),
        with(
            "credentials",
            json!({"tls": {"sm_provided_tls_credentials": true}}),
        ),
        with("labels", json!({"two words": ["v"]})),
        with("labels", json!({"key": ["two\nlines"]})),
        with("labels", json!({"": ["v"]})),
        with(
            "labels",
            json!([{"op": "add", "key": "k", "values": ["v"]}]),
        ),
        with("id", json!("a/b")),
    ];
    for body in wrong {
        let answer = admin.post(PATH, &body).await;
        assert_eq!(answer.status, 400, "{body} got {answer:#?}");
        assert_eq!(answer.body["error"], "BadRequest", "{body}");
    }
    assert_eq!(admin.get(PATH).await.expect(200)["num_items"], 0);
    assert_eq!(hostile.calls().len(), 0, "a wrong body asks no broker");
}

async fn names_and_ids_are_unique(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let mut body = registration("db", &hostile);
    body["id"] = json!("chosen");
    assert_eq!(admin.post(PATH, &body).await.expect(201)["id"], "chosen");

    let again = registration("db", &hostile);
    let told = admin.post(PATH, &again).await.refused(409, "Conflict");
    assert!(told.contains(PATH), "{told}");
    let mut same_id = registration("other", &hostile);
    same_id["id"] = json!("chosen");
    admin.post(PATH, &same_id).await.refused(409, "Conflict");

    register(&admin, "second", &hostile).await;
    let rename = json!({"name": "second"});
    let clash = admin.patch(&format!("{PATH}/chosen"), &rename).await;
    clash.refused(409, "Conflict");
    let page = admin.get(PATH).await.expect(200);
    assert_eq!(fields(&page, "name"), ["db", "second"]);
}

async fn a_broker_is_changed(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let change = json!({
        "id": "another", "created_at": "1999-01-01T00:00:00Z", "ready": false,
        "name": "databases", "description": "new",
        "labels": [{"op": "add", "key": "env", "values": ["dev"]}],
    });
    let changed = admin.patch(&path(&made), &change).await.expect(200);
    assert_eq!(changed["id"], made["id"]);
    assert_eq!(changed["created_at"], made["created_at"]);
    assert_eq!(changed["ready"], true);
    assert_eq!(changed["name"], "databases");
    assert_eq!(changed["description"], "new");
    assert_eq!(changed["labels"], json!({"env": ["dev"]}));
    assert_eq!(changed.get("credentials"), None, "a PATCH shows no secret");
    assert_eq!(changed["last_operation"]["type"], "update");

    // Every PATCH, an empty one too, reads the catalog again.
    let before = hostile.calls_of(Verb::Catalog).len();
    admin.patch(&path(&made), &json!({})).await.expect(200);
    assert_eq!(hostile.calls_of(Verb::Catalog).len(), before + 1);

    // New credentials alone are taken, and used at once.
    hostile.demand_credentials("new", "pair");
    let stale = admin.patch(&path(&made), &json!({})).await;
    assert_eq!(stale.status, 400, "{stale:#?}");
    let pair = json!({"credentials": {"basic": {"username": "new", "password": "pair"}}});
    let changed = admin.patch(&path(&made), &pair).await.expect(200);
    assert_eq!(changed.get("credentials"), None);
    admin
        .patch(&path(&made), &json!({"name": ""}))
        .await
        .refused(400, "BadRequest");
    let missing = admin.patch(&format!("{PATH}/nobody"), &json!({})).await;
    missing.refused(404, "NotFound");
}

async fn a_new_address_needs_its_credentials(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let (first, second) = (broker().await, broker().await);
    let made = register(&admin, "db", &first).await;
    let bare = json!({"broker_url": second.url()});
    admin
        .patch(&path(&made), &bare)
        .await
        .refused(400, "BadRequest");
    assert_eq!(second.calls().len(), 0, "no secret went to the new address");
    let half = json!({"broker_url": second.url(), "credentials": {"basic": {"username": "user"}}});
    admin
        .patch(&path(&made), &half)
        .await
        .refused(400, "BadRequest");
    let whole = json!({
        "broker_url": second.url(),
        "credentials": {"basic": {"username": "user", "password": "password"}},
    });
    let moved = admin.patch(&path(&made), &whole).await.expect(200);
    assert_eq!(moved["broker_url"], second.url());
    assert_eq!(second.calls_of(Verb::Catalog).len(), 1);
}

async fn a_broker_is_removed_with_all_that_hangs_on_it(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let plans = plans(&admin, &made).await;
    show(&admin, &plans[0], None).await.expect(201);

    // The next issue makes instances; until then one is written behind the manager's back.
    let plan = id(&plans[0]);
    manager.sql(&format!(
        "INSERT INTO instance (id, name, service_plan_id, platform_id, usable, ready, labels, created_at, updated_at) \
         VALUES ('i-1', 'mine', '{plan}', 'service-manager', true, true, '{{}}', 0, 0)"
    ));
    let held = admin.delete(&path(&made)).await;
    held.refused(409, "ExistingReferenceEntity");
    let all = admin.delete(PATH).await;
    all.refused(409, "ExistingReferenceEntity");
    admin.get(&path(&made)).await.expect(200);
    manager.sql("DELETE FROM instance WHERE id = 'i-1'");

    let removed = admin.delete(&path(&made)).await;
    assert_eq!(removed.header("location"), None);
    assert_eq!(removed.expect(200), json!({}));
    admin.get(&path(&made)).await.expect(404);
    admin.delete(&path(&made)).await.refused(404, "NotFound");
    for rest in ["service_offerings", "service_plans", "visibilities"] {
        let page = admin.get(&format!("/v1/{rest}")).await.expect(200);
        assert_eq!(page["num_items"], 0, "{rest}");
    }
    let cascade = format!("{}?cascade=true", path(&made));
    assert_eq!(
        admin.delete(&cascade).await.status,
        400,
        "brokers do not cascade"
    );
}

async fn brokers_are_removed_by_query(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    for name in ["a", "b", "c", "d"] {
        register(&admin, name, &hostile).await;
    }
    let named = query(PATH, &[("fieldQuery", "name in ('a','b')")]);
    let asynchronous = format!("{named}&async=true");
    assert_eq!(admin.delete(&asynchronous).await.status, 400);
    assert_eq!(admin.delete(&named).await.expect(200), json!({}));
    admin.delete(&named).await.refused(404, "NotFound");
    let page = admin.get(PATH).await.expect(200);
    assert_eq!(fields(&page, "name"), ["c", "d"]);
    let wrong = query(PATH, &[("fieldQuery", "no such")]);
    admin.delete(&wrong).await.refused(400, "BadRequest");
    assert_eq!(admin.get(PATH).await.expect(200)["num_items"], 2);
    admin.delete(PATH).await.expect(200);
    assert_eq!(admin.get(PATH).await.expect(200)["num_items"], 0);
}

async fn asynchronous_deeds_have_an_operation(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let body = registration("db", &hostile);
    let begun = admin.post(&format!("{PATH}?async=true"), &body).await;
    let location = begun.location();
    assert_eq!(begun.expect(202), json!({}));
    let operation = finished(&manager, &location).await;
    assert_eq!(operation["state"], "succeeded");
    let broker = text(&operation, "resource_id");
    let one = format!("{PATH}/{broker}");
    let made = admin.get(&one).await.expect(200);
    assert_eq!(made["ready"], true);
    assert_eq!(made.get("credentials"), None);

    let change = json!({"description": "later"});
    let begun = admin.patch(&format!("{one}?async=true"), &change).await;
    let operation = finished(&manager, &begun.location()).await;
    assert_eq!(operation["type"], "update");
    assert_eq!(operation["state"], "succeeded");
    assert_eq!(admin.get(&one).await.expect(200)["description"], "later");
    // `false` waits, on every verb.
    admin
        .patch(&format!("{one}?async=false"), &json!({}))
        .await
        .expect(200);

    let begun = admin.delete(&format!("{one}?async=true")).await;
    let location = begun.location();
    eventually("the broker is gone", async || {
        (admin.get(&one).await.status == 404).then_some(())
    })
    .await;
    let operation = finished(&manager, &location).await;
    assert_eq!(operation["type"], "delete");
    assert_eq!(operation["state"], "succeeded");
    let other = format!("{PATH}/another/operations/{}", id(&operation));
    admin.get(&other).await.expect(404);
}

async fn a_failed_asynchronous_registration_stays_to_be_seen(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    hostile.on(Verb::Catalog).then(Fault::status(500));
    let body = registration("db", &hostile);
    // Waited for, it leaves nothing.
    admin.post(PATH, &body).await.expect(400);
    assert_eq!(admin.get(PATH).await.expect(200)["num_items"], 0);

    let begun = admin.post(&format!("{PATH}?async=true"), &body).await;
    let operation = finished(&manager, &begun.location()).await;
    assert_eq!(operation["state"], "failed");
    assert_eq!(
        operation["errors"]["error"], "ServiceBrokerErr",
        "{operation}"
    );
    assert!(
        operation["errors"]["description"].is_string(),
        "{operation}"
    );
    let one = format!("{PATH}/{}", text(&operation, "resource_id"));
    let left = admin.get(&one).await.expect(200);
    assert_eq!(left["ready"], false);
    assert_eq!(left["last_operation"]["state"], "failed");
    let ready = query(PATH, &[("fieldQuery", "ready eq true")]);
    assert_eq!(admin.get(&ready).await.expect(200)["num_items"], 0);

    // It can be mended or removed.
    hostile.behave();
    let mended = admin.patch(&one, &json!({})).await.expect(200);
    assert_eq!(mended["ready"], true);
    admin.delete(&one).await.expect(200);
}

/// While a deed on a broker waits for the broker, another one is told so.
async fn one_deed_at_a_time(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let seen = hostile.calls_of(Verb::Catalog).len();
    hostile.on(Verb::Catalog).then(Fault::slow(3000));
    let change = json!({"description": "slow"});
    let begun = admin
        .patch(&format!("{}?async=true", path(&made)), &change)
        .await;
    let location = begun.location();
    hostile.wait_for(Verb::Catalog, seen + 1).await.unwrap();
    let running = admin.get(&path(&made)).await.expect(200);
    assert_eq!(running["last_operation"]["state"], "in progress");
    assert_eq!(running["description"], "", "not before it is done");
    let word = "ConcurrentOperationInProgress";
    admin.patch(&path(&made), &change).await.refused(422, word);
    admin.delete(&path(&made)).await.refused(422, word);
    hostile.behave();
    assert_eq!(finished(&manager, &location).await["state"], "succeeded");
    assert_eq!(
        admin.get(&path(&made)).await.expect(200)["description"],
        "slow"
    );
    admin.delete(&path(&made)).await.expect(200);
}

async fn addresses_are_taken_as_people_write_them(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    for (name, suffix, wanted) in [
        ("slash", "/", "/v2/catalog"),
        ("path", "/brokers/db", "/brokers/db/v2/catalog"),
        ("both", "/brokers/db/", "/brokers/db/v2/catalog"),
    ] {
        let mut body = registration(name, &hostile);
        body["broker_url"] = json!(format!("{}{suffix}", hostile.url()));
        admin.post(PATH, &body).await.expect(201);
        let calls = hostile.calls_of(Verb::Catalog);
        let asked = calls.iter().filter(|call| call.path == wanted).count();
        assert!(asked > 0, "{wanted} was not asked for: {calls:?}");
        assert!(
            calls.iter().all(|call| !call.path.contains("//")),
            "{calls:?}"
        );
    }
}

/// An operation when it has come to its end.
async fn finished(manager: &Manager, location: &str) -> Value {
    let admin = manager.admin();
    eventually("the operation ends", async || {
        let operation = admin.get(location).await.expect(200);
        let ends = ["succeeded", "failed"];
        ends.contains(&operation["state"].as_str().unwrap())
            .then_some(operation)
    })
    .await
}
