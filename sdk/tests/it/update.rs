//! Update: what may change, what stays, and what a failure leaves (B40 to B45).

use crate::desk::{Desk, both};
use crate::puppet::{
    Deed, End, FIXED, Gate, LARGE, OTHER_PLAN, OTHER_SERVICE, SERVICE, SHORT, SMALL,
};
use serde_json::json;

both!(
    the_plan_changes_where_the_catalog_allows_it,
    parameters_are_laid_over,
    nothing_to_do_is_done,
    a_context_alone_must_be_announced,
    maintenance_versions_must_be_the_catalogs,
    a_failed_update_keeps_what_was,
    a_refused_update_keeps_what_was_and_what_was_said,
    one_update_at_a_time,
    an_asynchronous_update_applies_at_its_end,
    delete_waits_for_an_update,
);

async fn the_plan_changes_where_the_catalog_allows_it(desk: Desk) {
    desk.provision("i", false).await.is(201);
    desk.update("i", false, json!({ "plan_id": LARGE }))
        .await
        .is(200);
    assert_eq!(
        desk.world.last_seen(),
        r#"small->large nothing over {} version Some("2.0.0")"#
    );
    let fetched = desk.fetch("i").await.is(200);
    assert_eq!(fetched.body["plan_id"], LARGE);
    assert_eq!(fetched.body["maintenance_info"]["version"], "2.0.0");
    desk.provision_with("j", false, json!({ "plan_id": FIXED }))
        .await
        .is(201);
    let refused = desk
        .update("j", false, json!({ "plan_id": LARGE }))
        .await
        .is(422);
    assert!(refused.description().contains("plan_updateable"));
    desk.update(
        "j",
        false,
        json!({ "plan_id": FIXED, "parameters": { "a": 1 } }),
    )
    .await
    .is(200);
    desk.update("i", false, json!({ "plan_id": "no-plan" }))
        .await
        .is(400);
    desk.update("i", false, json!({ "plan_id": OTHER_PLAN }))
        .await
        .is(400);
    desk.update("i", false, json!({ "service_id": "no-service" }))
        .await
        .is(400);
    desk.update(
        "i",
        false,
        json!({ "service_id": OTHER_SERVICE, "plan_id": OTHER_PLAN }),
    )
    .await
    .is(400);
    desk.update("i", false, json!({ "service_id": null, "plan_id": SMALL }))
        .await
        .is(400);
    assert_eq!(desk.world.called("update"), 2);
}

async fn parameters_are_laid_over(desk: Desk) {
    desk.provision_with(
        "i",
        false,
        json!({ "parameters": { "a": 1, "b": { "c": 2 } } }),
    )
    .await
    .is(201);
    desk.update(
        "i",
        false,
        json!({ "parameters": { "b": { "d": 3 }, "e": null } }),
    )
    .await
    .is(200);
    assert_eq!(
        desk.world.last_seen(),
        r#"small->small {"b":{"d":3},"e":null} over {"a":1,"b":{"c":2}} version None"#
    );
    let wanted = json!({ "a": 1, "b": { "d": 3 }, "e": null });
    assert_eq!(desk.fetch("i").await.is(200).body["parameters"], wanted);
    desk.update("i", false, json!({ "plan_id": LARGE }))
        .await
        .is(200);
    assert_eq!(desk.fetch("i").await.is(200).body["parameters"], wanted);
    desk.world.set("deprovision", Deed::now());
    desk.deprovision("i", false).await.is(200);
    assert_eq!(desk.world.last_seen(), wanted.to_string());
}

async fn nothing_to_do_is_done(desk: Desk) {
    desk.provision("i", false).await.is(201);
    desk.update("i", false, json!({})).await.is(200);
    desk.update("i", false, json!({ "plan_id": SMALL }))
        .await
        .is(200);
    desk.update(
        "i",
        false,
        json!({ "previous_values": { "plan_id": LARGE } }),
    )
    .await
    .is(200);
    assert_eq!(desk.world.called("update"), 0);
}

