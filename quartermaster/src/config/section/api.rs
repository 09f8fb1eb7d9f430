//! `[api]` and `[rate_limit]`: what clients may ask, and how much.

use crate::config::rate::Rate;
use serde::Deserialize;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Api {
    pub(crate) default_page_size: u32,
    pub(crate) max_page_size: u32,
    pub(crate) protected_labels: Vec<String>,
    pub(crate) disabled_query_parameters: Vec<String>,
    pub(crate) agents_versions: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateLimit {
    pub(crate) enabled: bool,
    pub(crate) rules: Vec<Rate>,
    pub(crate) exclude_callers: Vec<String>,
    pub(crate) exclude_paths: Vec<String>,
}
