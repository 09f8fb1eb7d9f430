//! Makes a plan visible.

use crate::{Lifecycle, Shown, tell};
use qm_model::audit::{Entry, Outcome};
use qm_model::id::VisibilityId;
use qm_model::operation::{State, Verb};
use qm_model::visibility::Visibility;
use qm_model::{Ctx, Error, Kind, Labels, Meta};
use qm_store::{audit, operation, outbox, platform, visibility};

/// A visibility to be made.
#[derive(Debug, Clone)]
pub struct NewVisibility {
    /// The caller's choice; made up when absent.
    pub id: Option<String>,
    /// The platform; absent or empty is public.
    pub platform_id: Option<String>,
    /// The plan.
    pub plan_id: String,
    /// Whom in the platform, for instance by `organization_guid`.
    pub labels: Labels,
}

/// Makes a plan visible.
///
/// # Errors
/// 400 for an unknown plan or platform, or when a public one is in the way; 409 when it is there already.
pub async fn create(
    deeds: &Lifecycle,
    ctx: &Ctx,
    new: NewVisibility,
) -> Result<Shown<Visibility>, Error> {
    let permit = qm_policy::change(ctx, Kind::Visibility, &deeds.settings.policy)?;
    let NewVisibility {
        id,
        platform_id,
        plan_id,
        labels,
    } = new;
    crate::catalog::check_protected(deeds, labels.keys())?;
    let now = deeds.now();
    let visibility = Visibility {
        id: VisibilityId::new(id.unwrap_or_else(|| deeds.fresh()))?,
        platform_id: super::platform_id(platform_id.as_deref())?,
        plan_id: super::plan_id(&plan_id)?,
        meta: Meta::new(now, labels),
    };
    let last = crate::operation::fresh(
        deeds,
        ctx,
        Verb::Create,
        Kind::Visibility,
        visibility.id.as_str(),
        State::Succeeded,
        now,
    );
    deeds
        .store
        .change(&permit, {
            let (deeds, ctx, visibility, last) =
                (deeds.clone(), ctx.clone(), visibility.clone(), last.clone());
            async move |tx| {
                super::check(tx, &visibility).await?;
                if !visibility::insert(tx, &visibility).await? {
                    return Err(Error::conflict(
                        Kind::Visibility,
                        "the id or the pair of plan and platform is taken",
                    ));
                }
                let id = visibility.id.clone();
                let new = super::side(tx, visibility).await?;
                let platforms = platform::receivers(tx).await?;
                for event in tell::visibility(&deeds, &ctx, None, Some(&new), &platforms) {
                    outbox::append(tx, &event, now).await?;
                }
                operation::record(tx, &last, None).await?;
                let detail = format!("plan {:?} of broker {:?}", new.plan.name, new.broker.name);
                let entry = Entry::of(
                    &ctx,
                    now,
                    "create",
                    Some(Kind::Visibility),
                    id.as_str(),
                    Outcome::Succeeded,
                    detail,
                );
                Ok(audit::append(tx, &entry).await?)
            }
        })
        .await?;
    Ok(Shown {
        resource: visibility,
        last_operation: Some(last),
    })
}
