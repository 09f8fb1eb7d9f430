//! Parameters per plan, read from a YAML or JSON file.
//!
//! ```yaml
//! small:                     # a plan's name or id
//!   provision: { size: 1 }
//!   update:    { size: 2 }
//!   bind:      { role: reader }
//! ```

use crate::{Object, Secret};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Parameters by plan name or id.
#[derive(Debug, Clone, Default)]
pub struct Parameters(BTreeMap<String, PlanParameters>);

/// Parameters of one plan. They may be secrets, so they cannot be printed.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlanParameters {
    /// Sent at provision.
    #[serde(default)]
    pub provision: Option<Secret<Object>>,
    /// Sent at update.
    #[serde(default)]
    pub update: Option<Secret<Object>>,
    /// Sent at bind.
    #[serde(default)]
    pub bind: Option<Secret<Object>>,
}

/// The file does not say what it should.
#[derive(Debug, thiserror::Error)]
pub enum ParametersError {
    /// Not YAML, not JSON, or of another shape.
    #[error("the parameters file is not a map from plan to provision, update and bind")]
    Shape(#[source] Box<serde_saphyr::Error>),
}

impl Parameters {
    /// Reads the text of a file.
    pub fn parse(text: &str) -> Result<Self, ParametersError> {
        serde_saphyr::from_str(text)
            .map(Self)
            .map_err(|error| ParametersError::Shape(Box::new(error)))
    }

    /// The entry for a plan, by id first.
    pub fn plan(&self, id: &str, name: &str) -> PlanParameters {
        self.0
            .get(id)
            .or_else(|| self.0.get(name))
            .cloned()
            .unwrap_or_default()
    }

    /// The plans named in the file.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_yaml_and_json() {
        let yaml = Parameters::parse("small:\n  provision: {size: 1}\n").unwrap();
        let json = Parameters::parse(r#"{"small": {"provision": {"size": 1}}}"#).unwrap();
        for file in [yaml, json] {
            let small = file.plan("some-id", "small");
            assert_eq!(small.provision.unwrap().expose()["size"], 1);
        }
    }

    #[test]
    fn a_misspelt_verb_is_refused() {
        assert!(Parameters::parse("small:\n  provison: {}\n").is_err());
    }
}
