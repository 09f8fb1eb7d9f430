//! Who may refer to a shared instance beside its own tenant: granted, listed and taken back by whoever may change the
//! instance.
//!
//! The rule: without a grant nobody of another tenant can refer to an instance, nor learn that it is there. A grant that
//! a reference lives by stays.

use super::share::plan;
use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::id::{InstanceId, PlatformId, ShareId};
use qm_model::instance::Instance;
use qm_model::platform::Platform;
use qm_model::share::Share;
use qm_model::{Caller, Ctx, Error, Kind, Labels};
use qm_policy::Scope;
use qm_policy::share::{self as rules, Consumer};
use qm_store::{Tx, audit, reference, resource, share as table};
use std::collections::HashMap;

/// Longest name of a tenant in bytes: it is a label's value.
const LONGEST: usize = qm_model::label::MAX_LABEL;

/// To whom it is granted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Grantee {
    /// To everybody of a tenant.
    Tenant(String),
    /// To everybody on a platform.
    Platform(String),
}

/// Lets somebody refer to an instance.
///
/// # Errors
/// 404, 400 when its plan does not support sharing or there is no such platform, 409 when it is granted already.
pub async fn grant(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    grantee: Grantee,
) -> Result<Share, Error> {
    let permit = qm_policy::change(ctx, Kind::Instance, &deeds.settings.policy)?;
    let (tenant, platform_id) = match grantee {
        Grantee::Tenant(tenant) => (Some(checked(&tenant)?), None),
        Grantee::Platform(platform) => (None, Some(PlatformId::new(platform)?)),
    };
    let share = Share {
        id: ShareId::stored(deeds.fresh()),
        instance_id: InstanceId::stored(id.to_owned()),
        tenant,
        platform_id,
        granted_by: match &ctx.caller {
            Caller::Person(person) => person.name.clone(),
            other => other.to_string(),
        },
        created_at: deeds.now(),
    };
    let (ctx, scope) = (ctx.clone(), permit.scope().clone());
    deeds
        .store
        .change(&permit, async move |tx: &Tx<'_>| {
            let instance = found(tx, &scope, share.instance_id.as_str()).await?;
            rules::may_share(&instance, &plan(tx, &instance).await?)?;
            if let Some(id) = &share.platform_id
                && labels_of(tx, id).await?.is_none()
            {
                return Err(Error::invalid(
                    "platform_id: there is no platform with this id",
                ));
            }
            table::hold(tx, &instance.id).await?;
            if !table::insert(tx, &share).await? {
                return Err(Error::Conflict {
                    word: "Conflict",
                    message: format!(
                        "{} may refer to the instance already; there is a grant for that",
                        share.grantee()
                    ),
                });
            }
            written(tx, &ctx, "grant", &instance, &share).await?;
            Ok(share.clone())
        })
        .await
}

/// Who may refer to an instance beside its own tenant, in the order in which it was granted.
///
/// # Errors
/// 404.
pub async fn list(deeds: &Lifecycle, ctx: &Ctx, id: &str) -> Result<Vec<Share>, Error> {
    let permit = qm_policy::read(ctx, Kind::Instance, &deeds.settings.policy)?;
    let (scope, id) = (permit.scope().clone(), id.to_owned());
    deeds
        .store
        .read(async move |tx| {
            let instance = found(tx, &scope, &id).await?;
            Ok(table::of_instance(tx, &instance.id).await?)
        })
        .await
}

/// Takes a grant back.
///
/// # Errors
/// 404, 409 with the ids of the references that live by it.
pub async fn revoke(deeds: &Lifecycle, ctx: &Ctx, id: &str, share_id: &str) -> Result<(), Error> {
    let permit = qm_policy::change(ctx, Kind::Instance, &deeds.settings.policy)?;
    let (ctx, scope, id, share_id) = (
        ctx.clone(),
        permit.scope().clone(),
        id.to_owned(),
        share_id.to_owned(),
    );
    let key = deeds.settings.policy.tenant_label.clone();
    deeds
        .store
        .change(&permit, async move |tx: &Tx<'_>| {
            let instance = found(tx, &scope, &id).await?;
            table::hold(tx, &instance.id).await?;
            let all = table::of_instance(tx, &instance.id).await?;
            let (this, others): (Vec<Share>, Vec<Share>) = all
                .into_iter()
                .partition(|share| share.id.as_str() == share_id);
            let share = this.into_iter().next().ok_or_else(|| Error::NotFound {
                word: "NotFound",
                message: "could not find such grant of this instance".to_owned(),
            })?;
            let (owners, references) = sides(tx, &key, &instance).await?;
            rules::may_revoke(&share, &others, &owners, &references)?;
            table::delete(tx, &share.id).await?;
            written(tx, &ctx, "revoke", &instance, &share).await
        })
        .await
}

/// The tenants of an instance, and for whom its references are.
async fn sides(
    tx: &Tx<'_>,
    tenant_key: &str,
    instance: &Instance,
) -> Result<
    (
        std::collections::BTreeSet<String>,
        Vec<(InstanceId, Consumer)>,
    ),
    Error,
> {
    let mut platforms: HashMap<PlatformId, Option<Labels>> = HashMap::new();
    let references = reference::of(tx, &instance.id).await?;
    for one in references.iter().chain([instance]) {
        if !platforms.contains_key(&one.platform_id) {
            let labels = labels_of(tx, &one.platform_id).await?;
            platforms.insert(one.platform_id.clone(), labels);
        }
    }
    let labels = |one: &Instance| platforms.get(&one.platform_id).and_then(Option::as_ref);
    let owners = rules::owners(instance, labels(instance), tenant_key);
    let consumers = references.iter().map(|one| {
        let consumer = Consumer::of(one, labels(one), tenant_key);
        (one.id.clone(), consumer)
    });
    Ok((owners, consumers.collect()))
}

/// The labels of a platform; `None` when there is no such one.
pub(super) async fn labels_of(tx: &Tx<'_>, id: &PlatformId) -> Result<Option<Labels>, Error> {
    let platform = resource::get::<Platform>(tx, &Scope::All, id.as_str()).await?;
    Ok(platform.map(|platform| platform.meta.labels))
}

async fn found(tx: &Tx<'_>, scope: &Scope, id: &str) -> Result<Instance, Error> {
    resource::get::<Instance>(tx, scope, id)
        .await?
        .ok_or(Error::Missing(Kind::Instance))
}

fn checked(tenant: &str) -> Result<String, Error> {
    let tenant = tenant.trim().to_owned();
    if tenant.is_empty() || tenant.len() > LONGEST || tenant.chars().any(char::is_control) {
        return Err(Error::invalid(format!(
            "tenant must be a text of 1 to {LONGEST} bytes without control characters"
        )));
    }
    Ok(tenant)
}

async fn written(
    tx: &Tx<'_>,
    ctx: &Ctx,
    action: &'static str,
    instance: &Instance,
    share: &Share,
) -> Result<(), Error> {
    let detail = format!("instance {:?}: {}", instance.name, share.grantee());
    let (kind, id) = (Some(Kind::Instance), instance.id.as_str());
    let now = share.created_at;
    let entry = Entry::of(ctx, now, action, kind, id, Outcome::Succeeded, detail);
    Ok(audit::append(tx, &entry).await?)
}
