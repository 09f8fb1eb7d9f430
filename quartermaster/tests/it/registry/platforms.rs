//! `/v1/platforms`: registering, reading, changing and removing platforms.

use crate::harness::answer::{fields, id, items};
use crate::harness::brokers::{broker, plans, register, show};
use crate::harness::{Engine, Manager, Platform, eventually, query};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};

on_both_engines!(
    a_platform_is_registered_and_read,
    what_is_wrong_with_a_platform_is_said,
    a_platform_is_changed,
    secrets_cannot_be_set_from_outside,
    technical_platforms_are_not_seen,
    the_manager_is_a_platform_that_nobody_touches,
    platforms_are_removed,
    a_cascade_is_answered_as_one_that_lasts,
    force_means_nothing_for_a_platform,
);

const PATH: &str = "/v1/platforms";

async fn a_platform_is_registered_and_read(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let body = json!({
        "name": "cf", "type": "cloudfoundry", "description": "eu",
        "labels": {"env": ["dev"]}, "service_id": "ignored",
    });
    let answer = admin.post(PATH, &body).await;
    assert_eq!(answer.header("location"), None);
    let made = answer.expect(201);
    assert_eq!(made["name"], "cf");
    assert_eq!(made["type"], "cloudfoundry");
    assert_eq!(made["description"], "eu");
    assert_eq!(made["ready"], true);
    assert_eq!(made["labels"], json!({"env": ["dev"]}));
    let platform = Platform::of(&manager.url(), &made);
    for secret in [&platform.user, &platform.password] {
        assert_eq!(STANDARD.decode(secret).unwrap().len(), 32, "{secret}");
    }
    assert_ne!(platform.user, platform.password);

    let one = format!("{PATH}/{}", platform.id);
    let read = admin.get(&one).await.expect(200);
    for hidden in [
        "credentials",
        "old_credentials",
        "credentials_active",
        "technical",
        "suspended",
    ] {
        assert_eq!(read.get(hidden), None, "{hidden}");
    }
    assert_eq!(read["last_operation"]["type"], "create");
    assert_eq!(read["last_operation"]["state"], "succeeded");
    platform.client().get("/v1/visibilities").await.expect(200);

    // The platform sees itself, and no other.
    let other = Platform::register(&manager, "other", "kubernetes").await;
    let seen = platform.client().get(PATH).await.expect(200);
    assert_eq!(fields(&seen, "id"), [platform.id.as_str()]);
    platform.client().get(&one).await.expect(200);
    let hidden = platform.client().get(&format!("{PATH}/{}", other.id)).await;
    hidden.refused(404, "NotFound");

    let chosen = json!({"id": "k8s-1", "name": "k8s", "type": "kubernetes"});
    let chosen = admin.post(PATH, &chosen).await.expect(201);
    assert_eq!(chosen["id"], "k8s-1");
    let asynchronous = format!("{PATH}?async=true");
    let body = json!({"name": "x", "type": "y"});
    admin
        .post(&asynchronous, &body)
        .await
        .refused(400, "InvalidRequest");
    let page = admin.get(PATH).await.expect(200);
    assert_eq!(
        fields(&page, "name"),
        ["cf", "k8s", "other", "service-manager"]
    );
}

async fn what_is_wrong_with_a_platform_is_said(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let mut wrong = vec![
        json!({"type": "kubernetes"}),
        json!({"name": "p"}),
        json!({"name": "", "type": "kubernetes"}),
        json!({"name": "p", "type": ""}),
        json!({"name": "p", "type": "t", "labels": {"k": "v"}}),
        json!({"name": 7, "type": "t"}),
        json!("text"),
        json!([]),
    ];
    for reserved in ":/?#[]@!$&'()*+,;=".chars() {
        wrong.push(json!({"id": format!("a{reserved}b"), "name": "p", "type": "t"}));
    }
    for body in wrong {
        let answer = admin.post(PATH, &body).await;
        assert_eq!(answer.status, 400, "{body}: {answer:#?}");
        assert_eq!(answer.body["error"], "BadRequest", "{body}");
    }
    Platform::register(&manager, "taken", "t").await;
    let again = admin
        .post(PATH, &json!({"name": "taken", "type": "t"}))
        .await;
    assert!(again.refused(409, "Conflict").contains(PATH));
}

