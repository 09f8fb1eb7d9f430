//! Labels an offering or a plan: the only thing about them that is not the broker's.

use crate::{Lifecycle, Shown};
use qm_model::audit::{Entry, Outcome};
use qm_model::offering::Offering;
use qm_model::operation::{Operation, State, Verb};
use qm_model::plan::Plan;
use qm_model::{Ctx, Error, Kind, LabelChange};
use qm_store::{Tx, audit, catalog, operation, resource};

/// Labels an offering.
///
/// # Errors
/// 404, 400 for a change that makes no sense.
pub async fn label_offering(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    changes: Vec<LabelChange>,
) -> Result<Shown<Offering>, Error> {
    let permit = qm_policy::change(ctx, Kind::Offering, &deeds.settings.policy)?;
    super::check_protected(deeds, changes.iter().map(|change| change.key.as_str()))?;
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
            let mut offering = resource::get::<Offering>(tx, &scope, &id)
                .await?
                .ok_or(Error::Missing(Kind::Offering))?;
            offering.meta.labels = offering.meta.labels.apply(&changes)?;
            offering.meta.updated_at = now;
            catalog::label_offering(tx, &offering.id, &offering.meta.labels, now).await?;
            let last = written(tx, &deeds2, &ctx, Kind::Offering, &id, &offering.name).await?;
            Ok(Shown {
                resource: offering,
                last_operation: Some(last),
            })
        })
        .await
}

/// Labels a plan.
///
/// # Errors
/// 404, 400 for a change that makes no sense.
pub async fn label_plan(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    changes: Vec<LabelChange>,
) -> Result<Shown<Plan>, Error> {
    let permit = qm_policy::change(ctx, Kind::Plan, &deeds.settings.policy)?;
    super::check_protected(deeds, changes.iter().map(|change| change.key.as_str()))?;
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
            let mut plan = resource::get::<Plan>(tx, &scope, &id)
                .await?
                .ok_or(Error::Missing(Kind::Plan))?;
            plan.meta.labels = plan.meta.labels.apply(&changes)?;
            plan.meta.updated_at = now;
            catalog::label_plan(tx, &plan.id, &plan.meta.labels, now).await?;
            let last = written(tx, &deeds2, &ctx, Kind::Plan, &id, &plan.name).await?;
            Ok(Shown {
                resource: plan,
                last_operation: Some(last),
            })
        })
        .await
}

/// What is written beside the labels, whatever they are of.
async fn written(
    tx: &Tx<'_>,
    deeds: &Lifecycle,
    ctx: &Ctx,
    kind: Kind,
    id: &str,
    name: &str,
) -> Result<Operation, Error> {
    let now = deeds.now();
    let (verb, state) = (Verb::Update, State::Succeeded);
    let last = crate::operation::fresh(deeds, ctx, verb, kind, id, state, now);
    operation::record(tx, &last, None).await?;
    let detail = format!("labels of {kind} {name:?}");
    let outcome = Outcome::Succeeded;
    let entry = Entry::of(ctx, now, "update", Some(kind), id, outcome, detail);
    audit::append(tx, &entry).await?;
    Ok(last)
}
