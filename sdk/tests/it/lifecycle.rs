//! Which code for which id: never seen, there, under way, failed, gone (B20, B50, B60, T4, T5, T6, T9, T12).

use crate::desk::{Desk, both};
use crate::puppet::{Deed, End, Gate, LARGE, SERVICE, SMALL, Thing};
use quartermaster_sdk::DeletedOperation;
use serde_json::json;

both!(
    the_codes_of_an_instance,
    the_codes_of_a_binding,
    an_asynchronous_create_keeps_its_operation,
    an_asynchronous_delete_keeps_its_operation,
    other_attributes_are_a_conflict,
    what_failed_can_be_made_again_or_deleted,
    a_failed_asynchronous_create_can_be_made_again_or_deleted,
    what_failed_to_go_is_still_there,
    a_refusal_leaves_no_trace,
    a_refused_delete_leaves_it_there,
    a_deleted_id_may_be_used_again,
    a_refusal_over_a_tombstone_leaves_the_tombstone,
    bindings_keep_an_instance_alive,
    delete_wants_the_ids,
    unknown_operations_mean_the_latest,
    operations_that_were_replaced_are_remembered,
);

async fn the_codes_of_an_instance(desk: Desk) {
    desk.fetch("i").await.is(404);
    desk.last("i", "").await.is(404);
    desk.update("i", false, json!({ "parameters": { "a": 1 } }))
        .await
        .is(404);
    assert_eq!(desk.deprovision("i", false).await.is(410).body, json!({}));
    let made = desk.provision("i", false).await.is(201);
    assert_eq!(made.body["metadata"]["labels"]["made"], "here");
    // T4: also for a platform that could wait.
    desk.provision("i", false).await.is(200);
    assert_eq!(desk.provision("i", true).await.is(200).body, made.body);
    assert_eq!(desk.world.called("provision"), 1);
    desk.last("i", "").await.has_state("succeeded");
    let fetched = desk.fetch("i").await.is(200);
    assert_eq!(fetched.body["service_id"], SERVICE);
    assert_eq!(fetched.body["plan_id"], SMALL);
    assert_eq!(fetched.body["maintenance_info"]["version"], "1.0.0");
    assert_eq!(desk.deprovision("i", false).await.is(200).body, json!({}));
    desk.deprovision("i", false).await.is(410);
    desk.fetch("i").await.is(404);
    desk.update("i", false, json!({ "parameters": { "a": 1 } }))
        .await
        .is(404);
    desk.last("i", "").await.has_state("succeeded");
    assert_eq!(desk.world.called("deprovision"), 1);
    assert!(desk.world.is_empty());
}

async fn the_codes_of_a_binding(desk: Desk) {
    desk.bind("i", "b", false).await.is(404);
    desk.unbind("i", "b", false).await.is(410);
    desk.provision("i", false).await.is(201);
    desk.fetch_binding("i", "b").await.is(404);
    desk.last_of_binding("i", "b", "").await.is(404);
    desk.unbind("i", "b", false).await.is(410);
    let made = desk.bind("i", "b", false).await.is(201);
    assert_eq!(made.body["credentials"], json!({ "key": "i/b" }));
    assert_eq!(desk.bind("i", "b", true).await.is(200).body, made.body);
    assert_eq!(desk.world.called("bind"), 1);
    desk.bind_with("i", "b", false, json!({ "parameters": { "a": 1 } }))
        .await
        .is(409);
    desk.bind_with("i", "b", false, json!({ "plan_id": LARGE }))
        .await
        .is(409);
    desk.bind_with(
        "i",
        "b",
        false,
        json!({ "bind_resource": { "app_guid": "app" } }),
    )
    .await
    .is(409);
    desk.bind_with("i", "c", false, json!({ "plan_id": LARGE }))
        .await
        .is(400);
    let fetched = desk.fetch_binding("i", "b").await.is(200);
    assert_eq!(fetched.body["credentials"], made.body["credentials"]);
    desk.last_of_binding("i", "b", "")
        .await
        .has_state("succeeded");
    desk.unbind("i", "b", false).await.is(200);
    desk.unbind("i", "b", false).await.is(410);
    desk.fetch_binding("i", "b").await.is(404);
    desk.last_of_binding("i", "b", "")
        .await
        .has_state("succeeded");
    desk.deprovision("i", false).await.is(200);
    desk.bind("i", "b", false).await.is(404);
    assert!(desk.world.is_empty());
}