async fn a_platform_is_changed(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let one = format!("{PATH}/{}", platform.id);
    let change = json!({
        "name": "cf-eu", "description": "d", "suspended": true, "id": "other",
        "labels": [{"op": "add", "key": "env", "values": ["dev"]}],
    });
    let changed = admin.patch(&one, &change).await.expect(200);
    assert_eq!(changed["id"], platform.id.as_str());
    assert_eq!(changed["name"], "cf-eu");
    assert_eq!(changed["suspended"], true);
    assert_eq!(changed["type"], "cloudfoundry");
    assert_eq!(changed["labels"], json!({"env": ["dev"]}));
    assert_eq!(changed.get("credentials"), None);
    // `null` leaves a field as it is, and so does leaving it out.
    let kept = json!({"name": null});
    assert_eq!(admin.patch(&one, &kept).await.expect(200)["name"], "cf-eu");
    // smctl sends a query that means nothing here.
    let odd = query(&one, &[("fieldQuery", "name eq 'cf-eu'")]);
    admin
        .patch(&odd, &json!({"suspended": false}))
        .await
        .expect(200);
    assert_eq!(admin.get(&one).await.expect(200).get("suspended"), None);

    Platform::register(&manager, "taken", "t").await;
    admin
        .patch(&one, &json!({"name": "taken"}))
        .await
        .refused(409, "Conflict");
    admin
        .patch(&one, &json!({"name": ""}))
        .await
        .refused(400, "BadRequest");
    let asynchronous = admin.patch(&format!("{one}?async=true"), &json!({})).await;
    asynchronous.refused(400, "InvalidRequest");
    admin
        .patch(&format!("{PATH}/nobody"), &json!({}))
        .await
        .refused(404, "NotFound");
}

async fn secrets_cannot_be_set_from_outside(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let pair = json!({"basic": {"username": "mine", "password": "mine"}});
    let forged = json!({
        "name": "cf", "type": "cloudfoundry", "credentials": pair, "old_credentials": pair,
        "credentials_active": true, "active": true, "version": "9",
    });
    let platform = Platform::register_as(&manager, &forged).await;
    assert_ne!(platform.user, "mine");
    let one = format!("{PATH}/{}", platform.id);
    admin.patch(&one, &forged).await.expect(200);
    let forger = Platform {
        user: "mine".to_owned(),
        password: "mine".to_owned(),
        ..platform.clone()
    };
    forger.client().get(PATH).await.expect(401);
    platform.client().get(PATH).await.expect(200);
}

async fn technical_platforms_are_not_seen(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let body = json!({"name": "tech", "type": "x", "technical": true});
    let made = admin.post(PATH, &body).await.expect(201);
    assert_eq!(made["technical"], true);
    assert_eq!(made.get("credentials"), None);
    let one = format!("{PATH}/{}", id(&made));
    admin.get(&one).await.refused(404, "NotFound");
    let page = admin.get(PATH).await.expect(200);
    assert_eq!(fields(&page, "name"), ["service-manager"]);

    // It can have visibilities: that is what it is for.
    let hostile = broker().await;
    let made_broker = register(&admin, "db", &hostile).await;
    let plan = &plans(&admin, &made_broker).await[0];
    let visibility = show(&admin, plan, Some(&id(&made))).await.expect(201);
    assert_eq!(visibility["platform_id"], made["id"]);
    // Not seen, and still to be changed and removed.
    admin
        .patch(&one, &json!({"description": "d"}))
        .await
        .expect(200);
    admin.delete(&one).await.expect(200);
    let page = admin.get("/v1/visibilities").await.expect(200);
    assert_eq!(page["num_items"], 0);
}

