//! `[audit]`, `[log]`, `[metrics]` and `[tracing]`: what can be seen of a running manager.

use crate::config::span::Span;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Audit {
    #[serde(deserialize_with = "span")]
    pub(crate) keep: Option<Span>,
    pub(crate) keep_at_most: u64,
}

fn span<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Span>, D::Error> {
    let text = super::text(deserializer)?;
    text.map(|text| text.parse().map_err(D::Error::custom))
        .transpose()
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Log {
    pub(crate) level: String,
    pub(crate) format: Format,
}

/// What a line of the log looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// Text on a terminal, JSON otherwise.
    Auto,
    Text,
    Json,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Metrics {
    pub(crate) public: bool,
    pub(crate) interval: Span,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tracing {
    #[serde(deserialize_with = "super::text")]
    pub(crate) endpoint: Option<String>,
}
