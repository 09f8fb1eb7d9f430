//! Who may refer to a shared instance.
//!
//! The rule: whoever shares its tenant, and whoever it is granted to. Where nobody has a tenant there is only one, and
//! all are of it. A tenant that is claimed counts only where the platform may speak for it.

use qm_model::ctx::{Person, PlatformCaller};
use qm_model::id::PlatformId;
use qm_model::instance::Instance;
use qm_model::share::Share;
use qm_model::{Caller, Ctx, Labels};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// For whom a reference is, or is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Consumer {
    /// Its tenants; none: it has no tenant.
    pub tenants: BTreeSet<String>,
    /// Where the reference lives.
    pub platform: PlatformId,
    /// It sees everything anyway and names no tenant.
    pub everywhere: bool,
}

impl Consumer {
    /// Of a reference that a caller is about to make: with these labels over REST, with this context at a door.
    pub fn asking(
        ctx: &Ctx,
        tenant_key: &str,
        labels: &Labels,
        context: Option<&Map<String, Value>>,
    ) -> Self {
        let labelled = || labels.get(tenant_key).cloned().unwrap_or_default();
        match &ctx.caller {
            Caller::Platform(platform) => Self::platform(platform, tenant_key, context),
            Caller::Person(Person {
                tenant: Some(tenant),
                ..
            }) => Self {
                tenants: BTreeSet::from([tenant.clone()]),
                platform: PlatformId::manager(),
                everywhere: false,
            },
            Caller::Person(_) | Caller::System(_) => {
                let tenants = labelled();
                Self {
                    everywhere: tenants.is_empty(),
                    tenants,
                    platform: PlatformId::manager(),
                }
            }
            Caller::Anonymous => Self {
                tenants: BTreeSet::new(),
                platform: PlatformId::manager(),
                everywhere: false,
            },
        }
    }

    fn platform(
        platform: &PlatformCaller,
        tenant_key: &str,
        context: Option<&Map<String, Value>>,
    ) -> Self {
        let own = platform.tenants.iter().cloned().collect();
        let claimed = context.and_then(|context| claimed(context.get(tenant_key)));
        Self {
            tenants: believed(own, claimed),
            platform: platform.id.clone(),
            everywhere: false,
        }
    }

    /// Of a reference that is there.
    pub fn of(reference: &Instance, platform: Option<&Labels>, tenant_key: &str) -> Self {
        Self {
            tenants: owners(reference, platform, tenant_key),
            platform: reference.platform_id.clone(),
            everywhere: false,
        }
    }
}

/// The tenants an instance belongs to: as it is labelled, or else as its platform says. `platform` has the labels of
/// the platform it lives on.
pub fn owners(
    instance: &Instance,
    platform: Option<&Labels>,
    tenant_key: &str,
) -> BTreeSet<String> {
    if let Some(labelled) = instance.meta.labels.get(tenant_key) {
        return labelled.clone();
    }
    let own = platform.and_then(|labels| labels.get(tenant_key));
    let context = instance.context.as_ref();
    let claimed = context.and_then(|context| claimed(context.get(tenant_key)));
    believed(own.cloned().unwrap_or_default(), claimed)
}

fn claimed(value: Option<&Value>) -> Option<String> {
    let text = value.and_then(Value::as_str);
    text.filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A platform of no tenant serves many and is believed; one that has tenants speaks for those alone.
fn believed(own: BTreeSet<String>, claimed: Option<String>) -> BTreeSet<String> {
    match claimed {
        Some(tenant) if own.is_empty() || own.contains(&tenant) => BTreeSet::from([tenant]),
        _ => own,
    }
}

/// May this consumer refer to a shared instance of these owners, with these grants?
pub fn may_refer<'a>(
    owners: &BTreeSet<String>,
    grants: impl IntoIterator<Item = &'a Share>,
    consumer: &Consumer,
) -> bool {
    let Consumer {
        tenants,
        platform,
        everywhere,
    } = consumer;
    let granted = |grant: &Share| {
        grant.platform_id.as_ref() == Some(platform)
            || grant
                .tenant
                .as_ref()
                .is_some_and(|one| tenants.contains(one))
    };
    *everywhere
        || owners.is_empty() && tenants.is_empty()
        || !owners.is_disjoint(tenants)
        || grants.into_iter().any(granted)
}
