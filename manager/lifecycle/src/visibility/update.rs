//! Changes a visibility: its plan, its platform, its labels.

use crate::{Lifecycle, Shown, tell};
use qm_model::audit::{Entry, Outcome};
use qm_model::operation::{State, Verb};
use qm_model::visibility::Visibility;
use qm_model::{Ctx, Error, Kind, LabelChange};
use qm_store::{audit, operation, outbox, platform, resource, visibility};

/// What is to change about a visibility.
#[derive(Debug, Clone, Default)]
pub struct VisibilityChange {
    /// Another platform; empty is public.
    pub platform_id: Option<String>,
    /// Another plan.
    pub plan_id: Option<String>,
    /// Label changes, applied in order.
    pub labels: Vec<LabelChange>,
}

/// Changes a visibility.
///
/// # Errors
/// As `create`, and 404.
pub async fn update(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    change: VisibilityChange,
) -> Result<Shown<Visibility>, Error> {
    let permit = qm_policy::change(ctx, Kind::Visibility, &deeds.settings.policy)?;
    crate::catalog::check_protected(
        deeds,
        change.labels.iter().map(|change| change.key.as_str()),
    )?;
    let VisibilityChange {
        platform_id,
        plan_id,
        labels,
    } = change;
    let platform_id = match &platform_id {
        None => None,
        Some(text) => Some(super::platform_id(Some(text))?),
    };
    let plan_id = plan_id.as_deref().map(super::plan_id).transpose()?;
    let (deeds2, ctx, id, scope) = (
        deeds.clone(),
        ctx.clone(),
        id.to_owned(),
        permit.scope().clone(),
    );
    deeds
        .store
        .change(&permit, async move |tx| {
            let now = deeds2.now();
            let before = resource::get::<Visibility>(tx, &scope, &id)
                .await?
                .ok_or(Error::Missing(Kind::Visibility))?;
            let mut after = before.clone();
            if let Some(platform_id) = &platform_id {
                after.platform_id.clone_from(platform_id);
            }
            if let Some(plan_id) = &plan_id {
                after.plan_id.clone_from(plan_id);
            }
            after.meta.labels = after.meta.labels.apply(&labels)?;
            after.meta.updated_at = now;
            super::check(tx, &after).await?;
            let old = super::side(tx, before).await?;
            if !visibility::update(tx, &after).await? {
                return Err(Error::conflict(
                    Kind::Visibility,
                    "the plan already has one for this platform",
                ));
            }
            let new = super::side(tx, after.clone()).await?;
            let platforms = platform::receivers(tx).await?;
            for event in tell::visibility(&deeds2, &ctx, Some(&old), Some(&new), &platforms) {
                outbox::append(tx, &event, now).await?;
            }
            let last = crate::operation::fresh(
                &deeds2,
                &ctx,
                Verb::Update,
                Kind::Visibility,
                &id,
                State::Succeeded,
                now,
            );
            operation::record(tx, &last, None).await?;
            let detail = format!("plan {:?} of broker {:?}", new.plan.name, new.broker.name);
            let entry = Entry::of(
                &ctx,
                now,
                "update",
                Some(Kind::Visibility),
                &id,
                Outcome::Succeeded,
                detail,
            );
            audit::append(tx, &entry).await?;
            Ok(Shown {
                resource: after,
                last_operation: Some(last),
            })
        })
        .await
}
