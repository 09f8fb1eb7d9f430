//! Labels: a map in resources and create bodies, a list of changes in patches.
//!
//! Which keys and values are allowed and what a change does is the model's. The rule here: a key that is
//! given twice is refused, not merged, and a word we do not know is kept, so that the model can name it.

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::{
    collections::BTreeMap,
    fmt,
    ops::{Deref, DerefMut},
};
use utoipa::ToSchema;

/// Values by key, as in `{"env":["dev","qa"]}`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(transparent)]
pub struct Labels(pub BTreeMap<String, Vec<String>>);

impl Labels {
    /// No labels.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Deref for Labels {
    type Target = BTreeMap<String, Vec<String>>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Labels {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl From<BTreeMap<String, Vec<String>>> for Labels {
    fn from(labels: BTreeMap<String, Vec<String>>) -> Self {
        Self(labels)
    }
}

impl FromIterator<(String, Vec<String>)> for Labels {
    fn from_iter<I: IntoIterator<Item = (String, Vec<String>)>>(labels: I) -> Self {
        Self(labels.into_iter().collect())
    }
}

impl<'de> Deserialize<'de> for Labels {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LabelsVisitor)
    }
}

struct LabelsVisitor;

impl<'de> Visitor<'de> for LabelsVisitor {
    type Value = Labels;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object of string arrays")
    }

    fn visit_unit<E>(self) -> Result<Labels, E> {
        Ok(Labels::new())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Labels, A::Error> {
        let mut labels = BTreeMap::new();
        while let Some((key, values)) = map.next_entry::<String, Option<Vec<String>>>()? {
            if labels.contains_key(&key) {
                // serde's own words for a field; who explains faults knows them.
                return Err(A::Error::custom(format_args!("duplicate field `{key}`")));
            }
            labels.insert(key, values.unwrap_or_default());
        }
        Ok(Labels(labels))
    }
}

/// One change of labels.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LabelChange {
    /// What to do.
    pub op: LabelOp,
    /// With which label.
    pub key: String,
    /// With which values; `add_values`, `remove_values` and `replace` need some.
    #[serde(default, deserialize_with = "crate::lenient::null_as_default")]
    #[schema(required = false)]
    pub values: Vec<String>,
}

/// What to do with a label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelOp {
    /// Adds values; without values, the empty one.
    Add,
    /// Adds values.
    AddValues,
    /// Removes values; without values, the whole label.
    Remove,
    /// Removes values.
    RemoveValues,
    /// Puts these values in the place of all there were.
    Replace,
    /// A word that is none of these.
    #[serde(untagged)]
    Other(String),
}

// By hand: the last variant is for reading, and nobody should be told to send it.
impl utoipa::PartialSchema for LabelOp {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .description(Some(
                "What to do with a label: add values (`add` without values adds the empty one), remove values \
                 (`remove` without values removes the label), or replace all values.",
            ))
            .enum_values(Some([
                "add",
                "add_values",
                "remove",
                "remove_values",
                "replace",
            ]))
            .into()
    }
}

impl ToSchema for LabelOp {}
