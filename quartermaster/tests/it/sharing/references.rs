//! References over REST.

use super::shop::{Shop, path, share};
use crate::harness::answer::{id, text};
use crate::harness::{Answer, Engine};
use serde_json::{Value, json};

on_both_engines!(
    a_reference_lives_at_the_manager_alone,
    what_is_meant_is_found_or_said,
);

async fn a_reference_lives_at_the_manager_alone(engine: Engine) {
    let shop = Shop::open(engine).await;
    let admin = shop.admin();
    let shared = shop.make_shared(&admin, "one", "sync").await;
    let calls = shop.world.broker.calls().len();
    let meant = json!({"referenced_instance_id": shared});
    let made = shop.refer(&admin, "mine", &meant).await.expect(201);
    assert_eq!(made["referenced_instance_id"], shared.as_str());
    assert_eq!(made["platform_id"], "service-manager");
    assert_eq!(
        (&made["ready"], &made["usable"]),
        (&json!(true), &json!(true))
    );
    assert_eq!(made["last_operation"]["state"], "succeeded");
    let one = path(&id(&made));
    let shown = admin.get(&one).await.expect(200);
    assert_eq!(shown["referenced_instance_id"], shared.as_str());
    assert_eq!(shown["last_operation"]["type"], "create");
    let parameters = admin.get(&format!("{one}/parameters")).await.expect(200);
    assert_eq!(parameters, meant);
    shop.refer(&admin, "mine", &meant)
        .await
        .refused(409, "Conflict");
    // Asked for in the background it is there as well, and the operation says so.
    let body = json!({
        "name": "later", "service_plan_id": id(shop.plan("reference-instance")), "parameters": meant,
    });
    let later = admin.post("/v1/service_instances?async=true", &body).await;
    let operation = admin.get(&later.location()).await.expect(200);
    assert_eq!(operation["state"], "succeeded");
    // It keeps its plan and what it refers to; its name is its own.
    let plan = text(&made, "service_plan_id");
    let renamed = json!({"name": "ours", "service_plan_id": plan, "parameters": meant});
    assert_eq!(
        admin.patch(&one, &renamed).await.expect(200)["name"],
        "ours"
    );
    for change in [
        json!({"service_plan_id": id(shop.plan("sync"))}),
        json!({"service_plan_id": plan, "parameters": {"referenced_instance_id": "*"}}),
        json!({"service_plan_id": plan, "parameters": {"size": 5}}),
        json!({"referenced_instance_id": shared}),
        json!({"shared": true}),
    ] {
        admin.patch(&one, &change).await.expect(400);
    }
    // An instance does not become one.
    let becomes = json!({"service_plan_id": plan});
    admin.patch(&path(&shared), &becomes).await.expect(400);
    admin.delete(&one).await.expect(200);
    admin.get(&one).await.expect(404);
    assert_eq!(shop.world.broker.calls().len(), calls, "no broker is asked");
}

/// The refusal of a reference, and that nothing came of it.
async fn refused(shop: &Shop, parameters: &Value) -> Answer {
    let answer = shop.refer(&shop.admin(), "refused", parameters).await;
    assert!(answer.status >= 400, "{parameters}: {answer:#?}");
    answer
}

async fn what_is_meant_is_found_or_said(engine: Engine) {
    let shop = Shop::open(engine).await;
    let admin = shop.admin();
    let any = json!({"referenced_instance_id": "*"});
    refused(&shop, &any).await.refused(404, "NotFound");
    let first = shop.make_shared(&admin, "first", "sync").await;
    let only = shop.refer(&admin, "only", &any).await.expect(201);
    assert_eq!(only["referenced_instance_id"], first.as_str());
    let second = shop.make_shared(&admin, "second", "async").await;
    let labels = json!({"labels": [{"op": "add", "key": "stage", "values": ["dev", "test"]}]});
    admin.patch(&path(&second), &labels).await.expect(200);
    refused(&shop, &any).await.refused(404, "BadRequest");

    let selectors = |selectors: Value| json!({"selectors": selectors});
    let found = [
        (
            selectors(json!({"instance_name_selector": "first"})),
            &first,
        ),
        (selectors(json!({"plan_name_selector": "async"})), &second),
        (
            selectors(json!({"instance_label_selector": ["stage eq 'test'"]})),
            &second,
        ),
        (
            selectors(json!({
                "instance_name_selector": "second",
                "plan_name_selector": "async",
                "instance_label_selector": ["stage in ('dev', 'prod')"],
            })),
            &second,
        ),
    ];
    for (n, (parameters, meant)) in found.iter().enumerate() {
        let made = shop.refer(&admin, &format!("found {n}"), parameters).await;
        assert_eq!(
            made.expect(201)["referenced_instance_id"],
            meant.as_str(),
            "{parameters}"
        );
    }

    let unshared = shop.make(&admin, "unshared", "sync").await;
    let body =
        json!({"name": "elsewhere", "service_offering_name": "other", "service_plan_name": "only"});
    let elsewhere = admin.post("/v1/service_instances", &body).await.expect(201);
    share(&admin, &id(&elsewhere), true).await.expect(200);
    let by_id = |id: &str| json!({"referenced_instance_id": id});
    let wrong = [
        (json!({}), 400, "BadRequest"),
        (Value::Null, 400, "BadRequest"),
        (
            json!({"referenced_instance_id": first, "selectors": {"plan_name_selector": "sync"}}),
            400,
            "BadRequest",
        ),
        (selectors(json!({})), 400, "BadRequest"),
        (
            selectors(json!({"instance_label_selector": ["nonsense"]})),
            400,
            "BadRequest",
        ),
        (by_id(&unshared), 400, "BadRequest"),
        (by_id(&id(&only)), 400, "BadRequest"),
        (by_id("nowhere"), 404, "NotFound"),
        // Of another offering.
        (by_id(&id(&elsewhere)), 404, "NotFound"),
        (
            selectors(json!({"instance_name_selector": "elsewhere"})),
            404,
            "NotFound",
        ),
        (
            selectors(json!({"instance_name_selector": "unshared"})),
            404,
            "NotFound",
        ),
        (
            selectors(json!({"plan_name_selector": "plain"})),
            404,
            "NotFound",
        ),
        (
            selectors(json!({"instance_label_selector": ["stage eq 'prod'"]})),
            404,
            "NotFound",
        ),
        (
            selectors(json!({"instance_label_selector": ["stage ne 'prod'"]})),
            404,
            "BadRequest",
        ),
    ];
    for (parameters, status, word) in wrong {
        refused(&shop, &parameters).await.refused(status, word);
    }
}