async fn a_context_alone_must_be_announced(desk: Desk) {
    let named = json!({ "context": { "platform": "test", "instance_name": "new" } });
    desk.provision("i", false).await.is(201);
    let refused = desk.update("i", false, named.clone()).await.is(422);
    assert!(refused.description().contains("allow_context_updates"));
    let other = json!({ "service_id": OTHER_SERVICE, "plan_id": OTHER_PLAN });
    desk.provision_with("j", false, other).await.is(201);
    let mut named = named;
    named["service_id"] = json!(OTHER_SERVICE);
    desk.update("j", false, named).await.is(200);
    assert_eq!(desk.world.called("update"), 1);
    // With a change it may always come along.
    let both = json!({ "context": { "instance_name": "new" }, "parameters": { "a": 1 } });
    desk.update("i", false, both).await.is(200);
}

async fn maintenance_versions_must_be_the_catalogs(desk: Desk) {
    let version = |version: &str| json!({ "maintenance_info": { "version": version } });
    desk.provision_with("i", false, version("9.0.0"))
        .await
        .has_word(422, "MaintenanceInfoConflict");
    desk.last("i", "").await.is(404);
    desk.provision_with("i", false, version("1.0.0"))
        .await
        .is(201);
    // Only the version counts, and only on the first request.
    desk.provision("i", false).await.is(200);
    desk.update("i", false, version("9.0.0"))
        .await
        .has_word(422, "MaintenanceInfoConflict");
    desk.update("i", false, version("2.0.0"))
        .await
        .has_word(422, "MaintenanceInfoConflict");
    desk.update("i", false, version("1.0.0")).await.is(200);
    let both = json!({ "plan_id": LARGE, "maintenance_info": { "version": "1.0.0" } });
    desk.update("i", false, both)
        .await
        .has_word(422, "MaintenanceInfoConflict");
    let both =
        json!({ "plan_id": LARGE, "maintenance_info": { "version": "2.0.0", "description": "x" } });
    desk.update("i", false, both).await.is(200);
    // T7: a plan without one.
    let none = json!({ "plan_id": SHORT, "maintenance_info": { "version": "1.0.0" } });
    desk.provision_with("j", false, none)
        .await
        .has_word(422, "MaintenanceInfoConflict");
}

async fn a_failed_update_keeps_what_was(desk: Desk) {
    desk.provision_with("i", false, json!({ "parameters": { "a": 1 } }))
        .await
        .is(201);
    let change = json!({ "plan_id": LARGE, "parameters": { "a": 2 } });
    desk.world.set("update", Deed::now().ends(End::Ruin));
    let ruined = desk.update("i", false, change.clone()).await.is(500);
    assert_eq!(ruined.body["instance_usable"], false);
    assert_eq!(ruined.body["update_repeatable"], false);
    desk.world.set("update", Deed::later().ends(End::Ruin));
    let operation = desk
        .update("i", true, change.clone())
        .await
        .is(202)
        .operation();
    let ruined = desk.ended("i", &operation).await.has_state("failed");
    assert_eq!(ruined.body["instance_usable"], false);
    assert_eq!(ruined.body["update_repeatable"], false);
    let fetched = desk.fetch("i").await.is(200);
    assert_eq!(
        (&fetched.body["plan_id"], &fetched.body["parameters"]),
        (&json!(SMALL), &json!({ "a": 1 }))
    );
    desk.world.set("update", Deed::now());
    desk.update("i", false, change).await.is(200);
    let fetched = desk.fetch("i").await.is(200);
    assert_eq!(
        (&fetched.body["plan_id"], &fetched.body["parameters"]),
        (&json!(LARGE), &json!({ "a": 2 }))
    );
    let last = desk.last("i", "").await.has_state("succeeded");
    assert!(last.body.get("instance_usable").is_none());
}

