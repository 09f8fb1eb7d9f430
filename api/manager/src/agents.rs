//! Which agents platforms may run: `/v1/agents/versions`, open to everybody.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// The document.
pub const PATH: &str = "/v1/agents/versions";

/// The supported versions of each agent, by its name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
pub struct AgentVersions(pub BTreeMap<String, Vec<String>>);