async fn an_asynchronous_create_keeps_its_operation(desk: Desk) {
    let gate = Gate::shut();
    desk.world.all(&Deed::later().behind(&gate));
    let operation = desk.provision("i", true).await.is(202).operation();
    desk.world.entered("provision", 1).await;
    assert_eq!(
        desk.provision("i", true).await.is(202).operation(),
        operation
    );
    desk.provision("i", false)
        .await
        .has_word(422, "AsyncRequired");
    desk.provision_with("i", true, json!({ "space_guid": "elsewhere" }))
        .await
        .is(409);
    desk.provision_with("i", true, json!({ "plan_id": LARGE }))
        .await
        .is(409);
    desk.fetch("i").await.is(404);
    desk.bind("i", "b", true)
        .await
        .has_word(422, "ConcurrencyError");
    desk.update("i", true, json!({ "plan_id": LARGE }))
        .await
        .has_word(422, "ConcurrencyError");
    desk.last("i", &operation).await.has_state("in progress");
    gate.open();
    desk.ended("i", &operation).await.has_state("succeeded");
    desk.fetch("i").await.is(200);
    desk.provision("i", true).await.is(200);
    let bound = desk.bind("i", "b", true).await.is(202);
    assert!(bound.body.get("credentials").is_none());
    let bound = bound.operation();
    desk.binding_ended("i", "b", &bound)
        .await
        .has_state("succeeded");
    assert_eq!(
        desk.fetch_binding("i", "b").await.is(200).body["credentials"]["key"],
        "i/b"
    );
    desk.bind("i", "b", true).await.is(200);
    assert_eq!(
        (desk.world.called("provision"), desk.world.called("bind")),
        (1, 1)
    );
}

async fn an_asynchronous_delete_keeps_its_operation(desk: Desk) {
    desk.provision("i", false).await.is(201);
    desk.bind("i", "b", false).await.is(201);
    let gate = Gate::shut();
    desk.world.all(&Deed::later().behind(&gate));
    let unbound = desk.unbind("i", "b", true).await.is(202).operation();
    assert_eq!(
        desk.unbind("i", "b", true).await.is(202).operation(),
        unbound
    );
    desk.unbind("i", "b", false)
        .await
        .has_word(422, "AsyncRequired");
    desk.bind("i", "b", true)
        .await
        .has_word(422, "ConcurrencyError");
    desk.last_of_binding("i", "b", &unbound)
        .await
        .has_state("in progress");
    gate.open();
    desk.binding_ended("i", "b", &unbound)
        .await
        .has_state("succeeded");
    let gate = Gate::shut();
    desk.world.all(&Deed::later().behind(&gate));
    let gone = desk.deprovision("i", true).await.is(202).operation();
    assert_eq!(desk.deprovision("i", true).await.is(202).operation(), gone);
    desk.provision("i", true)
        .await
        .has_word(422, "ConcurrencyError");
    desk.bind("i", "c", true)
        .await
        .has_word(422, "ConcurrencyError");
    desk.update("i", true, json!({ "plan_id": LARGE }))
        .await
        .has_word(422, "ConcurrencyError");
    desk.fetch("i").await.is(404);
    gate.open();
    desk.ended("i", &gone).await.has_state("succeeded");
    desk.deprovision("i", true).await.is(410);
    assert!(desk.world.is_empty());
    assert_eq!(
        (
            desk.world.called("deprovision"),
            desk.world.called("unbind")
        ),
        (1, 1)
    );
}