async fn the_manager_is_a_platform_that_nobody_touches(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let one = format!("{PATH}/service-manager");
    let own = admin.get(&one).await.expect(200);
    assert_eq!(own["name"], "service-manager");
    assert_eq!(own["type"], "service-manager");
    admin
        .patch(&one, &json!({"name": "mine"}))
        .await
        .refused(404, "NotFound");
    admin.delete(&one).await.refused(404, "NotFound");
    // Removing everything does not remove it either.
    Platform::register(&manager, "cf", "cloudfoundry").await;
    admin.delete(PATH).await.expect(200);
    let page = admin.get(PATH).await.expect(200);
    assert_eq!(fields(&page, "name"), ["service-manager"]);
    admin.delete(PATH).await.refused(404, "NotFound");
}

async fn platforms_are_removed(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let plans: Vec<Value> = plans(&admin, &made).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    show(&admin, &plans[0], Some(&platform.id))
        .await
        .expect(201);
    let one = format!("{PATH}/{}", platform.id);

    let plan = id(&plans[0]);
    let owner = &platform.id;
    manager.sql(&format!(
        "INSERT INTO instance (id, name, service_plan_id, platform_id, usable, ready, labels, created_at, updated_at) \
         VALUES ('i-1', 'mine', '{plan}', '{owner}', true, true, '{{}}', 0, 0)"
    ));
    admin
        .delete(&one)
        .await
        .refused(409, "ExistingReferenceEntity");
    let named = query(PATH, &[("fieldQuery", "name eq 'cf'")]);
    admin
        .delete(&named)
        .await
        .refused(409, "ExistingReferenceEntity");
    manager.sql("DELETE FROM instance WHERE id = 'i-1'");

    assert_eq!(admin.delete(&one).await.expect(200), json!({}));
    admin.get(&one).await.expect(404);
    admin.delete(&one).await.refused(404, "NotFound");
    platform
        .client()
        .get(PATH)
        .await
        .refused(401, "Unauthorized");
    let page = admin.get("/v1/visibilities").await.expect(200);
    assert!(items(&page).is_empty(), "{page}");
    // As smctl removes them: by name, and 404 when nothing has it.
    Platform::register(&manager, "cf", "cloudfoundry").await;
    admin.delete(&named).await.expect(200);
    admin.delete(&named).await.refused(404, "NotFound");
    let asynchronous = format!("{named}&async=true");
    assert_eq!(admin.delete(&asynchronous).await.status, 400);
}

async fn a_cascade_is_answered_as_one_that_lasts(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let one = format!("{PATH}/{}", platform.id);
    let answer = admin
        .delete(&format!("{one}?cascade=true&async=true"))
        .await;
    assert_eq!(answer.status, 202, "{answer:#?}");
    let place = answer.header("location").expect("a Location").to_owned();
    eventually("it has ended", async || {
        let operation = admin.get(&place).await.expect(200);
        (operation["state"] == "succeeded").then_some(())
    })
    .await;
    admin.get(&one).await.refused(404, "NotFound");

    // Not one that is in use, and not the manager itself.
    let platform = Platform::register(&manager, "used", "cloudfoundry").await;
    let mut stream = platform.connect(None).await;
    stream.ping(b"here").await;
    let active = format!(
        "SELECT 1 FROM platform WHERE id = '{}' AND active",
        platform.id
    );
    eventually("it is active", async || {
        (!manager.sql(&active).is_empty()).then_some(())
    })
    .await;
    let one = format!("{PATH}/{}?cascade=true", platform.id);
    admin.delete(&one).await.refused(422, "UnprocessableEntity");
    let own = format!("{PATH}/service-manager?cascade=true");
    admin.delete(&own).await.refused(404, "NotFound");
}

async fn force_means_nothing_for_a_platform(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let one = format!("{PATH}/{}", platform.id);
    for wrong in ["force=true", "cascade=true&force=true"] {
        let answer = admin.delete(&format!("{one}?{wrong}")).await;
        assert_eq!(answer.status, 400, "{answer:#?}");
    }
    admin.get(&one).await.expect(200);
}
