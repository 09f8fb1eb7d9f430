//! A plan of an offering, under an id of the manager's own.

use crate::Meta;
use crate::id::{OfferingId, PlanId};
use serde_json::Value;

/// The plan name that instance sharing reserves for itself.
pub const REFERENCE_INSTANCE: &str = "reference-instance";

/// A plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The manager's id.
    pub id: PlanId,
    /// Whose.
    pub offering_id: OfferingId,
    /// As the catalog says.
    pub name: String,
    /// As the catalog says.
    pub description: String,
    /// As the catalog says; true when it does not.
    pub free: bool,
    /// The offering's unless the catalog says otherwise.
    pub bindable: Option<bool>,
    /// The offering's unless the catalog says otherwise.
    pub plan_updateable: Option<bool>,
    /// An object, when there is one.
    pub metadata: Option<Value>,
    /// An object, when there is one.
    pub schemas: Option<Value>,
    /// Seconds.
    pub maximum_polling_duration: Option<i64>,
    /// An object, when there is one.
    pub maintenance_info: Option<Value>,
    /// The broker's id.
    pub catalog_id: String,
    /// The broker's name for it.
    pub catalog_name: String,
    /// What every resource has.
    pub meta: Meta,
}

impl Plan {
    /// Which platforms the plan is for, by its metadata.
    pub fn platforms(&self) -> PlatformRule {
        PlatformRule::of(self.metadata.as_ref())
    }
}

/// Which platforms a plan is for. At most one of the three metadata keys may be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PlatformRule {
    /// Everyone.
    All,
    /// `supportedPlatforms`: these types.
    Types(Vec<String>),
    /// `supportedPlatformNames`: these names.
    Names(Vec<String>),
    /// `excludedPlatformNames`: all but these names.
    Except(Vec<String>),
}

impl PlatformRule {
    /// The rule in a plan's metadata.
    pub fn of(metadata: Option<&Value>) -> Self {
        let words = |key: &str| -> Option<Vec<String>> {
            let words: Vec<String> = metadata?
                .get(key)?
                .as_array()?
                .iter()
                .filter_map(|word| word.as_str().map(str::to_owned))
                .collect();
            (!words.is_empty()).then_some(words)
        };
        if let Some(names) = words("excludedPlatformNames") {
            Self::Except(names)
        } else if let Some(names) = words("supportedPlatformNames") {
            Self::Names(names)
        } else if let Some(types) = words("supportedPlatforms") {
            Self::Types(types)
        } else {
            Self::All
        }
    }

    /// Whether a platform of this name and type is meant.
    pub fn supports(&self, name: &str, platform_type: &str) -> bool {
        let among = |words: &[String], word: &str| words.iter().any(|w| w == word);
        match self {
            Self::All => true,
            Self::Types(types) => among(types, platform_type),
            Self::Names(names) => among(names, name),
            Self::Except(names) => !among(names, name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn names_before_types_and_exclusion_before_both() {
        let cases = [
            (json!({}), true, true),
            (json!({"supportedPlatforms": []}), true, true),
            (json!({"supportedPlatforms": ["kubernetes"]}), true, false),
            (json!({"supportedPlatformNames": ["a"]}), true, false),
            (json!({"excludedPlatformNames": ["a"]}), false, true),
            (
                json!({"excludedPlatformNames": ["a"], "supportedPlatformNames": ["a"]}),
                false,
                true,
            ),
        ];
        for (metadata, first, second) in cases {
            let rule = PlatformRule::of(Some(&metadata));
            assert_eq!(rule.supports("a", "kubernetes"), first, "{metadata}");
            assert_eq!(rule.supports("b", "cloudfoundry"), second, "{metadata}");
        }
    }
}
