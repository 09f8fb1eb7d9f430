//! `[api]` and `[rate_limit]`: what clients may ask, and how much.

use qm_http::RateRule;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Api {
    pub(crate) default_page_size: u32,
    pub(crate) max_page_size: u32,
    pub(crate) protected_labels: Vec<String>,
    pub(crate) disabled_query_parameters: Vec<String>,
    pub(crate) enable_instance_transfer: bool,
    pub(crate) agents_versions: BTreeMap<String, Vec<String>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RateLimit {
    pub(crate) enabled: bool,
    #[serde(deserialize_with = "rules")]
    pub(crate) rules: Vec<RateRule>,
    pub(crate) exclude_callers: Vec<String>,
    pub(crate) exclude_paths: Vec<String>,
}

fn rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<RateRule>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts
        .iter()
        .map(|text| text.parse().map_err(D::Error::custom))
        .collect()
}
