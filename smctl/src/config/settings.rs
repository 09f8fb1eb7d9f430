//! How to reach one manager, and as whom. The names are those of the old smctl; the last four are ours.
//!
//! The rule: a missing key is its default; a file of an older or newer smctl can always be read.

use super::Expiry;
use crate::transport::Trust;
use qm_manager_api::Secret;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How to reach one manager, and as whom.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Settings {
    pub(crate) url: String,
    pub(crate) user: String,
    pub(crate) ssl_disabled: bool,
    pub(crate) token_basic_auth: bool,
    pub(crate) access_token: Secret<String>,
    pub(crate) refresh_token: Secret<String>,
    pub(crate) expiry: Expiry,
    pub(crate) client_id: String,
    pub(crate) client_secret: Secret<String>,
    pub(crate) issuer_url: String,
    pub(crate) token_url: String,
    pub(crate) auth_url: String,
    pub(crate) auth_flow: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) revocation_url: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cert: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) key: Option<PathBuf>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            url: String::new(),
            user: String::new(),
            ssl_disabled: false,
            token_basic_auth: true,
            access_token: Secret::default(),
            refresh_token: Secret::default(),
            expiry: Expiry::default(),
            client_id: String::new(),
            client_secret: Secret::default(),
            issuer_url: String::new(),
            token_url: String::new(),
            auth_url: String::new(),
            auth_flow: String::new(),
            revocation_url: String::new(),
            cert: None,
            key: None,
        }
    }
}

impl Settings {
    /// Whether somebody is logged in.
    pub(crate) fn is_logged_in(&self) -> bool {
        !self.access_token.expose().is_empty()
    }

    /// Whom to trust, and with which certificate to come.
    pub(crate) fn trust(&self) -> Trust {
        let certificate = self.cert.clone().zip(self.key.clone());
        Trust {
            anybody: self.ssl_disabled,
            certificate,
        }
    }
}
