//! The plan that the manager adds to what can be shared.

use super::shop::{Shop, catalog, share};
use crate::harness::answer::{id, text};
use crate::harness::{Engine, brokers, query};
use crate::osb::world::quick;
use qm_testkit::hostile::SERVICE;
use serde_json::{Value, json};

on_both_engines!(
    a_plan_is_added_and_seen_like_any_other,
    defect_17_the_plan_of_references_keeps_its_id,
    what_is_shared_keeps_its_plan_shareable,
);

/// The plans of the first offering in a catalog at a door.
fn at_the_door(catalog: &Value) -> Vec<Value> {
    let services = catalog["services"].as_array().unwrap();
    let first = services.iter().find(|one| one["id"] == SERVICE);
    first.map_or_else(Vec::new, |first| first["plans"].as_array().unwrap().clone())
}

fn names(plans: &[Value]) -> Vec<&str> {
    plans
        .iter()
        .map(|plan| plan["name"].as_str().unwrap())
        .collect()
}

async fn a_plan_is_added_and_seen_like_any_other(engine: Engine) {
    let shop = Shop::open(engine).await;
    let plan = shop.plan("reference-instance");
    assert_eq!(plan["name"], "reference-instance");
    assert_eq!(plan["free"], true);
    assert_eq!(plan["bindable"], true);
    assert_eq!(plan["plan_updateable"], false);
    let schema = &plan["schemas"]["service_instance"]["create"]["parameters"];
    assert_eq!(schema["$schema"], "http://json-schema.org/draft-04/schema#");
    assert!(
        schema["properties"]["referenced_instance_id"].is_object(),
        "{schema}"
    );
    assert!(schema["properties"]["selectors"].is_object(), "{schema}");

    let door = shop.door();
    let shown = door
        .client
        .get(&format!("{}/catalog", door.path))
        .await
        .expect(200);
    let plans = at_the_door(&shown);
    assert_eq!(
        names(&plans),
        ["sync", "async", "plain", "reference-instance"]
    );
    assert_eq!(plans[3]["id"], plan["catalog_id"]);
    assert_eq!(plans[3]["metadata"]["sm_plan_id"], plan["id"]);

    // Without a visibility nobody sees it, and nobody can use it.
    let criterion = format!("service_plan_id eq '{}'", id(plan));
    let rows = query("/v1/visibilities", &[("fieldQuery", &criterion)]);
    shop.admin().delete(&rows).await.expect(200);
    let shown = door
        .client
        .get(&format!("{}/catalog", door.path))
        .await
        .expect(200);
    assert_eq!(names(&at_the_door(&shown)), ["sync", "async", "plain"]);
    let wanted = shop.wanted(&json!({"referenced_instance_id": "*"}));
    door.provision_as("r", &wanted)
        .await
        .refused(404, "ServicePlanNotFound");
    shop.world.instance("r").await.expect(404);
}

/// The old server told another id than it knew after the second change of a broker.
async fn defect_17_the_plan_of_references_keeps_its_id(engine: Engine) {
    let mut shop = Shop::with(quick(engine), &catalog(false)).await;
    let broker = format!("/v1/service_brokers/{}", shop.world.broker_id);
    let admin = shop.admin();
    shop.world.broker.set_catalog(brokers::read(&catalog(true)));
    admin.patch(&broker, &json!({})).await.expect(200);
    shop.look_again().await;
    let first = shop.plan("reference-instance").clone();
    let mut changed = catalog(true);
    changed["services"][0]["description"] = json!("in other words");
    changed["services"][0]["plans"][0]["description"] = json!("in other words");
    shop.world.broker.set_catalog(brokers::read(&changed));
    for _ in 0..2 {
        admin.patch(&broker, &json!({})).await.expect(200);
    }
    shop.look_again().await;
    let again = shop.plan("reference-instance");
    assert_eq!(again["id"], first["id"]);
    assert_eq!(again["catalog_id"], first["catalog_id"]);
    let door = shop.door();
    let shown = door
        .client
        .get(&format!("{}/catalog", door.path))
        .await
        .expect(200);
    assert_eq!(at_the_door(&shown)[3]["id"], first["catalog_id"]);
    // And by that id it can be had.
    let shared = shop.make_shared(&admin, "the one", "sync").await;
    let wanted = shop.wanted(&json!({"referenced_instance_id": shared}));
    door.provision_as("r", &wanted).await.expect(201);
}

async fn what_is_shared_keeps_its_plan_shareable(engine: Engine) {
    let mut shop = Shop::open(engine).await;
    let broker = format!("/v1/service_brokers/{}", shop.world.broker_id);
    let admin = shop.admin();
    let shared = shop.make_shared(&admin, "the one", "sync").await;
    let reference = shop.referred(&admin, "mine", "*").await;
    shop.world
        .broker
        .set_catalog(brokers::read(&catalog(false)));
    let said = admin
        .patch(&broker, &json!({}))
        .await
        .refused(400, "BadRequest");
    assert!(said.contains(&shared), "{said}");
    shop.look_again().await;
    let kept = text(shop.plan("reference-instance"), "catalog_id");
    assert_eq!(kept, shop.reference_plan(), "nothing was taken over");

    // Unshared, the catalog is taken, and the plan of references goes.
    admin
        .delete(&super::shop::path(&reference))
        .await
        .expect(200);
    share(&admin, &shared, false).await.expect(200);
    admin.patch(&broker, &json!({})).await.expect(200);
    let names = query(
        "/v1/service_plans",
        &[("fieldQuery", "catalog_name eq 'reference-instance'")],
    );
    assert_eq!(admin.get(&names).await.expect(200)["num_items"], 0);
    share(&admin, &shared, true)
        .await
        .refused(400, "BadRequest");
}
