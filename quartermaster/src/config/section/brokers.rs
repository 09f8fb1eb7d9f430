//! `[brokers]`: how brokers and issuers are called, and how often catalogs are fetched.

use crate::config::span::Span;
use serde::Deserialize;
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
    pub(crate) breaker_failures: u32,
    pub(crate) breaker_pause: Span,
    pub(crate) allow_http: bool,
    pub(crate) allow_http_issuers: bool,
    pub(crate) skip_tls_verification: bool,
    pub(crate) extra_ca_files: Vec<PathBuf>,
    #[serde(deserialize_with = "super::path")]
    pub(crate) client_certificate_file: Option<PathBuf>,
    #[serde(deserialize_with = "super::path")]
    pub(crate) client_key_file: Option<PathBuf>,
    pub(crate) refresh_interval: Span,
    pub(crate) refresh_concurrency: usize,
}
