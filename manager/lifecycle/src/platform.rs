//! Deeds about platforms.

mod ensure_manager;
mod presence;
mod register;
mod remove;
mod update;

pub use ensure_manager::ensure_manager;
pub use presence::{connected, left, seen};
pub use register::{NewPlatform, register};
pub(crate) use remove::take_away;
pub use remove::{remove, remove_many};
pub use update::{PlatformChange, update};

use qm_model::platform::{Credentials, Platform};
use qm_model::{Error, Kind};
use qm_policy::Scope;
use qm_store::Tx;

/// A platform and, where it just got one, its new pair.
#[derive(Debug, Clone)]
pub struct WithCredentials {
    /// The platform.
    pub platform: Platform,
    /// Shown once.
    pub credentials: Option<Credentials>,
}

/// The platform that a caller wants to change. Technical ones are not shown, yet whoever sees everything may change
/// and remove them; the manager itself nobody may.
pub(crate) async fn to_change(tx: &Tx<'_>, scope: &Scope, id: &str) -> Result<Platform, Error> {
    let found = match scope {
        Scope::All => qm_store::platform::get_any(tx, id).await?,
        Scope::Tenant { .. } | Scope::Platform { .. } => {
            qm_store::resource::get::<Platform>(tx, scope, id).await?
        }
    };
    found
        .filter(|platform| !platform.is_manager())
        .ok_or(Error::Missing(Kind::Platform))
}
