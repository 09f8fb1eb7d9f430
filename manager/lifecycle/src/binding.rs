//! Deeds on bindings, one file each: those of platforms at an OSB door (bind, unbind, fetch, poll, adapt), and those of
//! people at the manager's own desk (create, change, delete, parameters).

mod adapt;
mod bind;
mod change;
mod create;
mod delete;
mod fetch;
mod parameters;
mod poll;
mod unbind;

pub use adapt::adapt;
pub use bind::bind;
pub use change::change;
pub use create::create;
pub use delete::delete;
pub use fetch::fetch;
pub use parameters::parameters;
pub use poll::poll;
pub use unbind::unbind;

use qm_model::{LabelChange, Labels, Secret};
use quartermaster_osb::Object;
use serde_json::Value;

/// A binding to be made.
#[derive(Debug, Clone)]
pub struct NewBinding {
    /// For people; unique among the instance's.
    pub name: String,
    /// Of which instance.
    pub instance_id: String,
    /// For the broker.
    pub parameters: Option<Secret<Object>>,
    /// What it is for.
    pub bind_resource: Option<Value>,
    /// Labels.
    pub labels: Labels,
}

/// What is to be different about a binding; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct BindingChange {
    /// Its name.
    pub name: Option<String>,
    /// Its labels.
    pub labels: Vec<LabelChange>,
}
