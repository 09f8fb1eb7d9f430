//! Which instance may move to the manager.

use super::{instance, plan, verdict};
use qm_model::id::{BrokerId, OfferingId, PlatformId};
use qm_model::offering::Offering;
use qm_model::{Labels, Meta, Time};
use qm_policy::share::may_transfer;
use serde_json::json;

fn offering(allow_context_updates: bool) -> Offering {
    Offering {
        id: OfferingId::new("o").unwrap(),
        broker_id: BrokerId::new("b").unwrap(),
        name: "o".to_owned(),
        description: String::new(),
        bindable: true,
        plan_updateable: true,
        instances_retrievable: true,
        bindings_retrievable: true,
        allow_context_updates,
        tags: Vec::new(),
        requires: Vec::new(),
        metadata: None,
        catalog_id: "o".to_owned(),
        catalog_name: "o".to_owned(),
        data_center: String::new(),
        meta: Meta::new(Time(0), Labels::new()),
    }
}

#[test]
fn every_reason_has_its_word() {
    let anywhere = plan("a", None);
    let elsewhere = plan("a", Some(json!({"supportedPlatforms": ["kubernetes"]})));
    let here = plan(
        "a",
        Some(json!({"supportedPlatforms": ["service-manager"]})),
    );
    let theirs = instance("a", None, None);
    let mut ours = theirs.clone();
    ours.platform_id = PlatformId::manager();
    let reference = instance("a", None, Some("x"));
    let to = "service-manager";
    // Enabled, instance, plan, context updates, to: verdict.
    let rows = [
        (true, &theirs, &anywhere, true, to, "ok"),
        (true, &theirs, &here, true, to, "ok"),
        (
            false,
            &theirs,
            &anywhere,
            true,
            to,
            "400 TransferDisabled transfer",
        ),
        (
            true,
            &theirs,
            &anywhere,
            true,
            "q",
            "400 InvalidTransfer transfer",
        ),
        (
            false,
            &theirs,
            &anywhere,
            true,
            "q",
            "400 InvalidTransfer transfer",
        ),
        (
            true,
            &reference,
            &anywhere,
            true,
            to,
            "400 InvalidTransfer transfer",
        ),
        (
            true,
            &theirs,
            &elsewhere,
            true,
            to,
            "400 UnsupportedPlatform transfer",
        ),
        (
            true,
            &theirs,
            &anywhere,
            false,
            to,
            "400 UnsupportedContextUpdate transfer",
        ),
        // It is there already, so nothing needs to be allowed.
        (false, &ours, &elsewhere, false, to, "ok"),
    ];
    for (enabled, instance, plan, context, to, wanted) in rows {
        let result = may_transfer(enabled, instance, &offering(context), plan, to);
        if let Ok(moves) = &result {
            assert_eq!(*moves, instance.platform_id != PlatformId::manager());
        }
        assert_eq!(
            verdict(result),
            wanted,
            "{enabled} {instance:?} {context} {to}"
        );
    }
}
