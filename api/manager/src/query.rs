//! Query parameters that several collections take, by their names on the wire.
//!
//! OpenAPI is made from them and clients write them. The doors read the raw query instead: a repeated
//! `token` counts by its last value, and `async` is true for any word but `false`.

use crate::lenient::is_false;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// What to list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ListQuery {
    /// Only resources whose fields fulfil this, as in `name eq 'db' and ready eq true`.
    #[serde(
        rename = "fieldQuery",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub field_query: Option<String>,
    /// Only resources whose labels fulfil this, as in `env in ('dev','qa')`.
    #[serde(
        rename = "labelQuery",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub label_query: Option<String>,
    /// How many at most on a page; `0` asks for the exact number only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u32>,
    /// The `token` of the page before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// Adds `last_operation` to each item.
    #[serde(default, skip_serializing_if = "is_false")]
    pub attach_last_operations: bool,
}

/// Which ones to delete; nothing said means all.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct BulkDeleteQuery {
    /// Only resources whose fields fulfil this.
    #[serde(
        rename = "fieldQuery",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub field_query: Option<String>,
    /// Only resources whose labels fulfil this.
    #[serde(
        rename = "labelQuery",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub label_query: Option<String>,
}

/// Whether to wait.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AsyncQuery {
    /// `true` answers 202 at once, `false` waits for the end. Left out: 202 only if the broker itself takes longer.
    #[serde(rename = "async", default, skip_serializing_if = "Option::is_none")]
    pub asynchronous: Option<bool>,
}

/// How to delete.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct DeleteQuery {
    /// `true` answers 202 at once, `false` waits for the end. Left out: 202 only if the broker itself takes longer.
    #[serde(rename = "async", default, skip_serializing_if = "Option::is_none")]
    pub asynchronous: Option<bool>,
    /// Deletes what depends on it too, first. Always answers 202.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cascade: bool,
    /// With `cascade`: forgets what the broker refuses to delete.
    #[serde(default, skip_serializing_if = "is_false")]
    pub force: bool,
}
