//! Platforms: `/v1/platforms`.
//!
//! The rule: `credentials` stand in the answer to a registration and to `regenerateCredentials=true`, and
//! nowhere else; the pair before them is never shown.

use crate::lenient::{is_false, null_as_default};
use crate::{Base, BasicCredentials, LabelChange, Labels, Operation, Patch};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::{IntoParams, ToSchema};

/// The collection.
pub const PATH: &str = "/v1/platforms";

/// A registered platform.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Platform {
    /// What every resource has.
    #[serde(flatten)]
    pub base: Base,
    /// What was last done to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_operation: Option<Box<Operation>>,
    /// `cloudfoundry`, `kubernetes`, `service-manager`, or any other word.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its name; unique.
    pub name: String,
    /// For people.
    pub description: String,
    /// What it logs in with; only in the answer to the registration or to `regenerateCredentials=true`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub credentials: Option<PlatformCredentials>,
    /// Stands for visibilities only and cannot log in; left out when false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub technical: bool,
    /// May not create or change instances and bindings; left out when false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub suspended: bool,
}

/// What a platform logs in with.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PlatformCredentials {
    /// User and password, made by the manager.
    pub basic: BasicCredentials,
}

/// A platform to be registered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct NewPlatform {
    /// A name of your own choice for programs; made up when left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its name; unique.
    pub name: String,
    /// `cloudfoundry`, `kubernetes`, or any other word.
    #[serde(rename = "type")]
    pub kind: String,
    /// For people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Stands for visibilities only and cannot log in.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "is_false"
    )]
    pub technical: bool,
    /// May not create or change instances and bindings.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "is_false"
    )]
    pub suspended: bool,
    /// Labels.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
}

/// A change of a platform. The body `null` changes nothing, as `{}` does.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(remote = "Self")]
pub struct PlatformPatch {
    /// A new name.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub name: Patch<String>,
    /// A new type.
    #[serde(rename = "type", default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub kind: Patch<String>,
    /// A new description.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<String>)]
    pub description: Patch<String>,
    /// Whether it stands for visibilities only.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<bool>)]
    pub technical: Patch<bool>,
    /// Whether it may not create or change instances and bindings.
    #[serde(default, skip_serializing_if = "Patch::is_absent")]
    #[schema(value_type = Option<bool>)]
    pub suspended: Patch<bool>,
    /// Changes of labels, in order.
    #[serde(
        default,
        deserialize_with = "null_as_default",
        skip_serializing_if = "Vec::is_empty"
    )]
    pub labels: Vec<LabelChange>,
}

// `remote = "Self"` makes the derived code plain functions, so that `null` can be read before them: smctl
// sends it to renew credentials and change nothing else.
impl<'de> Deserialize<'de> for PlatformPatch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        struct Body(#[serde(with = "PlatformPatch")] PlatformPatch);

        let body: Option<Body> = Option::deserialize(deserializer)?;
        Ok(body.map_or_else(Self::default, |Body(patch)| patch))
    }
}

impl Serialize for PlatformPatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
}

/// How to change a platform.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoParams,
)]
#[into_params(parameter_in = Query)]
pub struct PlatformPatchQuery {
    /// Makes a new pair and answers with it. The pair in use stays valid until the new one is first used on
    /// the notification stream.
    #[serde(
        rename = "regenerateCredentials",
        default,
        skip_serializing_if = "is_false"
    )]
    pub regenerate_credentials: bool,
}