#[tokio::test]
async fn a_finished_delete_is_gone_where_that_is_wanted() {
    let desk = Desk::tuned(|builder| builder.deleted_operation(DeletedOperation::Gone)).await;
    desk.last("i", "").await.is(404);
    desk.provision("i", false).await.is(201);
    desk.last("i", "").await.has_state("succeeded");
    let gate = Gate::shut();
    desk.world.all(&Deed::later().behind(&gate));
    let bound = desk.bind("i", "b", true).await.is(202).operation();
    gate.open();
    desk.binding_ended("i", "b", &bound)
        .await
        .has_state("succeeded");
    let unbound = desk.unbind("i", "b", true).await.is(202).operation();
    let gone = desk.binding_ended("i", "b", &unbound).await.is(410);
    assert_eq!(gone.body, json!({}));
    let gone = desk.deprovision("i", true).await.is(202).operation();
    desk.ended("i", &gone).await.is(410);
    desk.last("i", "").await.is(410);
}

/// T12: the place counts, the context does not.
async fn other_attributes_are_a_conflict(desk: Desk) {
    desk.provision_with("i", false, json!({ "parameters": { "a": 1, "b": [1, 2] } }))
        .await
        .is(201);
    let same = json!({ "parameters": { "b": [1, 2], "a": 1 }, "context": { "instance_name": "x" },
                       "x_vendor": { "more": true } });
    desk.provision_with("i", false, same).await.is(200);
    for other in [
        json!({}),
        json!({ "parameters": { "a": 1, "b": [2, 1] } }),
        json!({ "parameters": { "a": 1, "b": [1, 2] }, "organization_guid": "another" }),
        json!({ "parameters": { "a": 1, "b": [1, 2] }, "space_guid": "another" }),
        json!({ "parameters": { "a": 1, "b": [1, 2] }, "plan_id": LARGE }),
    ] {
        desk.provision_with("i", false, other).await.is(409);
    }
    assert_eq!(desk.world.called("provision"), 1);
}

async fn what_failed_can_be_made_again_or_deleted(desk: Desk) {
    desk.world.set("provision", Deed::now().ends(End::Break));
    desk.world.set("bind", Deed::now().ends(End::Break));
    let broken = desk.provision("i", false).await.is(500);
    assert_eq!(broken.description(), "the puppet broke");
    assert_eq!(desk.world.thing("i"), Some(Thing::Half));
    desk.last("i", "").await.has_state("failed");
    desk.fetch("i").await.is(404);
    desk.bind("i", "b", false).await.is(404);
    desk.update("i", false, json!({ "plan_id": LARGE }))
        .await
        .is(422);
    desk.provision_with("i", false, json!({ "space_guid": "another" }))
        .await
        .is(409);
    desk.provision("i", false).await.is(500);
    desk.world.set("provision", Deed::now());
    desk.provision("i", false).await.is(201);
    desk.provision("i", false).await.is(200);
    assert_eq!(desk.world.called("provision"), 3);
    desk.bind("i", "b", false).await.is(500);
    desk.fetch_binding("i", "b").await.is(404);
    desk.unbind("i", "b", false).await.is(200);
    assert_eq!(desk.world.last_seen(), "made: false");
    assert_eq!(desk.world.thing("i/b"), None);
    desk.world.set("provision", Deed::now().ends(End::Break));
    desk.provision("j", false).await.is(500);
    desk.deprovision("j", false).await.is(200);
    desk.deprovision("i", false).await.is(200);
    assert!(desk.world.is_empty());
}

async fn a_failed_asynchronous_create_can_be_made_again_or_deleted(desk: Desk) {
    desk.world.all(&Deed::later().ends(End::Break));
    let operation = desk.provision("i", true).await.is(202).operation();
    let failed = desk.ended("i", &operation).await.has_state("failed");
    assert_eq!(failed.description(), "the puppet broke");
    desk.world.set("provision", Deed::later());
    let again = desk.provision("i", true).await.is(202).operation();
    assert_ne!(again, operation);
    desk.ended("i", &again).await.has_state("succeeded");
    // The first one is still known by its id.
    desk.last("i", &operation).await.has_state("failed");
    let bound = desk.bind("i", "b", true).await.is(202).operation();
    desk.binding_ended("i", "b", &bound)
        .await
        .has_state("failed");
    desk.world.set("unbind", Deed::later());
    desk.world.set("deprovision", Deed::later());
    let unbound = desk.unbind("i", "b", true).await.is(202).operation();
    desk.binding_ended("i", "b", &unbound)
        .await
        .has_state("succeeded");
    let gone = desk.deprovision("i", true).await.is(202).operation();
    desk.ended("i", &gone).await.has_state("succeeded");
    assert!(desk.world.is_empty());
}