async fn a_refused_update_keeps_what_was_and_what_was_said(desk: Desk) {
    desk.provision_with("i", false, json!({ "parameters": { "a": 1 } }))
        .await
        .is(201);
    desk.world.set("update", Deed::later().ends(End::Ruin));
    let operation = desk
        .update("i", true, json!({ "plan_id": LARGE }))
        .await
        .is(202)
        .operation();
    desk.ended("i", &operation).await.has_state("failed");
    desk.world.set("update", Deed::now().ends(End::Refuse(422)));
    desk.update("i", false, json!({ "plan_id": LARGE }))
        .await
        .is(422);
    desk.world.set("update", Deed::later());
    desk.update("i", false, json!({ "plan_id": LARGE }))
        .await
        .has_word(422, "AsyncRequired");
    let last = desk.last("i", &operation).await.has_state("failed");
    assert_eq!(last.description(), "the puppet ruined it");
    assert_eq!(last.body["instance_usable"], false);
    assert_eq!(last.body["update_repeatable"], false);
    let fetched = desk.fetch("i").await.is(200);
    assert_eq!(
        (&fetched.body["plan_id"], &fetched.body["parameters"]),
        (&json!(SMALL), &json!({ "a": 1 }))
    );
}

async fn one_update_at_a_time(desk: Desk) {
    desk.provision("i", false).await.is(201);
    let gate = Gate::shut();
    desk.world.set("update", Deed::later().behind(&gate));
    let change = json!({ "parameters": { "a": 1 } });
    let operation = desk
        .update("i", true, change.clone())
        .await
        .is(202)
        .operation();
    assert_eq!(
        desk.update("i", true, change.clone())
            .await
            .is(202)
            .operation(),
        operation
    );
    desk.update("i", false, change)
        .await
        .has_word(422, "AsyncRequired");
    desk.update("i", true, json!({ "parameters": { "a": 2 } }))
        .await
        .has_word(422, "ConcurrencyError");
    desk.update("i", true, json!({ "plan_id": LARGE }))
        .await
        .has_word(422, "ConcurrencyError");
    desk.bind("i", "b", false)
        .await
        .has_word(422, "ConcurrencyError");
    gate.open();
    desk.ended("i", &operation).await.has_state("succeeded");
    assert_eq!(desk.world.called("update"), 1);
}

async fn an_asynchronous_update_applies_at_its_end(desk: Desk) {
    desk.provision("i", false).await.is(201);
    let gate = Gate::shut();
    desk.world.set(
        "update",
        Deed::later().behind(&gate).dashboard("http://dashboard/i"),
    );
    let accepted = desk
        .update("i", true, json!({ "plan_id": LARGE }))
        .await
        .is(202);
    assert_eq!(accepted.body["dashboard_url"], "http://dashboard/i");
    assert_eq!(desk.fetch("i").await.is(200).body["plan_id"], SMALL);
    gate.open();
    desk.ended("i", &accepted.operation())
        .await
        .has_state("succeeded");
    let fetched = desk.fetch("i").await.is(200);
    assert_eq!(fetched.body["plan_id"], LARGE);
    assert_eq!(fetched.body["dashboard_url"], "http://dashboard/i");
    // The old plan's id still deletes (a platform that missed the change).
    let path = format!("/v2/service_instances/i?service_id={SERVICE}&plan_id={SMALL}");
    desk.send("DELETE", &path, None).await.is(200);
}

async fn delete_waits_for_an_update(desk: Desk) {
    desk.provision("i", false).await.is(201);
    let gate = Gate::shut();
    desk.world.set("update", Deed::later().behind(&gate));
    let operation = desk
        .update("i", true, json!({ "plan_id": LARGE }))
        .await
        .is(202)
        .operation();
    desk.deprovision("i", true)
        .await
        .has_word(422, "ConcurrencyError");
    gate.open();
    desk.ended("i", &operation).await.has_state("succeeded");
    desk.deprovision("i", true).await.is(200);
}
