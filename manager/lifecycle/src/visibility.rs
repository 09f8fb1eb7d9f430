//! Deeds about visibilities.

mod create;
mod remove;
mod update;

pub use create::{NewVisibility, create};
pub use remove::{remove, remove_many};
pub use update::{VisibilityChange, update};

use crate::tell::VisibilitySide;
use qm_model::id::{PlanId, PlatformId};
use qm_model::visibility::Visibility;
use qm_model::{Error, Kind};
use qm_store::{Tx, catalog, platform};

/// The visibility with its broker and plan.
async fn side(tx: &Tx<'_>, visibility: Visibility) -> Result<VisibilitySide, Error> {
    let (broker, plan) = catalog::broker_of_plan(tx, &visibility.plan_id)
        .await?
        .ok_or(Error::Missing(Kind::Plan))?;
    Ok(VisibilitySide {
        visibility,
        broker,
        plan,
    })
}

/// Holds a visibility to the rules: its plan and platform exist, and a public one stands alone. Runs inside the
/// transaction that writes it, which is serializable, so two callers cannot both pass.
async fn check(tx: &Tx<'_>, wanted: &Visibility) -> Result<(), Error> {
    if catalog::broker_of_plan(tx, &wanted.plan_id)
        .await?
        .is_none()
    {
        return Err(Error::invalid(format!(
            "service_plan_id: there is no plan {:?}",
            wanted.plan_id.as_str()
        )));
    }
    if let Some(id) = &wanted.platform_id
        && platform::get_any(tx, id.as_str()).await?.is_none()
    {
        return Err(Error::invalid(format!(
            "platform_id: there is no platform {:?}",
            id.as_str()
        )));
    }
    let others: Vec<_> = qm_store::visibility::of_plan(tx, &wanted.plan_id)
        .await?
        .into_iter()
        .filter(|other| other.id != wanted.id)
        .collect();
    if others
        .iter()
        .any(|other| other.platform_id == wanted.platform_id)
    {
        return Err(Error::conflict(
            Kind::Visibility,
            "the plan already has one for this platform",
        ));
    }
    if others.iter().any(|other| other.platform_id.is_none()) {
        return Err(Error::invalid(
            "the plan is public; delete its public visibility before it is given to single platforms",
        ));
    }
    if wanted.platform_id.is_none() && !others.is_empty() {
        return Err(Error::invalid(
            "the plan is visible to single platforms; delete those visibilities before it is made public",
        ));
    }
    Ok(())
}

fn plan_id(text: &str) -> Result<PlanId, Error> {
    PlanId::new(text).map_err(|bad| {
        Error::invalid(format!(
            "service_{}",
            bad.to_string().replacen("id ", "plan_id ", 1)
        ))
    })
}

/// Empty is public, as it is shown.
fn platform_id(text: Option<&str>) -> Result<Option<PlatformId>, Error> {
    match text {
        None | Some("") => Ok(None),
        Some(text) => PlatformId::new(text)
            .map(Some)
            .map_err(|bad| Error::invalid(format!("platform_{bad}"))),
    }
}
