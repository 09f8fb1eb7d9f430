//! Deeds about platforms.

mod ensure_manager;
mod presence;
mod register;
mod remove;
mod update;

pub use ensure_manager::ensure_manager;
pub use presence::{connected, left, seen};
pub use register::{NewPlatform, register};
pub use remove::{remove, remove_many};
pub use update::{PlatformChange, update};

use qm_model::platform::{Credentials, Platform};

/// A platform and, where it just got one, its new pair.
#[derive(Debug, Clone)]
pub struct WithCredentials {
    /// The platform.
    pub platform: Platform,
    /// Shown once.
    pub credentials: Option<Credentials>,
}
