//! What an operator may set about logging in. The executable fills it from the configuration.

use qm_policy::token::Issuer;
use std::time::Duration;

/// Settings of identity.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Issuers whose tokens are taken.
    pub issuers: Vec<Issuer>,
    /// Whether the manager issues tokens itself; when not said, it does if there is nobody else.
    pub built_in: Option<bool>,
    /// What tokens of the built-in issuer have as `iss`, and must have. Not said: what each request was sent to, and
    /// then it is not compared; our signature vouches for it.
    pub public_url: Option<String>,
    /// How long an access token of the built-in issuer is good. It cannot be called back, so: short.
    pub access_token_age: Duration,
    /// How long a refresh token is good when it is not used.
    pub refresh_token_age: Duration,
    /// After which the built-in issuer signs with a new key.
    pub key_age: Duration,
    /// After which an issuer's keys are fetched anew, behind the back of whoever comes then.
    pub issuer_refresh: Duration,
    /// How long to leave an issuer alone after it was asked because of a key that nobody knew.
    pub unknown_key_pause: Duration,
    /// How many verified tokens are remembered.
    pub cached_tokens: usize,
    /// What happens to those who guess passwords.
    pub login: Limits,
}

/// What happens to those who guess passwords.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// So many failures in a row cost nothing. A wrong password in smctl makes two.
    pub free: u32,
    /// So many times as many for an address: there may be an office behind it.
    pub address_factor: u32,
    /// The first wait; every further failure doubles it.
    pub first_wait: Duration,
    /// The longest wait for a user name. Short, or anybody could keep the administrator out.
    pub longest_for_name: Duration,
    /// The longest wait for an address.
    pub longest_for_address: Duration,
    /// After so long one failure is forgiven.
    pub forgive_after: Duration,
}

impl Settings {
    /// Whether the manager issues tokens itself.
    pub fn has_built_in(&self) -> bool {
        self.built_in.unwrap_or(self.issuers.is_empty())
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            issuers: Vec::new(),
            built_in: None,
            public_url: None,
            access_token_age: Duration::from_secs(30 * 60),
            refresh_token_age: Duration::from_secs(30 * 24 * 60 * 60),
            key_age: Duration::from_secs(90 * 24 * 60 * 60),
            issuer_refresh: Duration::from_secs(10 * 60),
            unknown_key_pause: Duration::from_secs(10),
            cached_tokens: 10_000,
            login: Limits::default(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            free: 6,
            address_factor: 5,
            first_wait: Duration::from_secs(1),
            longest_for_name: Duration::from_secs(30),
            longest_for_address: Duration::from_secs(5 * 60),
            forgive_after: Duration::from_secs(60),
        }
    }
}
