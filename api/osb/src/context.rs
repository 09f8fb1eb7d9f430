//! The `context` object: which platform, and where in it.
//!
//! It is open by definition, so it is kept as an object with readers for the fields that the two
//! published profiles name.

use crate::Object;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Contextual data of a platform.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Context(pub Object);

impl Context {
    /// The platform's word: `cloudfoundry`, `kubernetes` or another.
    pub fn platform(&self) -> Option<&str> {
        self.text("platform")
    }

    /// The name a person gave the instance (2.15).
    pub fn instance_name(&self) -> Option<&str> {
        self.text("instance_name")
    }

    /// A text field by name.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.0.get(key).and_then(Value::as_str)
    }

    /// The fields a published profile demands that are missing here. Unknown platforms demand none.
    pub fn missing(&self, binding: bool) -> Vec<&'static str> {
        let wanted: &[&'static str] = match (self.platform(), binding) {
            (Some("cloudfoundry"), false) => &[
                "organization_guid",
                "organization_name",
                "space_guid",
                "space_name",
                "instance_name",
            ],
            (Some("cloudfoundry"), true) => &[
                "organization_guid",
                "organization_name",
                "space_guid",
                "space_name",
            ],
            (Some("kubernetes"), false) => &["namespace", "clusterid", "instance_name"],
            (Some("kubernetes"), true) => &["namespace", "clusterid"],
            _ => &[],
        };
        wanted
            .iter()
            .copied()
            .filter(|key| self.text(key).is_none())
            .collect()
    }
}
