//! `[server]`, `[database]` and `[keys]`: where the manager listens and keeps its state.

use crate::config::span::Span;
use qm_model::Secret;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Server {
    pub(crate) listen: String,
    #[serde(deserialize_with = "super::text")]
    pub(crate) public_url: Option<String>,
    pub(crate) request_timeout: Span,
    pub(crate) max_body_bytes: usize,
    pub(crate) max_header_bytes: usize,
    pub(crate) header_timeout: Span,
    pub(crate) max_connections: usize,
    pub(crate) max_in_flight: usize,
    pub(crate) trust_forwarded_for: bool,
    pub(crate) shutdown_timeout: Span,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Database {
    /// Holds a password more often than not.
    #[serde(deserialize_with = "secret")]
    pub(crate) url: Option<Secret<String>>,
    pub(crate) connections: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Keys {
    #[serde(deserialize_with = "super::path")]
    pub(crate) file: Option<PathBuf>,
}

pub(super) fn secret<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Secret<String>>, D::Error> {
    Ok(super::text(deserializer)?.map(Secret::new))
}
