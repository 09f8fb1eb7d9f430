//! Deeds on instances, one file each: those of platforms at an OSB door (provision, update, deprovision, fetch, poll),
//! and those of people at the manager's own desk (all others).

mod change;
mod create;
mod delete;
mod deprovision;
mod fetch;
pub mod grant;
mod note;
mod parameters;
mod plan;
mod poll;
mod provision;
pub(crate) mod reference;
mod retry;
mod rollback;
mod share;
mod transfer;
mod undelete;
mod update;

pub use change::change;
pub use create::create;
pub use delete::delete;
pub use deprovision::deprovision;
pub use fetch::fetch;
pub use parameters::parameters;
pub use poll::poll;
pub use provision::provision;
pub use retry::retry;
pub use rollback::rollback;
pub use share::share;
pub use transfer::transfer;
pub use undelete::undelete;
pub use update::update;

use qm_model::operation::Operation;
use qm_model::{Error, Kind, LabelChange, Labels, Secret};
use quartermaster_osb::Object;
use serde_json::Value;

/// An instance to be made.
#[derive(Debug, Clone)]
pub struct NewInstance {
    /// For people; unique in the tenant.
    pub name: String,
    /// Of which plan.
    pub plan: PlanChoice,
    /// For the broker.
    pub parameters: Option<Secret<Object>>,
    /// Which version.
    pub maintenance_info: Option<Value>,
    /// Labels.
    pub labels: Labels,
}

/// Which plan is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlanChoice {
    /// By the manager's id.
    Id(String),
    /// By the broker's names.
    Names {
        /// The offering's.
        offering: String,
        /// The plan's.
        plan: String,
    },
}

/// What is to be different about an instance; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct InstanceChange {
    /// Its name.
    pub name: Option<String>,
    /// Its plan, by the manager's id.
    pub plan: Option<String>,
    /// For the broker.
    pub parameters: Option<Secret<Object>>,
    /// Which version.
    pub maintenance_info: Option<Value>,
    /// Its labels.
    pub labels: Vec<LabelChange>,
}

/// Whether something can be changed at all: what was never made cannot.
///
/// # Errors
/// 403 when its creation failed, 422 while it is under way.
pub(crate) fn may_change(kind: Kind, ready: bool, last: Option<&Operation>) -> Result<(), Error> {
    match last {
        // Whatever was tried since, it is not there.
        Some(last) if !ready && last.state.is_terminal() => Err(Error::Forbidden {
            rule: "created",
            message: format!(
                "the creation of this {kind} failed (its last operation is {}); delete it and create it anew",
                last.id
            ),
        }),
        Some(last) if !ready => Err(Error::Unprocessable {
            word: "ConcurrentOperationInProgress",
            message: format!(
                "another operation ({}, {}) on this {kind} is in progress since {}; wait for it to end",
                last.verb.word(),
                last.id,
                last.created_at
            ),
        }),
        _ => Ok(()),
    }
}
