//! Instances that move from their platforms to the manager.

use super::shop::{Shop, catalog, path};
use crate::harness::Engine;
use crate::osb::world::{quick, wanted};
use qm_testkit::hostile::{Fault, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(an_instance_moves, what_cannot_move_says_why);

async fn an_instance_moves(engine: Engine) {
    let setup = quick(engine).set("QM_API_ENABLE_INSTANCE_TRANSFER", "true");
    let shop = Shop::with(setup, &catalog(true)).await;
    let (admin, door) = (shop.admin(), shop.door());
    door.provision("theirs").await.expect(201);
    door.bind("theirs", "b").await.expect(201);
    let home = json!({"platform_id": "service-manager"});
    // Its name is `mine`; here one has that already.
    let taken = shop.make(&admin, "mine", "sync").await;
    admin
        .patch(&path("theirs"), &home)
        .await
        .refused(409, "Conflict");
    admin.delete(&path(&taken)).await.expect(200);
    // The broker does not agree: it stays where it is.
    shop.world
        .broker
        .on(Verb::Update)
        .times(1)
        .then(Fault::status(400));
    admin.patch(&path("theirs"), &home).await.expect(502);
    assert_eq!(
        admin.get(&path("theirs")).await.expect(200)["platform_id"],
        shop.world.platform.id
    );
    door.client.get(&door.url("theirs")).await.expect(200);

    let moved = admin.patch(&path("theirs"), &home).await.expect(200);
    assert_eq!(moved["platform_id"], "service-manager");
    let updates = shop.world.broker.calls_of(Verb::Update);
    let sent = updates.last().unwrap().body.as_ref().unwrap();
    assert_eq!(sent["context"]["namespace"], "n", "the old context: {sent}");
    assert!(sent.get("plan_id").is_none(), "{sent}");
    // Its platform cannot reach it any more.
    door.client.get(&door.url("theirs")).await.expect(404);
    door.update("theirs", &json!({})).await.expect(404);
    door.bind("theirs", "c").await.expect(404);
    door.unbind("theirs", "b").await.expect(404);
    door.deprovision("theirs").await.expect(404);
    // Here it is one of its own: its name is taken, it can be changed, it can be deleted with all it has.
    let again =
        json!({"name": "mine", "service_plan_id": crate::harness::answer::id(shop.plan("sync"))});
    admin
        .post("/v1/service_instances", &again)
        .await
        .refused(409, "Conflict");
    let calls = shop.world.broker.calls_of(Verb::Update).len();
    admin.patch(&path("theirs"), &home).await.expect(200);
    assert_eq!(
        shop.world.broker.calls_of(Verb::Update).len(),
        calls,
        "it is there already"
    );
    admin.delete("/v1/service_bindings/b").await.expect(200);
    admin.delete(&path("theirs")).await.expect(200);
    assert!(shop.world.agree().await.is_empty());
}

async fn what_cannot_move_says_why(engine: Engine) {
    let home = json!({"platform_id": "service-manager"});
    let mut elsewhere = catalog(true);
    elsewhere["services"][0]["plans"][0]["metadata"] =
        json!({"supportedPlatforms": ["kubernetes"]});
    let mut fixed = catalog(true);
    fixed["services"][0]["allow_context_updates"] = json!(false);
    let cases = [
        (false, catalog(true), "TransferDisabled"),
        (true, elsewhere, "UnsupportedPlatform"),
        (true, fixed, "UnsupportedContextUpdate"),
    ];
    for (enabled, catalog, word) in cases {
        let variable = "QM_API_ENABLE_INSTANCE_TRANSFER";
        let setup = quick(engine).set(variable, &enabled.to_string());
        let shop = Shop::with(setup, &catalog).await;
        let door = shop.door();
        door.provision_as("theirs", &wanted(SYNC_PLAN))
            .await
            .expect(201);
        let admin = shop.admin();
        admin.patch(&path("theirs"), &home).await.refused(400, word);
        let other = json!({"platform_id": "another"});
        admin
            .patch(&path("theirs"), &other)
            .await
            .refused(400, "InvalidTransfer");
        assert!(shop.world.broker.calls_of(Verb::Update).is_empty());
        door.client.get(&door.url("theirs")).await.expect(200);
    }
}
