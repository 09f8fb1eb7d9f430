//! Who may refer to what.

use super::{grant, instance, labels};
use qm_model::ctx::{Person, PlatformCaller};
use qm_model::id::PlatformId;
use qm_model::{Caller, Ctx, Labels};
use qm_policy::share::{Consumer, may_refer, owners};
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn consumer(tenants: &[&str], platform: &str) -> Consumer {
    Consumer {
        tenants: set(tenants),
        platform: PlatformId::new(platform).unwrap(),
        everywhere: false,
    }
}

#[test]
fn the_own_tenant_and_those_it_is_granted_to() {
    let tenant = || vec![grant(Some("u"), None)];
    let platform = || vec![grant(None, Some("q"))];
    // Owners, grants, the consumer's tenants, its platform: may it?
    let rows = [
        (&["t"][..], vec![], &["t"][..], "p", true),
        (&["t"], vec![], &["u"], "p", false),
        (&["t"], vec![], &[], "p", false),
        (&["t"], vec![], &["t"], "q", true),
        (&["s", "t"], vec![], &["t", "u"], "p", true),
        // Nobody has a tenant.
        (&[], vec![], &[], "p", true),
        (&[], vec![], &[], "q", true),
        // One side has one: that is another tenant.
        (&[], vec![], &["t"], "p", false),
        // Granted to a tenant, wherever it is.
        (&["t"], tenant(), &["u"], "p", true),
        (&["t"], tenant(), &["u"], "q", true),
        (&["t"], tenant(), &["v"], "q", false),
        (&["t"], tenant(), &[], "q", false),
        (&[], tenant(), &["u"], "q", true),
        // Granted to a platform, whoever asks there.
        (&["t"], platform(), &["u"], "q", true),
        (&["t"], platform(), &[], "q", true),
        (&["t"], platform(), &["u"], "p", false),
    ];
    for (owners, grants, tenants, platform, wanted) in rows {
        assert_eq!(
            may_refer(&set(owners), &grants, &consumer(tenants, platform)),
            wanted,
            "{owners:?} {grants:?} {tenants:?} {platform}"
        );
    }
}

#[test]
fn whoever_sees_everything_may_refer_to_everything() {
    let everywhere = Consumer {
        everywhere: true,
        ..consumer(&[], "service-manager")
    };
    assert!(may_refer(&set(&["t"]), &[], &everywhere));
}

fn platform(tenants: &[&str]) -> Caller {
    Caller::Platform(PlatformCaller {
        id: PlatformId::new("p").unwrap(),
        name: "p".to_owned(),
        platform_type: "kubernetes".to_owned(),
        username: String::new(),
        suspended: false,
        tenants: tenants.iter().map(|word| (*word).to_owned()).collect(),
    })
}

fn person(tenant: Option<&str>) -> Caller {
    Caller::Person(Person {
        subject: "s".to_owned(),
        name: "s".to_owned(),
        issuer: String::new(),
        roles: BTreeSet::new(),
        tenant: tenant.map(str::to_owned),
    })
}

#[test]
fn for_whom_a_reference_is_asked_for() {
    let claim = |tenant: &str| json!({"tenant": tenant});
    // Caller, labels, context: tenants, whether everything is open.
    let rows = [
        (
            person(Some("t")),
            labels(&[]),
            Value::Null,
            &["t"][..],
            false,
        ),
        // A confined caller cannot speak for others.
        (
            person(Some("t")),
            labels(&[("tenant", "u")]),
            Value::Null,
            &["t"],
            false,
        ),
        (
            person(None),
            labels(&[("tenant", "u")]),
            Value::Null,
            &["u"],
            false,
        ),
        (person(None), labels(&[]), Value::Null, &[], true),
        (platform(&[]), labels(&[]), Value::Null, &[], false),
        (platform(&[]), labels(&[]), claim("t"), &["t"], false),
        (platform(&[]), labels(&[]), claim(""), &[], false),
        (platform(&[]), labels(&[]), json!({"tenant": 5}), &[], false),
        (platform(&["t"]), labels(&[]), Value::Null, &["t"], false),
        (
            platform(&["t", "u"]),
            labels(&[]),
            claim("u"),
            &["u"],
            false,
        ),
        // A platform of one tenant cannot claim to be another's.
        (platform(&["t"]), labels(&[]), claim("u"), &["t"], false),
        (Caller::Anonymous, labels(&[]), claim("t"), &[], false),
    ];
    for (caller, labels, context, tenants, everywhere) in rows {
        let ctx = Ctx {
            caller,
            correlation_id: String::new(),
            remote: String::new(),
        };
        let made = Consumer::asking(&ctx, "tenant", &labels, context.as_object());
        assert_eq!(made.tenants, set(tenants), "{ctx:?} {context}");
        assert_eq!(made.everywhere, everywhere, "{ctx:?} {context}");
    }
}

#[test]
fn whose_an_instance_is() {
    // The instance's labels, its context, its platform's labels: tenants.
    let rows: [(Labels, Value, Option<Labels>, &[&str]); 7] = [
        (labels(&[]), Value::Null, None, &[]),
        (
            labels(&[("tenant", "t")]),
            json!({"tenant": "u"}),
            None,
            &["t"],
        ),
        (
            labels(&[("other", "t")]),
            json!({"tenant": "u"}),
            None,
            &["u"],
        ),
        (
            labels(&[]),
            Value::Null,
            Some(labels(&[("tenant", "v")])),
            &["v"],
        ),
        (
            labels(&[]),
            json!({"tenant": "u"}),
            Some(labels(&[("tenant", "v")])),
            &["v"],
        ),
        (
            labels(&[]),
            json!({"tenant": "v"}),
            Some(labels(&[("tenant", "v"), ("tenant", "w")])),
            &["v"],
        ),
        (labels(&[]), json!({"tenant": ""}), Some(labels(&[])), &[]),
    ];
    for (labels, context, platform, tenants) in rows {
        let mut one = instance("a", None, None);
        one.meta.labels = labels;
        one.context = Some(context).filter(|context| !context.is_null());
        assert_eq!(
            owners(&one, platform.as_ref(), "tenant"),
            set(tenants),
            "{one:?} {platform:?}"
        );
        let made = Consumer::of(&one, platform.as_ref(), "tenant");
        assert_eq!(made.tenants, set(tenants));
        assert!(!made.everywhere);
    }
}
