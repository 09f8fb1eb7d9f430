//! A catalog that changes under the manager: by a PATCH, and by itself.
//!
//! Instances come with the next issue; where a plan must be in use, a row is written behind the manager's back.

use crate::harness::answer::{fields, id, text};
use crate::harness::brokers::{
    broker, broker_with, offering, plan, plan_named, plans, read, register, show,
};
use crate::harness::{Engine, Manager, Platform, Setup, eventually};
use qm_testkit::hostile::{Fault, HostileBroker};
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    ids_stay_when_names_change,
    a_plan_in_use_is_not_taken_away_by_a_patch,
    the_catalog_is_read_again_by_itself,
    a_breaking_change_is_held_and_shown,
    an_unchanged_catalog_is_not_read_twice,
    a_broken_broker_keeps_its_last_good_catalog,
);

fn catalog(plans: &[Value]) -> Value {
    json!({"services": [offering("o1", "db", plans)]})
}

fn set(hostile: &HostileBroker, plans: &[Value]) {
    hostile.set_catalog(read(&catalog(plans)));
}

fn path(broker: &Value) -> String {
    format!("/v1/service_brokers/{}", id(broker))
}

/// A manager that looks at catalogs every moment.
fn curious(engine: Engine) -> Setup {
    Setup::new(engine)
        .set("QM_BROKERS_REFRESH_INTERVAL", "200ms")
        .set("QM_BROKERS_BREAKER_FAILURES", "1000")
}

fn occupy(manager: &Manager, plan: &Value) {
    let plan = id(plan);
    manager.sql(&format!(
        "INSERT INTO instance (id, name, service_plan_id, platform_id, usable, ready, labels, created_at, updated_at) \
         VALUES ('i-1', 'mine', '{plan}', 'service-manager', true, true, '{{}}', 0, 0)"
    ));
}

async fn ids_stay_when_names_change(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker_with(&catalog(&[plan("p1", "small"), plan("p2", "large")])).await;
    let made = register(&admin, "db", &hostile).await;
    let small = plan_named(&admin, &made, "small").await;
    let large = plan_named(&admin, &made, "large").await;
    let visible = show(&admin, &small, None).await.expect(201);

    // Two plans that swap their names are still the plans they were.
    set(
        &hostile,
        &[plan("p1", "large"), plan("p2", "small"), plan("p3", "huge")],
    );
    admin.patch(&path(&made), &json!({})).await.expect(200);
    let one = format!("/v1/service_plans/{}", id(&small));
    let renamed = admin.get(&one).await.expect(200);
    assert_eq!(renamed["catalog_name"], "large");
    assert_eq!(renamed["name"], "large");
    assert_eq!(renamed["catalog_id"], "p1");
    assert_eq!(renamed["created_at"], small["created_at"]);
    assert_eq!(plan_named(&admin, &made, "small").await["id"], large["id"]);
    assert_eq!(plans(&admin, &made).await.len(), 3);
    let visibility = format!("/v1/visibilities/{}", id(&visible));
    admin.get(&visibility).await.expect(200);

    // What is gone goes with its visibilities, and platforms hear so; what comes back is another plan.
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    manager.settle().await;
    let mut stream = platform.connect(None).await;
    set(&hostile, &[plan("p2", "small"), plan("p3", "huge")]);
    admin.patch(&path(&made), &json!({})).await.expect(200);
    let told = stream.next().await;
    assert_eq!(told["type"], "DELETED");
    assert_eq!(told["resource"], "/v1/visibilities");
    assert_eq!(told["payload"]["old"]["resource"]["id"], visible["id"]);
    assert_eq!(stream.next().await["resource"], "/v1/service_brokers");
    admin.get(&one).await.expect(404);
    admin.get(&visibility).await.expect(404);
    set(
        &hostile,
        &[plan("p1", "large"), plan("p2", "small"), plan("p3", "huge")],
    );
    admin.patch(&path(&made), &json!({})).await.expect(200);
    assert_ne!(plan_named(&admin, &made, "large").await["id"], small["id"]);
}

async fn a_plan_in_use_is_not_taken_away_by_a_patch(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker_with(&catalog(&[plan("p1", "small"), plan("p2", "large")])).await;
    let made = register(&admin, "db", &hostile).await;
    let small = plan_named(&admin, &made, "small").await;
    occupy(&manager, &small);

    set(&hostile, &[plan("p2", "large")]);
    let change = json!({"description": "changed"});
    let refused = admin.patch(&path(&made), &change).await;
    let told = refused.refused(409, "ExistingReferenceEntity");
    assert!(told.contains("small"), "which plan is in the way: {told}");
    let same = admin.get(&path(&made)).await.expect(200);
    assert_ne!(same["description"], "changed", "all or nothing");
    assert_eq!(plans(&admin, &made).await.len(), 2);

    // A whole offering with a plan in use neither.
    let other = json!({"services": [offering("o2", "other", &[plan("p9", "nine")])]});
    hostile.set_catalog(read(&other));
    let refused = admin.patch(&path(&made), &json!({})).await;
    refused.refused(409, "ExistingReferenceEntity");
    // What is not in use may go.
    set(&hostile, &[plan("p1", "small")]);
    admin.patch(&path(&made), &json!({})).await.expect(200);
    assert_eq!(plans(&admin, &made).await.len(), 1);
}

