//! A registered platform: Cloud Foundry, Kubernetes, or anything else that offers services.

use crate::id::PlatformId;
use crate::{Meta, Secret, Time};

/// The type whose visibilities are by organization.
pub const CLOUDFOUNDRY: &str = "cloudfoundry";
/// The type that sees only what is visible to it.
pub const KUBERNETES: &str = "kubernetes";
/// The manager itself.
pub const SERVICE_MANAGER: &str = "service-manager";

/// A platform. What it logs in with is apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Platform {
    /// Which one.
    pub id: PlatformId,
    /// Unique.
    pub name: String,
    /// `cloudfoundry`, `kubernetes` or any other word.
    pub platform_type: String,
    /// For people.
    pub description: String,
    /// Stands only for visibilities: no credentials, not shown.
    pub technical: bool,
    /// May not create or change anything.
    pub suspended: bool,
    /// Connected to the notification stream, or was until `last_active`.
    pub active: bool,
    /// Its last sign of life on the notification stream.
    pub last_active: Option<Time>,
    /// What its agent calls itself.
    pub version: String,
    /// What every resource has.
    pub meta: Meta,
}

impl Platform {
    /// Whether this is the manager itself.
    pub fn is_manager(&self) -> bool {
        self.id.is_manager()
    }
}

/// A fresh pair, shown once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user.
    pub username: String,
    /// The password.
    pub password: Secret<String>,
}
