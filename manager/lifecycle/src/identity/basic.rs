//! A platform logs in with its pair. The doors call it for every request with `Authorization: Basic`.
//!
//! The rule: current and old pair are equally good until the current one is activated, and a name that
//! nobody has costs one lookup and one comparison, as a name that somebody has.

use super::secret::{hash, same};
use super::unauthenticated;
use crate::Lifecycle;
use qm_model::ctx::PlatformCaller;
use qm_model::{Caller, Error};
use qm_store::platform;

/// Who the pair belongs to.
///
/// # Errors
/// 401 when it belongs to nobody; what the store says.
pub async fn basic(deeds: &Lifecycle, username: &str, password: &str) -> Result<Caller, Error> {
    let name = username.to_owned();
    let found = deeds
        .store
        .read(async move |tx| Ok::<_, Error>(platform::by_username(tx, &name).await?))
        .await?;
    let brought = hash(password);
    // No proof has this hash, so whoever is not found is compared and fails like the others.
    let stored = found.as_ref().map_or([0; 32], |(_, stored)| stored.hash);
    let right = same(&brought, &stored);
    match found {
        Some((platform, _)) if right => Ok(Caller::Platform(PlatformCaller {
            id: platform.id,
            name: platform.name,
            platform_type: platform.platform_type,
            username: username.to_owned(),
        })),
        _ => Err(unauthenticated("the user name or the password is wrong")),
    }
}
