//! `[identity]` and `[tenancy]`: who may call, and what is theirs.

use crate::config::span::Span;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Identity {
    pub(crate) builtin: bool,
    pub(crate) access_token_lifetime: Span,
    pub(crate) refresh_token_lifetime: Span,
    pub(crate) keys_refresh_interval: Span,
    pub(crate) issuers: Vec<Issuer>,
}

/// Another issuer. It is also serialised: its fields are what a block may hold.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Issuer {
    pub(crate) url: String,
    pub(crate) name: String,
    pub(crate) audience: String,
    pub(crate) roles_claim: String,
    pub(crate) roles: BTreeMap<String, Vec<String>>,
    pub(crate) name_claim: String,
    pub(crate) tenant_claim: String,
}

impl Default for Issuer {
    fn default() -> Self {
        Self {
            url: String::new(),
            name: String::new(),
            audience: String::new(),
            roles_claim: "roles".to_owned(),
            roles: BTreeMap::new(),
            name_claim: "preferred_username".to_owned(),
            tenant_claim: String::new(),
        }
    }
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Tenancy {
    pub(crate) label: String,
    #[serde(deserialize_with = "super::text")]
    pub(crate) claim: Option<String>,
}
