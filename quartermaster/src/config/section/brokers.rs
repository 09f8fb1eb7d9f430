//! `[brokers]` and `[osb]`: how brokers and issuers are called, how often catalogs are fetched, and what is
//! done to requests on their way.

use crate::config::span::Span;
use qm_model::Secret;
use qm_relay::Network;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::path::PathBuf;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Brokers {
    pub(crate) timeout: Span,
    pub(crate) connect_timeout: Span,
    pub(crate) header_timeout: Span,
    pub(crate) idle_timeout: Span,
    pub(crate) concurrency: usize,
    pub(crate) queue_timeout: Span,
    pub(crate) max_catalog_bytes: usize,
    pub(crate) max_answer_bytes: usize,
    pub(crate) breaker_failures: u32,
    pub(crate) breaker_pause: Span,
    pub(crate) allow_http: bool,
    pub(crate) allow_http_issuers: bool,
    #[serde(deserialize_with = "networks")]
    pub(crate) denied_networks: Vec<Network>,
    pub(crate) skip_tls_verification: bool,
    pub(crate) extra_ca_files: Vec<PathBuf>,
    #[serde(deserialize_with = "super::path")]
    pub(crate) client_certificate_file: Option<PathBuf>,
    #[serde(deserialize_with = "super::path")]
    pub(crate) client_key_file: Option<PathBuf>,
    pub(crate) refresh_interval: Span,
    pub(crate) refresh_concurrency: usize,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Osb {
    #[serde(deserialize_with = "super::path")]
    pub(crate) context_signing_key_file: Option<PathBuf>,
    #[serde(deserialize_with = "super::server::secret")]
    pub(crate) context_signing_key: Option<Secret<String>>,
    #[serde(deserialize_with = "super::text")]
    pub(crate) context_successor_public_key: Option<String>,
}

fn networks<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Network>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let read = |text: &String| {
        text.parse()
            .map_err(|bad| D::Error::custom(format!("{text:?}: {bad}")))
    };
    texts.iter().map(read).collect()
}
