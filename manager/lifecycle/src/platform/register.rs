//! Registers a platform and gives it a pair to log in with.

use super::WithCredentials;
use crate::{Lifecycle, Shown, identity};
use qm_model::audit::{Entry, Outcome};
use qm_model::id::PlatformId;
use qm_model::operation::{State, Verb};
use qm_model::platform::{Platform, SERVICE_MANAGER};
use qm_model::{Ctx, Error, Kind, Labels, Meta};
use qm_store::platform::Secrets;
use qm_store::{audit, operation, platform};

/// A platform to be registered.
#[derive(Debug, Clone)]
pub struct NewPlatform {
    /// The caller's choice; made up when absent.
    pub id: Option<String>,
    /// Unique.
    pub name: String,
    /// `cloudfoundry`, `kubernetes` or any other word.
    pub platform_type: String,
    /// For people.
    pub description: String,
    /// Stands only for visibilities.
    pub technical: bool,
    /// May not create or change anything.
    pub suspended: bool,
    /// Free words.
    pub labels: Labels,
}

/// Registers a platform.
///
/// # Errors
/// 400 for a request that must be mended, 409 for a name or id that is taken.
pub async fn register(
    deeds: &Lifecycle,
    ctx: &Ctx,
    new: NewPlatform,
) -> Result<Shown<WithCredentials>, Error> {
    let permit = qm_policy::change(ctx, Kind::Platform, &deeds.settings.policy)?;
    let now = deeds.now();
    let NewPlatform {
        id,
        name,
        platform_type,
        description,
        technical,
        suspended,
        labels,
    } = new;
    crate::catalog::check_name("name", &name)?;
    crate::catalog::check_name("type", &platform_type)?;
    if platform_type == SERVICE_MANAGER {
        return Err(Error::invalid(
            "type: service-manager is the manager itself; choose another",
        ));
    }
    crate::catalog::check_protected(deeds, labels.keys())?;
    let platform = Platform {
        id: PlatformId::new(id.unwrap_or_else(|| deeds.fresh()))?,
        name,
        platform_type,
        description,
        technical,
        suspended,
        active: false,
        last_active: None,
        version: String::new(),
        meta: Meta::new(now, crate::catalog::owned(permit.scope(), labels)?),
    };
    let credentials = if technical {
        None
    } else {
        Some(identity::new_pair()?)
    };
    let secrets = credentials.as_ref().map(|pair| Secrets {
        username: pair.username.clone(),
        hash: identity::hash(pair.password.expose()),
    });
    let last = crate::operation::fresh(
        deeds,
        ctx,
        Verb::Create,
        Kind::Platform,
        platform.id.as_str(),
        State::Succeeded,
        now,
    );

    deeds
        .store
        .change(&permit, {
            let (deeds, ctx, platform, last) =
                (deeds.clone(), ctx.clone(), platform.clone(), last.clone());
            async move |tx| {
                crate::cascade::tenant_stays(tx, &deeds, &platform.meta.labels).await?;
                if !platform::insert(tx, &platform, secrets.as_ref()).await? {
                    return Err(Error::conflict(
                        Kind::Platform,
                        format!("the name {:?} or the id is taken", platform.name),
                    ));
                }
                operation::record(tx, &last, crate::broker::intent::tenant(&ctx).as_deref())
                    .await?;
                let entry = Entry::of(
                    &ctx,
                    now,
                    "create",
                    Some(Kind::Platform),
                    platform.id.as_str(),
                    Outcome::Succeeded,
                    format!("platform {:?}", platform.name),
                );
                Ok(audit::append(tx, &entry).await?)
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
