//! Rotation (B55): a new binding from an old one, which stays.

use crate::desk::{Desk, both};
use crate::puppet::{Deed, End, Gate, OTHER_PLAN, OTHER_SERVICE, SMALL};
use serde_json::json;

both!(
    a_minimal_body_is_enough,
    the_predecessor_must_be_a_valid_binding_of_the_instance,
    a_rotation_may_come_later,
    a_rotation_is_still_known_when_its_predecessor_is_gone,
);

async fn a_minimal_body_is_enough(desk: Desk) {
    desk.provision("i", false).await.is(201);
    let app = json!({ "parameters": { "a": 1 }, "bind_resource": { "app_guid": "app" } });
    desk.bind_with("i", "b", false, app).await.is(201);
    let rotated = desk.rotate("i", "c", "b", false).await.is(201);
    assert_eq!(rotated.body["credentials"]["key"], "i/c");
    assert_eq!(desk.world.last_seen(), r#"{"a":1} after b (known: true)"#);
    assert_eq!(
        desk.rotate("i", "c", "b", false).await.is(200).body,
        rotated.body
    );
    assert_eq!(desk.world.called("rotate"), 1);
    assert_eq!(
        desk.fetch_binding("i", "c").await.is(200).body["parameters"],
        json!({ "a": 1 })
    );
    // The old one stays valid, and the new one can be rotated again.
    desk.fetch_binding("i", "b").await.is(200);
    desk.rotate("i", "d", "c", false).await.is(201);
    assert_eq!(desk.world.last_seen(), r#"{"a":1} after c (known: true)"#);
    // A bind of that id is another thing, and so is a rotation from elsewhere.
    desk.bind_with("i", "c", false, json!({ "parameters": { "a": 1 } }))
        .await
        .is(409);
    desk.rotate("i", "c", "d", false).await.is(409);
    for binding in ["b", "c", "d"] {
        desk.unbind("i", binding, false).await.is(200);
    }
    desk.deprovision("i", false).await.is(200);
    assert!(desk.world.is_empty());
}

async fn the_predecessor_must_be_a_valid_binding_of_the_instance(desk: Desk) {
    desk.rotate("i", "c", "b", false).await.is(404);
    desk.provision("i", false).await.is(201);
    desk.provision("j", false).await.is(201);
    desk.bind("j", "foreign", false).await.is(201);
    desk.world.expire("2001-01-01T00:00:00.0Z");
    desk.bind("i", "expired", false).await.is(201);
    desk.world.expire("2999-01-01T00:00:00.0Z");
    desk.bind("i", "good", false).await.is(201);
    desk.bind("i", "gone", false).await.is(201);
    desk.unbind("i", "gone", false).await.is(200);
    desk.world.set("bind", Deed::now().ends(End::Break));
    desk.bind("i", "broken", false).await.is(500);
    for bad in ["unknown", "foreign", "expired", "gone", "broken", "new"] {
        let refused = desk.rotate("i", "new", bad, false).await.is(400);
        assert!(!refused.description().is_empty());
        desk.last_of_binding("i", "new", "").await.is(404);
    }
    desk.send(
        "PUT",
        "/v2/service_instances/i/service_bindings/new",
        Some(json!({ "predecessor_binding_id": 5 })),
    )
    .await
    .is(400);
    let whole =
        json!({ "predecessor_binding_id": "good", "service_id": OTHER_SERVICE, "plan_id": SMALL });
    desk.send(
        "PUT",
        "/v2/service_instances/i/service_bindings/new",
        Some(whole),
    )
    .await
    .is(400);
    assert_eq!(desk.world.called("rotate"), 0);
    desk.rotate("i", "new", "good", false).await.is(201);
}

#[tokio::test]
async fn a_plan_that_does_not_rotate_refuses() {
    let desk = Desk::new().await;
    let other = json!({ "service_id": OTHER_SERVICE, "plan_id": OTHER_PLAN });
    desk.provision_with("i", false, other.clone()).await.is(201);
    desk.bind_with("i", "b", false, other).await.is(201);
    let refused = desk.rotate("i", "c", "b", false).await.is(422);
    assert!(refused.description().contains("binding_rotatable"));
    desk.last_of_binding("i", "c", "").await.is(404);
}

async fn a_rotation_may_come_later(desk: Desk) {
    desk.provision("i", false).await.is(201);
    desk.bind("i", "b", false).await.is(201);
    let gate = Gate::shut();
    desk.world.set("rotate", Deed::later().behind(&gate));
    let operation = desk.rotate("i", "c", "b", true).await.is(202).operation();
    assert_eq!(
        desk.rotate("i", "c", "b", true).await.is(202).operation(),
        operation
    );
    desk.fetch_binding("i", "c").await.is(404);
    gate.open();
    desk.binding_ended("i", "c", &operation)
        .await
        .has_state("succeeded");
    assert_eq!(
        desk.fetch_binding("i", "c").await.is(200).body["credentials"]["key"],
        "i/c"
    );
}

/// A platform whose answer was lost asks again; by then the old binding may be gone or expired.
async fn a_rotation_is_still_known_when_its_predecessor_is_gone(desk: Desk) {
    desk.provision("i", false).await.is(201);
    desk.bind("i", "b", false).await.is(201);
    let rotated = desk.rotate("i", "c", "b", false).await.is(201);
    desk.unbind("i", "b", false).await.is(200);
    assert_eq!(
        desk.rotate("i", "c", "b", false).await.is(200).body,
        rotated.body
    );
    desk.rotate("i", "d", "b", false).await.is(400);
}