async fn what_failed_to_go_is_still_there(desk: Desk) {
    desk.provision("i", false).await.is(201);
    desk.bind("i", "b", false).await.is(201);
    desk.world.set("unbind", Deed::now().ends(End::Break));
    desk.world.set("deprovision", Deed::later().ends(End::Ruin));
    desk.unbind("i", "b", false).await.is(500);
    desk.fetch_binding("i", "b").await.is(200);
    desk.last_of_binding("i", "b", "").await.has_state("failed");
    desk.world.set("unbind", Deed::now());
    desk.unbind("i", "b", false).await.is(200);
    let operation = desk.deprovision("i", true).await.is(202).operation();
    let failed = desk.ended("i", &operation).await.has_state("failed");
    assert_eq!(failed.body["instance_usable"], false);
    desk.fetch("i").await.is(200);
    desk.world.set("deprovision", Deed::now());
    desk.deprovision("i", false).await.is(200);
    assert!(desk.world.is_empty());
}

async fn a_refusal_leaves_no_trace(desk: Desk) {
    for code in [400, 403, 409, 422] {
        desk.world
            .set("provision", Deed::now().ends(End::Refuse(code)));
        desk.provision("i", false).await.is(code);
        desk.last("i", "").await.is(404);
        desk.deprovision("i", false).await.is(410);
    }
    // Another plan is no conflict: nothing was made.
    desk.world.set("provision", Deed::now());
    desk.provision_with("i", false, json!({ "plan_id": LARGE }))
        .await
        .is(201);
    desk.world.set("bind", Deed::now().ends(End::Refuse(422)));
    desk.bind_with("i", "b", false, json!({ "plan_id": LARGE }))
        .await
        .is(422);
    desk.last_of_binding("i", "b", "").await.is(404);
    desk.deprovision("i", false).await.is(200);
}

async fn a_refused_delete_leaves_it_there(desk: Desk) {
    desk.provision_with("i", false, json!({ "parameters": { "a": 1 } }))
        .await
        .is(201);
    desk.bind("i", "b", false).await.is(201);
    desk.world.set("unbind", Deed::now().ends(End::Refuse(422)));
    desk.world
        .set("deprovision", Deed::now().ends(End::Refuse(409)));
    desk.unbind("i", "b", false).await.is(422);
    desk.last_of_binding("i", "b", "")
        .await
        .has_state("succeeded");
    assert_eq!(
        desk.bind("i", "b", false).await.is(200).body["credentials"]["key"],
        "i/b"
    );
    desk.world.set("unbind", Deed::now());
    desk.unbind("i", "b", false).await.is(200);
    desk.deprovision("i", false).await.is(409);
    assert_eq!(
        desk.fetch("i").await.is(200).body["parameters"],
        json!({ "a": 1 })
    );
    desk.last("i", "").await.has_state("succeeded");
    desk.provision_with("i", false, json!({ "parameters": { "a": 1 } }))
        .await
        .is(200);
    desk.world.set("deprovision", Deed::now());
    desk.deprovision("i", false).await.is(200);
}

/// T9
async fn a_deleted_id_may_be_used_again(desk: Desk) {
    for round in 0..3 {
        let with = json!({ "parameters": { "round": round } });
        desk.provision_with("i", false, with).await.is(201);
        desk.bind_with("i", "b", false, json!({ "parameters": { "round": round } }))
            .await
            .is(201);
        assert_eq!(
            desk.fetch("i").await.is(200).body["parameters"]["round"],
            round
        );
        desk.unbind("i", "b", false).await.is(200);
        desk.deprovision("i", false).await.is(200);
    }
    assert_eq!(desk.world.called("provision"), 3);
}

