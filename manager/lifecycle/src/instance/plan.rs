//! Finds the plan that somebody means: by the manager's id, or by the broker's names.

use super::PlanChoice;
use crate::Lifecycle;
use crate::views::View;
use qm_model::id::PlanId;
use qm_model::plan::Plan;
use qm_model::{Error, Kind};
use qm_policy::Scope;
use qm_store::{catalog, resource};
use std::sync::Arc;

/// The broker's view and the plan.
///
/// # Errors
/// 404 when there is no such plan for the caller, 400 when names fit none or several.
pub(crate) async fn find(
    deeds: &Lifecycle,
    scope: &Scope,
    choice: &PlanChoice,
) -> Result<(Arc<View>, PlanId), Error> {
    let (scope, choice) = (scope.clone(), choice.clone());
    let (broker, plan) = deeds
        .store
        .look_up(async move |tx| {
            let plan = match &choice {
                // Who sees everything sees this one if it is there: that is asked for below.
                PlanChoice::Id(id) if scope == Scope::All => PlanId::stored(id.clone()),
                PlanChoice::Id(id) => {
                    let found = resource::get::<Plan>(tx, &scope, id).await?;
                    found.ok_or(Error::Missing(Kind::Plan))?.id
                }
                PlanChoice::Names { offering, plan } => {
                    let mut found = Vec::new();
                    for id in catalog::plans_named(tx, offering, plan).await? {
                        found.extend(resource::get::<Plan>(tx, &scope, id.as_str()).await?);
                    }
                    one(found, offering, plan)?.id
                }
            };
            let broker = catalog::broker_id_of_plan(tx, plan.as_str()).await?;
            Ok::<_, Error>((broker.ok_or(Error::Missing(Kind::Plan))?, plan))
        })
        .await?;
    Ok((deeds.view(broker.as_str()).await?, plan))
}

fn one(mut found: Vec<Plan>, offering: &str, plan: &str) -> Result<Plan, Error> {
    let count = found.len();
    match found.pop() {
        Some(one) if count == 1 => Ok(one),
        Some(_) => Err(Error::invalid(format!(
            "{count} brokers offer a plan {plan:?} of an offering {offering:?}; name it by service_plan_id"
        ))),
        None => Err(Error::invalid(format!(
            "no offering {offering:?} with a plan {plan:?} was found"
        ))),
    }
}
