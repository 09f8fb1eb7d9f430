//! Tenants: each sees and uses its own, and names are each tenant's own.

use super::world::{BINDINGS, INSTANCES, World, plain};
use crate::harness::answer::{fields, id, items};
use crate::harness::{Engine, brokers, query};
use serde_json::json;

on_both_engines!(
    a_tenants_instances_are_its_own,
    a_label_moves_nothing_over_the_fence,
    a_plan_must_be_shown_to_the_tenant,
);

async fn a_tenants_instances_are_its_own(engine: Engine) {
    let world = World::start(engine).await;
    let red = world.somebody("ruby", "developer", Some("red")).await;
    let blue = world.somebody("bob", "developer", Some("blue")).await;
    // The same name at both.
    let made = red.create("", &world.wish("db")).await.expect(201);
    blue.create("", &world.wish("db")).await.expect(201);
    assert_eq!(made["labels"]["tenant"], json!(["red"]));
    assert_eq!(made["context"]["tenant"], "red");
    let bound = red.bind("", &id(&made), "b").await.expect(201);
    plain(
        red.create("", &world.wish("db")).await,
        409,
        "Conflict",
        &["name"],
    );
    for path in [INSTANCES, BINDINGS] {
        let page = red.0.get(path).await.expect(200);
        assert_eq!(page["num_items"], 1, "{path}");
    }
    assert_eq!(items(&blue.0.get(BINDINGS).await.expect(200)).len(), 0);
    let before = world.asked();
    let hidden = [
        blue.instance(&id(&made)).await,
        blue.binding(&id(&bound)).await,
        blue.change(&id(&made), &json!({"name": "x"})).await,
        blue.bind("", &id(&made), "x").await,
        blue.unbind(&id(&bound)).await,
        blue.delete(&id(&made)).await,
        blue.repair(&id(&made), "undelete").await,
        blue.0
            .get(&format!("{INSTANCES}/{}/parameters", id(&made)))
            .await,
        blue.0
            .delete(&format!(
                "{INSTANCES}/{}?cascade=true&force=true",
                id(&made)
            ))
            .await,
    ];
    for answer in hidden {
        plain(answer, 404, "NotFound", &["could not find such"]);
    }
    assert_eq!(world.asked(), before);
    // Operations too.
    let of_red = format!("resource_id eq '{}'", id(&made));
    let path = query("/v1/operations", &[("fieldQuery", &of_red)]);
    assert_eq!(red.0.get(&path).await.expect(200)["num_items"], 1);
    assert_eq!(blue.0.get(&path).await.expect(200)["num_items"], 0);
    // Whoever belongs to none sees all.
    let all = world.person().0.get(INSTANCES).await.expect(200);
    assert_eq!(fields(&all, "name"), ["db", "db"]);
    red.unbind(&id(&bound)).await.expect(200);
    red.delete(&id(&made)).await.expect(200);
    world.agree().await;
}

async fn a_label_moves_nothing_over_the_fence(engine: Engine) {
    let world = World::start(engine).await;
    let red = world.somebody("ruby", "developer", Some("red")).await;
    let blue = world.somebody("bob", "developer", Some("blue")).await;
    let mut forged = world.wish("x");
    forged["labels"] = json!({"tenant": ["blue"]});
    plain(
        red.create("", &forged).await,
        400,
        "BadRequest",
        &["tenant"],
    );
    let made = id(&red.create("", &world.wish("db")).await.expect(201));
    let bound = id(&red.bind("", &made, "b").await.expect(201));
    for labels in [
        json!([{"op": "add", "key": "tenant", "values": ["blue"]}]),
        json!([{"op": "add_values", "key": "tenant", "values": ["blue"]}]),
        json!([{"op": "remove", "key": "tenant"}]),
    ] {
        for (path, more) in [
            (format!("{INSTANCES}/{made}"), json!({})),
            (
                format!("{INSTANCES}/{made}"),
                json!({"parameters": {"a": 1}}),
            ),
            (format!("{BINDINGS}/{bound}"), json!({})),
        ] {
            let mut change = more.clone();
            change["labels"] = labels.clone();
            let answer = red.0.patch(&path, &change).await;
            plain(answer, 400, "BadRequest", &["tenant"]);
            assert_eq!(
                red.0.get(&path).await.expect(200)["labels"]["tenant"],
                json!(["red"])
            );
        }
    }
    // An administrator of no tenant may; the name must be free there.
    let other = id(&blue.create("", &world.wish("db")).await.expect(201));
    let to_blue = json!({"labels": [
        {"op": "remove", "key": "tenant"},
        {"op": "add", "key": "tenant", "values": ["blue"]},
    ]});
    let admin = world.person();
    plain(
        admin.change(&made, &to_blue).await,
        409,
        "Conflict",
        &["name"],
    );
    assert_eq!(
        red.instance(&made).await.expect(200)["labels"]["tenant"],
        json!(["red"])
    );
    blue.delete(&other).await.expect(200);
    admin.change(&made, &to_blue).await.expect(200);
    blue.instance(&made).await.expect(200);
    red.instance(&made).await.refused(404, "NotFound");
    plain(
        blue.create("", &world.wish("db")).await,
        409,
        "Conflict",
        &["name"],
    );
    red.create("", &world.wish("db")).await.expect(201);
    world.agree().await;
}

async fn a_plan_must_be_shown_to_the_tenant(engine: Engine) {
    let world = World::start(engine).await;
    let red = world.somebody("ruby", "developer", Some("red")).await;
    let blue = world.somebody("bob", "developer", Some("blue")).await;
    let admin = world.manager.admin();
    // Another broker, of which nothing is shown yet; then one plan to red alone.
    let other = brokers::broker().await;
    let registered = brokers::register(&admin, "other", &other).await;
    let plan = id(&brokers::plan_named(&admin, &registered, "sync").await);
    let wish = json!({"name": "n", "service_plan_id": plan});
    plain(
        red.create("", &wish).await,
        404,
        "NotFound",
        &["service_plans"],
    );
    let visibility = json!({"service_plan_id": plan, "platform_id": "service-manager", "labels": {"tenant": ["red"]}});
    admin
        .post("/v1/visibilities", &visibility)
        .await
        .expect(201);
    red.create("", &wish).await.expect(201);
    plain(
        blue.create("", &wish).await,
        404,
        "NotFound",
        &["service_plans"],
    );
    // Another tenant's broker is nobody's business.
    let theirs = brokers::broker().await;
    let labels = json!({"tenant": ["blue"]});
    let registered = brokers::register_labelled(&admin, "blue's", &theirs, &labels).await;
    let plan = brokers::plan_named(&admin, &registered, "sync").await;
    brokers::show(&admin, &plan, None).await.expect(201);
    let wish = json!({"name": "m", "service_plan_id": id(&plan)});
    plain(
        red.create("", &wish).await,
        404,
        "NotFound",
        &["service_plans"],
    );
    blue.create("", &wish).await.expect(201);
    assert!(
        theirs
            .calls()
            .iter()
            .all(|call| call.method != "PUT" || call.answered)
    );
}