async fn a_refusal_over_a_tombstone_leaves_the_tombstone(desk: Desk) {
    desk.provision("i", false).await.is(201);
    desk.deprovision("i", false).await.is(200);
    desk.world
        .set("provision", Deed::now().ends(End::Refuse(400)));
    desk.provision("i", false).await.is(400);
    desk.last("i", "").await.has_state("succeeded");
    desk.deprovision("i", false).await.is(410);
    desk.world.set("provision", Deed::now());
    desk.provision("i", false).await.is(201);
}

async fn bindings_keep_an_instance_alive(desk: Desk) {
    desk.provision("i", false).await.is(201);
    desk.bind("i", "b", false).await.is(201);
    let refused = desk.deprovision("i", false).await.is(422);
    assert!(
        refused.description().contains("unbind first"),
        "{}",
        refused.description()
    );
    desk.fetch("i").await.is(200);
    desk.unbind("i", "b", false).await.is(200);
    desk.deprovision("i", false).await.is(200);
}

/// T5: an absent binding is 410 before anything else; an absent instance is asked for its ids first.
async fn delete_wants_the_ids(desk: Desk) {
    let instance = "/v2/service_instances/i";
    let binding = "/v2/service_instances/i/service_bindings/b";
    let both = format!("service_id={SERVICE}&plan_id={SMALL}");
    desk.send("DELETE", instance, None).await.is(400);
    desk.send("DELETE", &format!("{instance}?service_id={SERVICE}"), None)
        .await
        .is(400);
    desk.send("DELETE", &format!("{instance}?{both}"), None)
        .await
        .is(410);
    desk.send("DELETE", binding, None).await.is(410);
    desk.provision("i", false).await.is(201);
    desk.bind("i", "b", false).await.is(201);
    for path in [binding, instance] {
        desk.send("DELETE", path, None).await.is(400);
        desk.send("DELETE", &format!("{path}?plan_id={SMALL}"), None)
            .await
            .is(400);
        desk.send(
            "DELETE",
            &format!("{path}?service_id=&plan_id={SMALL}"),
            None,
        )
        .await
        .is(400);
        desk.send(
            "DELETE",
            &format!("{path}?service_id=another&plan_id={SMALL}"),
            None,
        )
        .await
        .is(400);
        // T11: keys that come twice do not hurt.
        desk.send("DELETE", &format!("{path}?{both}&{both}"), None)
            .await
            .is(200);
        desk.send("DELETE", &format!("{path}?{both}"), None)
            .await
            .is(410);
    }
}

/// T6
async fn unknown_operations_mean_the_latest(desk: Desk) {
    desk.world.all(&Deed::later());
    let operation = desk.provision("i", true).await.is(202).operation();
    desk.ended("i", &operation).await.has_state("succeeded");
    desk.last("i", "provision").await.has_state("succeeded");
    desk.world.set("update", Deed::later().ends(End::Break));
    let update = desk
        .update("i", true, json!({ "plan_id": LARGE }))
        .await
        .is(202)
        .operation();
    desk.ended("i", &update).await.has_state("failed");
    desk.last("i", "update").await.has_state("failed");
    desk.last("i", &operation).await.has_state("succeeded");
}

async fn operations_that_were_replaced_are_remembered(desk: Desk) {
    desk.world.all(&Deed::later());
    let created = desk.provision("i", true).await.is(202).operation();
    desk.ended("i", &created).await.has_state("succeeded");
    desk.world.set("update", Deed::later().ends(End::Ruin));
    let updated = desk
        .update("i", true, json!({ "plan_id": LARGE }))
        .await
        .is(202)
        .operation();
    desk.ended("i", &updated).await.has_state("failed");
    let deleted = desk.deprovision("i", true).await.is(202).operation();
    desk.ended("i", &deleted).await.has_state("succeeded");
    desk.last("i", &created).await.has_state("succeeded");
    let failed = desk.last("i", &updated).await.has_state("failed");
    assert_eq!(failed.description(), "the puppet ruined it");
    assert_eq!(failed.body["instance_usable"], false);
    assert_eq!(failed.body["update_repeatable"], false);
    // Another instance's operation is no operation of this one.
    desk.provision("j", true).await.is(202);
    desk.ended("j", &updated).await.has_state("succeeded");
}
