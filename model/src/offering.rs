//! A service of a broker's catalog, under an id of the manager's own.

use crate::Meta;
use crate::id::{BrokerId, OfferingId};
use serde_json::Value;

/// An offering.
#[derive(Debug, Clone, PartialEq)]
pub struct Offering {
    /// The manager's id.
    pub id: OfferingId,
    /// Whose.
    pub broker_id: BrokerId,
    /// As the catalog says.
    pub name: String,
    /// As the catalog says.
    pub description: String,
    /// As the catalog says.
    pub bindable: bool,
    /// As the catalog says.
    pub plan_updateable: bool,
    /// As the catalog says.
    pub instances_retrievable: bool,
    /// As the catalog says.
    pub bindings_retrievable: bool,
    /// As the catalog says.
    pub allow_context_updates: bool,
    /// As the catalog says.
    pub tags: Vec<String>,
    /// As the catalog says.
    pub requires: Vec<String>,
    /// As the catalog says: an object, when there is one.
    pub metadata: Option<Value>,
    /// The broker's id.
    pub catalog_id: String,
    /// The broker's name for it.
    pub catalog_name: String,
    /// Empty unless the catalog names one; some clients ask for it.
    pub data_center: String,
    /// What every resource has.
    pub meta: Meta,
}
