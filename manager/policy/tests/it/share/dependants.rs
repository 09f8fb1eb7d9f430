//! What references stand in the way of.

use super::{grant, verdict};
use qm_model::id::{InstanceId, PlatformId};
use qm_policy::share::{Consumer, may_delete, may_disable, may_revoke, may_unshare};
use std::collections::BTreeSet;

fn ids(many: usize) -> Vec<InstanceId> {
    let ids = (0..many).map(|n| InstanceId::new(format!("ref-{n}")).unwrap());
    ids.collect()
}

#[test]
fn the_ids_are_named() {
    let (none, two) = (ids(0), ids(2));
    assert_eq!(verdict(may_delete(&none)), "ok");
    assert_eq!(verdict(may_unshare(&none)), "ok");
    assert_eq!(verdict(may_disable("b", "p", &none)), "ok");
    for refusal in [
        may_delete(&two),
        may_unshare(&two),
        may_disable("b", "p", &two),
    ] {
        let refusal = refusal.unwrap_err();
        assert_eq!(refusal.error.status(), 400);
        let text = refusal.to_string();
        assert!(text.contains("ref-0, ref-1"), "{text}");
    }
    let text = may_delete(&ids(60)).unwrap_err().to_string();
    assert!(text.contains("ref-49, and others"), "{text}");
    assert!(!text.contains("ref-50"), "{text}");
}

#[test]
fn a_grant_that_a_reference_lives_by_stays() {
    let consumer = |tenants: &[&str], platform: &str| {
        let consumer = Consumer {
            tenants: tenants.iter().map(|one| (*one).to_owned()).collect(),
            platform: PlatformId::new(platform).unwrap(),
            everywhere: false,
        };
        (InstanceId::new("ref").unwrap(), consumer)
    };
    let (tenant, platform) = (grant(Some("u"), None), grant(None, Some("q")));
    let used = "409 ExistingReferenceEntity grant-used";
    // The grant, the others, a reference's tenants and platform.
    let rows = [
        (&tenant, vec![], consumer(&["u"], "p"), used),
        (&platform, vec![], consumer(&["v"], "q"), used),
        // Of somebody else, or of the owner.
        (&tenant, vec![], consumer(&["v"], "p"), "ok"),
        (&tenant, vec![], consumer(&["t"], "p"), "ok"),
        (&platform, vec![], consumer(&["t"], "q"), "ok"),
        // Another grant is enough for it.
        (&tenant, vec![platform.clone()], consumer(&["u"], "q"), "ok"),
        (&platform, vec![tenant.clone()], consumer(&["u"], "q"), "ok"),
        (&tenant, vec![platform.clone()], consumer(&["u"], "p"), used),
    ];
    let owners = BTreeSet::from(["t".to_owned()]);
    for (grant, others, reference, wanted) in rows {
        let shown = format!("{grant:?} {others:?} {reference:?}");
        let result = may_revoke(grant, &others, &owners, &[reference]);
        assert_eq!(verdict(result), wanted, "{shown}");
    }
    assert_eq!(verdict(may_revoke(&tenant, &[], &owners, &[])), "ok");
}
