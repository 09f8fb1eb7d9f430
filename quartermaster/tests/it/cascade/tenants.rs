//! All that a tenant has.

use super::{cascade, end, populate, puts_off, start, succeeded, told};
use crate::harness::answer::{id, text};
use crate::harness::{Engine, Platform, brokers, eventually};
use qm_testkit::hostile::{Fault, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(a_tenant_goes_with_all_it_has, a_tenant_that_stays_says_why);

async fn a_tenant_goes_with_all_it_has(engine: Engine) {
    let world = start(engine).await;
    let admin = world.manager.admin();
    let labels = json!({"tenant": ["acme"]});
    // A platform of its own with instances, a broker of its own with one on another platform, and an instance that
    // was made at the manager. Beside: what belongs to others.
    let body = json!({"name": "acme-k", "type": "kubernetes", "labels": labels});
    let own = Platform::register_as(&world.manager, &body).await;
    let door = world.door_of(&own);
    for n in 0..3 {
        door.provision(&format!("p-{n}")).await.expect(201);
    }
    door.bind("p-0", "p-0-b").await.expect(201);
    populate(&world, "kept", 1).await;
    let second = brokers::broker().await;
    let broker = brokers::register_labelled(&admin, "acme-broker", &second, &labels).await;
    for plan in brokers::plans(&admin, &broker).await {
        brokers::show(&admin, &plan, None).await.expect(201);
    }
    let its_door = crate::osb::world::Door {
        path: format!("/v1/osb/{}/v2", id(&broker)),
        ..world.door()
    };
    its_door.provision("of-its-broker").await.expect(201);
    let plans = brokers::plans(&admin, &json!({"id": world.broker_id})).await;
    let plan = plans.iter().find(|plan| plan["catalog_id"] == SYNC_PLAN);
    let plan = id(plan.unwrap());
    let make = async |name: &str, tenant: &str| {
        let body = json!({"name": name, "service_plan_id": plan, "labels": {"tenant": [tenant]}});
        admin.post("/v1/service_instances", &body).await
    };
    let made = id(&make("mine", "acme").await.expect(201));
    let others = id(&make("yours", "other").await.expect(201));
    let body = json!({"name": "b", "service_instance_id": made});
    admin.post("/v1/service_bindings", &body).await.expect(201);

    cascade(&admin, "/v1/tenants/nobody")
        .await
        .refused(404, "NotFound");
    // While it goes, nothing new belongs to it.
    puts_off(&world.broker);
    let location = cascade(&admin, "/v1/tenants/acme").await.location();
    assert_eq!(
        cascade(&admin, "/v1/tenants/acme").await.location(),
        location
    );
    let body = json!({"name": "late", "type": "kubernetes", "labels": labels});
    let why = admin
        .post("/v1/platforms", &body)
        .await
        .refused(422, "UnprocessableEntity");
    assert!(why.contains("tenant"), "{why}");
    let late = make("late", "acme").await;
    assert_eq!(late.status, 422, "{late:#?}");
    world.broker.behave();

    let operation = end(&admin, &location).await;
    succeeded(&operation);
    assert_eq!(operation["resource_type"], "/v1/tenants");
    let there: Vec<String> = world.recorded().await.into_keys().collect();
    let mut wanted = vec![
        "kept-0".to_owned(),
        "kept-0-b0".to_owned(),
        "kept-0-b1".to_owned(),
        others,
    ];
    wanted.sort();
    assert_eq!(there, wanted);
    assert!(second.instances().is_empty());
    let broker = format!("/v1/service_brokers/{}", id(&broker));
    admin.get(&broker).await.refused(404, "NotFound");
    let platform = format!("/v1/platforms/{}", own.id);
    admin.get(&platform).await.refused(404, "NotFound");
    cascade(&admin, "/v1/tenants/acme")
        .await
        .refused(404, "NotFound");
}

async fn a_tenant_that_stays_says_why(engine: Engine) {
    let world = start(engine).await;
    let admin = world.manager.admin();
    let body = json!({"name": "acme-k", "type": "kubernetes", "labels": {"tenant": ["acme"]}});
    let busy = Platform::register_as(&world.manager, &body).await;
    let body = json!({"name": "acme-l", "type": "kubernetes", "labels": {"tenant": ["acme"]}});
    let broken = Platform::register_as(&world.manager, &body).await;
    world.door_of(&busy).provision("busy").await.expect(201);
    world.door_of(&broken).provision("broken").await.expect(201);
    let socket = busy.connect(None).await;
    eventually("its agent is there", async || {
        let active = "SELECT count(*) FROM platform WHERE active";
        (world.manager.sql(active) == ["1"]).then_some(())
    })
    .await;
    let no = Fault::answer(400, json!({"description": "not today"}));
    world.broker.on(Verb::Deprovision).then(no);
    let location = cascade(&admin, "/v1/tenants/acme").await.location();
    let operation = end(&admin, &location).await;
    assert_eq!(operation["state"], "failed", "{operation:#}");
    let mut wanted = vec![
        format!("acme > {}", busy.id),
        format!("{} > broken", broken.id),
    ];
    wanted.sort();
    assert_eq!(told(&operation), wanted);
    let why = text(&operation["errors"]["cascade_errors"][0], "message");
    assert!(!why.is_empty());
    assert_eq!(world.agree().await.len(), 2);
    drop(socket);
    world.broker.behave();
    let gone = eventually("its agent has left", async || {
        let location = cascade(&admin, "/v1/tenants/acme").await.location();
        let operation = end(&admin, &location).await;
        (operation["state"] == "succeeded").then_some(())
    });
    gone.await;
    assert!(world.agree().await.is_empty());
}
