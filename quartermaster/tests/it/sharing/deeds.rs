//! Sharing, and what it forbids.

use super::shop::{PLAIN_PLAN, Shop, path, share};
use crate::harness::Engine;
use crate::harness::answer::id;
use crate::osb::world::wanted;
use qm_testkit::hostile::{ASYNC_PLAN, SYNC_PLAN};
use quartermaster_osb::Verb;
use serde_json::{Value, json};

on_both_engines!(
    an_instance_is_shared_and_unshared,
    what_is_referred_to_stays,
    defect_09_a_shared_instance_is_changed_like_any_other,
);

async fn an_instance_is_shared_and_unshared(engine: Engine) {
    let shop = Shop::open(engine).await;
    let admin = shop.admin();
    let one = shop.make(&admin, "one", "sync").await;
    let shown = admin.get(&path(&one)).await.expect(200);
    assert!(shown.get("shared").is_none(), "{shown}");
    let calls = shop.world.broker.calls().len();
    for shared in [true, true, false, false, true] {
        // smctl says async=false, the operator on Kubernetes nothing; both need exactly 200.
        for query in ["", "?async=false"] {
            let place = format!("{}{query}", path(&one));
            let shown = admin.patch(&place, &json!({"shared": shared})).await;
            assert_eq!(shown.expect(200)["shared"], shared);
        }
        let shown = admin.get(&path(&one)).await.expect(200);
        assert_eq!(shown["shared"], shared);
        assert_eq!(shown["last_operation"]["type"], "update");
        assert_eq!(shown["last_operation"]["state"], "succeeded");
    }
    assert_eq!(shop.world.broker.calls().len(), calls, "no broker is asked");
    let place = format!("{}?async=true", path(&one));
    admin
        .patch(&place, &json!({"shared": false}))
        .await
        .expect(400);
    admin
        .patch(&path(&one), &json!({"shared": false, "name": "two"}))
        .await
        .expect(400);
    let plain = shop.make(&admin, "plain", "plain").await;
    for shared in [true, false] {
        let said = share(&admin, &plain, shared)
            .await
            .refused(400, "BadRequest");
        assert!(said.contains("supportsInstanceSharing"), "{said}");
    }
    share(&admin, "nowhere", true)
        .await
        .refused(404, "NotFound");
    // A platform's instance is shared by whoever may change it.
    shop.door().provision("theirs").await.expect(201);
    assert_eq!(
        share(&admin, "theirs", true).await.expect(200)["shared"],
        true
    );
    let audit = admin
        .get("/v1/audit?max_items=200")
        .await
        .expect(200)
        .to_string();
    for word in ["\"share\"", "\"unshare\""] {
        assert!(audit.contains(word), "no {word} in {audit}");
    }
}

async fn what_is_referred_to_stays(engine: Engine) {
    let shop = Shop::open(engine).await;
    let (admin, door) = (shop.admin(), shop.door());
    door.provision("theirs").await.expect(201);
    share(&admin, "theirs", true).await.expect(200);
    let reference = shop.referred(&admin, "mine", "theirs").await;
    let calls = shop.calls_about("theirs");

    let said = share(&admin, "theirs", false)
        .await
        .refused(400, "BadRequest");
    assert!(said.contains(&reference), "{said}");
    let said = admin
        .delete(&path("theirs"))
        .await
        .refused(400, "BadRequest");
    assert!(said.contains(&reference), "{said}");
    let said = door.deprovision("theirs").await.expect(400);
    assert!(said.to_string().contains(&reference), "{said}");
    // Nor does it change to what cannot be shared.
    let change = json!({"plan_id": PLAIN_PLAN, "previous_values": {"plan_id": SYNC_PLAN}});
    door.update("theirs", &change).await.expect(400);
    assert_eq!(shop.calls_about("theirs"), calls, "no broker is asked");
    let other = json!({"plan_id": ASYNC_PLAN, "previous_values": {"plan_id": SYNC_PLAN}});
    door.update("theirs", &other).await.expect(200);

    admin.delete(&path(&reference)).await.expect(200);
    share(&admin, "theirs", false).await.expect(200);
    door.deprovision_of("theirs", ASYNC_PLAN).await.expect(202);
    let end = door.end_of("theirs").await;
    assert!(["gone", "succeeded"].contains(&end.as_str()), "{end}");
    assert!(shop.world.agree().await.is_empty());
}

/// The old server called no broker for what had once been shared, and forgot the labels it showed.
async fn defect_09_a_shared_instance_is_changed_like_any_other(engine: Engine) {
    let shop = Shop::open(engine).await;
    let admin = shop.admin();
    let shared = shop.make_shared(&admin, "one", "sync").await;
    let reference = shop.referred(&admin, "mine", &shared).await;
    let change = json!({"parameters": {"size": 2}});
    admin.patch(&path(&shared), &change).await.expect(200);
    let calls = shop.world.broker.calls_of(Verb::Update);
    assert_eq!(calls.len(), 1);
    assert_eq!(
        calls[0].body.as_ref().unwrap()["parameters"],
        json!({"size": 2})
    );
    let plain = json!({"service_plan_id": id(shop.plan("plain"))});
    admin
        .patch(&path(&shared), &plain)
        .await
        .refused(400, "BadRequest");
    assert_eq!(shop.world.broker.calls_of(Verb::Update).len(), 1);
    let labels = json!({"labels": [{"op": "add", "key": "stage", "values": ["dev"]}]});
    for one in [&shared, &reference] {
        admin.patch(&path(one), &labels).await.expect(200);
        let shown = admin.get(&path(one)).await.expect(200);
        assert_eq!(shown["labels"]["stage"], json!(["dev"]), "{shown}");
    }
    let still: Value = admin.get(&path(&shared)).await.expect(200);
    assert_eq!(still["shared"], true, "a change leaves it shared");
    // What a platform changes stays shared, too.
    shop.door()
        .provision_as("theirs", &wanted(SYNC_PLAN))
        .await
        .expect(201);
    share(&admin, "theirs", true).await.expect(200);
    shop.door().update("theirs", &change).await.expect(200);
    assert_eq!(admin.get(&path("theirs")).await.expect(200)["shared"], true);
}
