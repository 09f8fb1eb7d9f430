//! Who may refer to what, across tenants and platforms.

use super::shop::{Shop, path, share};
use crate::harness::answer::{id, items};
use crate::harness::{Engine, Platform};
use serde_json::json;

on_both_engines!(
    across_tenants_only_with_a_grant,
    a_platform_that_is_granted_may_refer,
);

async fn across_tenants_only_with_a_grant(engine: Engine) {
    let shop = Shop::open(engine).await;
    let red = shop.developer("ruby", "red").await;
    let blue = shop.developer("bob", "blue").await;
    let shared = shop.make_shared(&red, "one", "sync").await;
    let grants = format!("{}/grants", path(&shared));
    let by_id = json!({"referenced_instance_id": shared});
    // Of its own tenant everybody may.
    let own = shop.refer(&red, "own", &by_id).await.expect(201);
    red.delete(&path(&id(&own))).await.expect(200);
    // For others it is not there, whichever way they look.
    let looks = [
        by_id.clone(),
        json!({"referenced_instance_id": "*"}),
        json!({"selectors": {"instance_name_selector": "one"}}),
    ];
    for look in &looks {
        shop.refer(&blue, "mine", look)
            .await
            .refused(404, "NotFound");
    }
    let nowhere = json!({"referenced_instance_id": "nowhere"});
    let missing = shop.refer(&blue, "mine", &nowhere).await;
    let hidden = shop.refer(&blue, "mine", &by_id).await;
    assert_eq!(
        missing.refused(404, "NotFound"),
        hidden.refused(404, "NotFound"),
        "what is hidden is not told from what is not there"
    );
    let to_blue = json!({"tenant": "blue"});
    blue.get(&grants).await.expect(404);
    blue.post(&grants, &to_blue).await.expect(404);

    assert_eq!(
        items(&red.get(&grants).await.expect(200)),
        Vec::<serde_json::Value>::new()
    );
    let grant = red.post(&grants, &to_blue).await.expect(201);
    assert_eq!(grant["tenant"], "blue");
    assert_eq!(grant["service_instance_id"], shared.as_str());
    assert_eq!(grant["granted_by"], "ruby");
    red.post(&grants, &to_blue).await.refused(409, "Conflict");
    for wrong in [
        json!({}),
        json!({"tenant": ""}),
        json!({"tenant": "a", "platform_id": "b"}),
    ] {
        red.post(&grants, &wrong).await.expect(400);
    }
    assert_eq!(
        items(&red.get(&grants).await.expect(200)),
        std::slice::from_ref(&grant)
    );
    let made = shop.refer(&blue, "mine", &looks[1]).await.expect(201);
    assert_eq!(made["referenced_instance_id"], shared.as_str());
    // To refer is not to see, nor to change.
    blue.get(&path(&shared)).await.expect(404);
    share(&blue, &shared, false).await.expect(404);

    let this = format!("{grants}/{}", id(&grant));
    let said = red
        .delete(&this)
        .await
        .refused(409, "ExistingReferenceEntity");
    assert!(said.contains(&id(&made)), "{said}");
    red.delete(&format!("{grants}/nowhere")).await.expect(404);
    blue.delete(&path(&id(&made))).await.expect(200);
    blue.delete(&this).await.expect(404);
    red.delete(&this).await.expect(200);
    shop.refer(&blue, "mine", &by_id)
        .await
        .refused(404, "NotFound");
    let audit = shop.admin().get("/v1/audit?max_items=200").await;
    let audit = audit.expect(200).to_string();
    for word in ["\"grant\"", "\"revoke\""] {
        assert!(audit.contains(word), "no {word} in {audit}");
    }
}

async fn a_platform_that_is_granted_may_refer(engine: Engine) {
    let shop = Shop::open(engine).await;
    let red = shop.developer("ruby", "red").await;
    let shared = shop.make_shared(&red, "one", "sync").await;
    let grants = format!("{}/grants", path(&shared));
    let wanted = shop.wanted(&json!({"referenced_instance_id": shared}));
    let (granted, other) = (
        shop.world.platform.clone(),
        Platform::register(&shop.world.manager, "k2", "kubernetes").await,
    );
    let (door, elsewhere) = (shop.door(), shop.world.door_of(&other));
    door.provision_as("r", &wanted)
        .await
        .refused(404, "NotFound");
    let unknown = json!({"platform_id": "nowhere"});
    red.post(&grants, &unknown).await.refused(400, "BadRequest");
    let grant = json!({"platform_id": granted.id});
    let grant = red.post(&grants, &grant).await.expect(201);
    assert_eq!(grant["platform_id"], granted.id.as_str());
    door.provision_as("r", &wanted).await.expect(201);
    elsewhere
        .provision_as("s", &wanted)
        .await
        .refused(404, "NotFound");
    let this = format!("{grants}/{}", id(&grant));
    let said = red
        .delete(&this)
        .await
        .refused(409, "ExistingReferenceEntity");
    assert!(said.contains(": r"), "{said}");
    // A platform of the tenant needs none.
    let own = json!({"name": "red-k8s", "type": "kubernetes", "labels": {"tenant": ["red"]}});
    let own = Platform::register_as(&shop.world.manager, &own).await;
    let own = shop.world.door_of(&own);
    own.provision_as("t", &wanted).await.expect(201);
    // It cannot pass for another tenant's, and another tenant's cannot pass for it.
    let blue = json!({"name": "blue-k8s", "type": "kubernetes", "labels": {"tenant": ["blue"]}});
    let blue = Platform::register_as(&shop.world.manager, &blue).await;
    let mut forged = wanted.clone();
    forged["context"]["tenant"] = json!("red");
    let blue = shop.world.door_of(&blue);
    blue.provision_as("u", &forged)
        .await
        .refused(404, "NotFound");

    door.deprovision_of("r", &shop.reference_plan())
        .await
        .expect(200);
    red.delete(&this).await.expect(200);
    door.provision_as("r", &wanted)
        .await
        .refused(404, "NotFound");
}
