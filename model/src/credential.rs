//! What a platform's registration of a broker logs in with at the manager's OSB door.
//!
//! The rule: a pair that was in use stays valid until the new one is activated, so that no call fails
//! between the two.

use crate::id::{BrokerId, CredentialId, EventId, PlatformId};
use crate::{Secret, Time};

/// A broker-platform credential.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credential {
    /// Which one.
    pub id: CredentialId,
    /// For which broker.
    pub broker_id: BrokerId,
    /// Of which platform.
    pub platform_id: PlatformId,
    /// The new pair.
    pub current: Pair,
    /// The pair that is valid beside it until activation.
    pub old: Option<Pair>,
    /// The notification that made the platform renew it.
    pub notification_id: Option<EventId>,
    /// Whether the platform has said that it uses the new pair.
    pub active: bool,
    /// When it was stored first.
    pub created_at: Time,
    /// When it was changed last.
    pub updated_at: Time,
}

/// A user and the hash of a password.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// The user.
    pub username: String,
    /// bcrypt, as the platform's agent made it.
    pub password_hash: Secret<String>,
}
