//! A registered broker: where it is, how to log in there, and what became of its catalog.

use crate::id::BrokerId;
use crate::{Meta, Secret, Time};
use serde::{Deserialize, Serialize};

/// A broker. Its secrets are apart ([`Access`]), so that whoever shows one cannot leak them.
#[derive(Debug, Clone, PartialEq)]
pub struct Broker {
    /// Which one.
    pub id: BrokerId,
    /// Unique.
    pub name: String,
    /// For people.
    pub description: String,
    /// Where `/v2/...` is.
    pub url: String,
    /// What every resource has.
    pub meta: Meta,
    /// How the last look at its catalog went.
    pub catalog: CatalogState,
}

/// What became of the catalog.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CatalogState {
    /// What the broker called this version of it.
    pub etag: Option<String>,
    /// When it was last seen to be as stored.
    pub fetched_at: Option<Time>,
    /// Why the last periodic look failed.
    pub problem: Option<String>,
    /// A change that was not taken over because it would break what runs.
    pub held: Option<HeldChange>,
}

/// A catalog change in quarantine.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldChange {
    /// When it was seen first.
    pub at: Time,
    /// Why it is held, for people.
    pub reason: String,
    /// The difference, by names `offering/plan`.
    pub difference: Difference,
}

/// What changed between two catalogs, by names `offering` or `offering/plan`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Difference {
    /// New ones.
    pub added: Vec<String>,
    /// Ones that are still there and differ.
    pub changed: Vec<String>,
    /// Gone ones.
    pub removed: Vec<String>,
}

impl Difference {
    /// Whether nothing changed.
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.changed.is_empty() && self.removed.is_empty()
    }
}

/// How to log in at a broker. It can be written, because the store seals it whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Access {
    /// What goes into the `Authorization` header.
    pub auth: Auth,
    /// What is shown in the TLS handshake.
    pub tls: Tls,
}

/// What goes into the `Authorization` header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Auth {
    /// Nothing; then there is a client certificate.
    None,
    /// User and password.
    Basic {
        /// The user.
        username: String,
        /// The password.
        password: Secret<String>,
    },
    /// A fixed token.
    Bearer {
        /// The token.
        token: Secret<String>,
    },
    /// A token got with the OAuth2 client-credentials grant.
    OAuth2 {
        /// Where.
        token_url: String,
        /// As whom.
        client_id: String,
        /// With which secret.
        client_secret: Secret<String>,
        /// For what; may be empty.
        scope: String,
    },
}

/// What is shown in the TLS handshake.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Tls {
    /// Nothing.
    None,
    /// A certificate of the broker's own choice.
    Own {
        /// PEM.
        certificate: String,
        /// PEM.
        key: Secret<String>,
    },
    /// The certificate the manager is configured with.
    Managers,
}
