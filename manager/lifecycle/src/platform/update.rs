//! Changes a platform; gives it a new pair when asked to.
//!
//! The rule: a pair that was in use stays valid until the new one has been used, so that a rotation locks
//! nobody out.

use super::WithCredentials;
use crate::catalog::take;
use crate::{Lifecycle, Shown, identity};
use qm_model::audit::{Entry, Outcome};
use qm_model::operation::{State, Verb};
use qm_model::platform::{Platform, SERVICE_MANAGER};
use qm_model::{Ctx, Error, Kind, LabelChange};
use qm_store::platform::Secrets;
use qm_store::{audit, operation, platform};

/// What is to change about a platform.
#[derive(Debug, Clone, Default)]
pub struct PlatformChange {
    /// Another name.
    pub name: Option<String>,
    /// Another type.
    pub platform_type: Option<String>,
    /// Another description.
    pub description: Option<String>,
    /// Forbid or allow it to create and change.
    pub suspended: Option<bool>,
    /// Label changes, applied in order.
    pub labels: Vec<LabelChange>,
    /// A new pair.
    pub regenerate: bool,
}

/// Changes a platform.
///
/// # Errors
/// 400, 404 (also for the manager itself), 409 for a name that is taken.
pub async fn update(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    change: PlatformChange,
) -> Result<Shown<WithCredentials>, Error> {
    let permit = qm_policy::change(ctx, Kind::Platform, &deeds.settings.policy)?;
    if let Some(name) = &change.name {
        crate::catalog::check_name("name", name)?;
    }
    if let Some(platform_type) = &change.platform_type {
        crate::catalog::check_name("type", platform_type)?;
        if platform_type == SERVICE_MANAGER {
            return Err(Error::invalid(
                "type: service-manager is the manager itself; choose another",
            ));
        }
    }
    crate::catalog::check_protected(
        deeds,
        change.labels.iter().map(|change| change.key.as_str()),
    )?;
    let credentials = if change.regenerate {
        Some(identity::new_pair()?)
    } else {
        None
    };
    let secrets = credentials.as_ref().map(|pair| Secrets {
        username: pair.username.clone(),
        hash: identity::hash(pair.password.expose()),
    });

    let (platform, last) = deeds
        .store
        .change(&permit, {
            let (deeds, ctx, id, scope) = (
                deeds.clone(),
                ctx.clone(),
                id.to_owned(),
                permit.scope().clone(),
            );
            async move |tx| {
                let now = deeds.now();
                let before = super::to_change(tx, &scope, &id).await?;
                let platform = apply(&before, &change, now)?;
                crate::catalog::check_ownership(
                    &scope,
                    &before.meta.labels,
                    &platform.meta.labels,
                )?;
                if !platform::update(tx, &platform).await? {
                    return Err(Error::conflict(
                        Kind::Platform,
                        format!("the name {:?} is taken", platform.name),
                    ));
                }
                if let Some(secrets) = &secrets {
                    if platform.technical {
                        return Err(Error::invalid("a technical platform has no credentials"));
                    }
                    platform::rotate(tx, &platform.id, secrets).await?;
                }
                take::tell_moved(tx, &deeds, &ctx, &before, &platform, now).await?;
                let last = crate::operation::fresh(
                    &deeds,
                    &ctx,
                    Verb::Update,
                    Kind::Platform,
                    &id,
                    State::Succeeded,
                    now,
                );
                operation::record(tx, &last, crate::broker::intent::tenant(&ctx).as_deref())
                    .await?;
                let action = if secrets.is_some() {
                    "rotate"
                } else {
                    "update"
                };
                let entry = Entry::of(
                    &ctx,
                    now,
                    action,
                    Some(Kind::Platform),
                    &id,
                    Outcome::Succeeded,
                    format!("platform {:?}", platform.name),
                );
                audit::append(tx, &entry).await?;
                Ok::<_, Error>((platform, last))
            }
        })
        .await?;
    Ok(Shown {
        resource: WithCredentials {
            platform,
            credentials,
        },
        last_operation: Some(last),
    })
}

fn apply(
    before: &Platform,
    change: &PlatformChange,
    now: qm_model::Time,
) -> Result<Platform, Error> {
    let PlatformChange {
        name,
        platform_type,
        description,
        suspended,
        labels,
        regenerate: _, // done beside the row
    } = change;
    let mut platform = before.clone();
    if let Some(name) = name {
        platform.name.clone_from(name);
    }
    if let Some(platform_type) = platform_type {
        platform.platform_type.clone_from(platform_type);
    }
    if let Some(description) = description {
        platform.description.clone_from(description);
    }
    if let Some(suspended) = suspended {
        platform.suspended = *suspended;
    }
    platform.meta.labels = platform.meta.labels.apply(labels)?;
    platform.meta.updated_at = now;
    Ok(platform)
}
