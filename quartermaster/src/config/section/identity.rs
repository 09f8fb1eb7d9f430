//! `[identity]` and `[tenancy]`: who may call, and what is theirs.

use crate::config::span::Span;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Identity {
    pub(crate) builtin: Builtin,
    pub(crate) access_token_lifetime: Span,
    pub(crate) refresh_token_lifetime: Span,
    pub(crate) signing_key_lifetime: Span,
    pub(crate) token_basic_auth: bool,
    pub(crate) keys_refresh_interval: Span,
    pub(crate) issuers: Vec<Issuer>,
}

/// Whether the manager issues tokens itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Builtin {
    /// Unless there are others.
    Auto,
    On,
    Off,
}

/// Another issuer. It is also serialised: its fields are what a block may hold.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Issuer {
    pub(crate) url: String,
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
    pub(crate) manager_tenant_id: String,
}