async fn the_catalog_is_read_again_by_itself(engine: Engine) {
    let manager = curious(engine).start().await;
    let admin = manager.admin();
    let hostile = broker_with(&catalog(&[plan("p1", "small")])).await;
    let made = register(&admin, "db", &hostile).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let mut stream = platform.connect(None).await;

    set(&hostile, &[plan("p1", "small"), plan("p2", "large")]);
    eventually("the new plan is known", async || {
        (plans(&admin, &made).await.len() == 2).then_some(())
    })
    .await;
    // Platforms are told as if somebody had changed the broker.
    let told = stream.next().await;
    assert_eq!(told["type"], "MODIFIED");
    assert_eq!(told["payload"]["new"]["resource"]["id"], made["id"]);
    let services = &told["payload"]["new"]["additional"]["services"];
    assert_eq!(services[0]["plans"].as_array().unwrap().len(), 2);
    let old = &told["payload"]["old"]["additional"]["services"];
    assert_eq!(old[0]["plans"].as_array().unwrap().len(), 1);
}

async fn a_breaking_change_is_held_and_shown(engine: Engine) {
    let manager = curious(engine).start().await;
    let admin = manager.admin();
    let hostile = broker_with(&catalog(&[plan("p1", "small"), plan("p2", "large")])).await;
    let made = register(&admin, "db", &hostile).await;
    let small = plan_named(&admin, &made, "small").await;
    occupy(&manager, &small);

    set(&hostile, &[plan("p2", "large"), plan("p3", "huge")]);
    let shown = eventually("the change is held", async || {
        let shown = admin.get(&path(&made)).await.expect(200);
        shown["catalog"]["held"].is_object().then_some(shown)
    })
    .await;
    assert_eq!(shown["ready"], true, "what runs goes on: {shown}");
    let held = &shown["catalog"]["held"];
    assert_eq!(held["removed_plans"], json!(["db/small"]));
    assert_eq!(held["added_plans"], json!(["db/huge"]));
    assert!(text(held, "reason").contains("small"), "{held}");
    // Nothing of the change is in force, not even its harmless half.
    let page = admin.get("/v1/service_plans").await.expect(200);
    assert_eq!(fields(&page, "catalog_name"), ["large", "small"]);
    assert_eq!(
        admin
            .get(&format!("/v1/service_plans/{}", id(&small)))
            .await
            .status,
        200
    );

    // When the broker takes it back whole, nothing is held any more.
    set(&hostile, &[plan("p1", "small"), plan("p2", "large")]);
    eventually("nothing is held any more", async || {
        let shown = admin.get(&path(&made)).await.expect(200);
        shown["catalog"].get("held").is_none().then_some(())
    })
    .await;
    set(&hostile, &[plan("p2", "large"), plan("p3", "huge")]);
    eventually("the change is held again", async || {
        let shown = admin.get(&path(&made)).await.expect(200);
        shown["catalog"]["held"].is_object().then_some(())
    })
    .await;

    // When it only adds, that is in force and nothing is shown.
    set(
        &hostile,
        &[plan("p1", "small"), plan("p2", "large"), plan("p3", "huge")],
    );
    eventually("the harmless catalog is in force", async || {
        let page = admin.get("/v1/service_plans").await.expect(200);
        let names = fields(&page, "catalog_name");
        (names == ["huge", "large", "small"]).then_some(())
    })
    .await;
    eventually("nothing is held any more", async || {
        let shown = admin.get(&path(&made)).await.expect(200);
        shown["catalog"].get("held").is_none().then_some(())
    })
    .await;
}

async fn an_unchanged_catalog_is_not_read_twice(engine: Engine) {
    let manager = curious(engine).start().await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let calls = hostile.wait_for(Verb::Catalog, 4).await.unwrap();
    for call in &calls[1..] {
        assert!(call.header("if-none-match").is_some(), "{call:?}");
    }
    let read = admin.get(&path(&made)).await.expect(200);
    assert_eq!(
        read["updated_at"], made["updated_at"],
        "nothing has changed"
    );
}

async fn a_broken_broker_keeps_its_last_good_catalog(engine: Engine) {
    let manager = curious(engine).start().await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let before = plans(&admin, &made).await;
    for fault in [
        Fault::Close,
        Fault::status(500),
        Fault::Malformed,
        Fault::answer(200, json!({"services": [{"id": "x"}]})),
    ] {
        let seen = hostile.calls_of(Verb::Catalog).len();
        hostile.behave();
        hostile.on(Verb::Catalog).then(fault);
        hostile.wait_for(Verb::Catalog, seen + 3).await.unwrap();
        assert_eq!(plans(&admin, &made).await, before);
    }
    let shown = admin.get(&path(&made)).await.expect(200);
    assert_eq!(shown["ready"], true);
    assert!(!text(&shown["catalog"], "error").is_empty(), "{shown}");
}
