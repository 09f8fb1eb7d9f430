//! Which shared instance a new reference is to stand for.
//!
//! The rule: what the caller may not refer to is not there: it is neither found nor counted. The one that is found is
//! held until the reference is stored, so nobody deletes or unshares it meanwhile.

use crate::engine;
use crate::instance::grant::labels_of;
use crate::instance::share::plan;
use qm_model::id::OfferingId;
use qm_model::instance::Instance;
use qm_model::operation::Verb;
use qm_model::share::Share;
use qm_model::{Error, Kind};
use qm_policy::Scope;
use qm_policy::share::{Consumer, Wanted, chosen, may_refer, owners};
use qm_store::{Tx, operation, reference, resource, share};

/// Finds it and holds it.
///
/// # Errors
/// 404 when there is none or several, 400 when it is not shared, 422 while it is being deleted.
pub(super) async fn find(
    tx: &Tx<'_>,
    tenant_key: &str,
    offering: &OfferingId,
    wanted: &Wanted,
    consumer: &Consumer,
) -> Result<Instance, Error> {
    let found = match wanted {
        Wanted::Id(id) => named(tx, tenant_key, offering, id, consumer).await?,
        Wanted::Like(selectors) => {
            let mut open = Vec::new();
            let all = reference::like(tx, offering, selectors).await?;
            let ids: Vec<_> = all.iter().map(|one| one.id.clone()).collect();
            let grants = share::of_instances(tx, &ids).await?;
            for one in all {
                if is_open(tx, tenant_key, &one, &grants, consumer).await? {
                    open.push(one);
                }
            }
            chosen(open)?
        }
    };
    share::hold(tx, &found.id).await?;
    let under_way = operation::under_way(tx, Kind::Instance, found.id.as_str()).await?;
    if let Some(other) = under_way.filter(|other| other.verb == Verb::Delete) {
        return Err(engine::in_the_way(&other));
    }
    Ok(found)
}

async fn named(
    tx: &Tx<'_>,
    tenant_key: &str,
    offering: &OfferingId,
    id: &str,
    consumer: &Consumer,
) -> Result<Instance, Error> {
    let missing = Error::Missing(Kind::Instance);
    let Some(found) = resource::get::<Instance>(tx, &Scope::All, id).await? else {
        return Err(missing);
    };
    let grants = share::of_instance(tx, &found.id).await?;
    if plan(tx, &found).await?.offering_id != *offering
        || !is_open(tx, tenant_key, &found, &grants, consumer).await?
    {
        return Err(missing);
    }
    if found.shared != Some(true) || !found.meta.ready {
        return Err(Error::invalid(
            "the instance is not shared; whoever has it must share it first (rule: reference-shared)",
        ));
    }
    Ok(found)
}

async fn is_open(
    tx: &Tx<'_>,
    tenant_key: &str,
    instance: &Instance,
    grants: &[Share],
    consumer: &Consumer,
) -> Result<bool, Error> {
    let platform = labels_of(tx, &instance.platform_id).await?;
    let owners = owners(instance, platform.as_ref(), tenant_key);
    let own = grants
        .iter()
        .filter(|grant| grant.instance_id == instance.id);
    Ok(may_refer(&owners, own, consumer))
}
