//! The fields that every resource has, and the empty answer.
//!
//! Every resource flattens `Base` as its first field: clients that print JSON keep the order they know.

use crate::{Labels, Timestamp};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What every resource has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Base {
    /// Unique within the collection; never changes.
    pub id: String,
    /// When it was stored first.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
    /// Labels; left out when there are none.
    #[serde(default, skip_serializing_if = "Labels::is_empty")]
    pub labels: Labels,
    /// False until the operation that creates it has succeeded.
    pub ready: bool,
}

/// The empty object: the answer to a delete and the body of a 202.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Empty {}
