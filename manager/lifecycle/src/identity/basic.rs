//! A platform logs in with its pair. The doors call it for every request with `Authorization: Basic`.
//!
//! The rule: current and old pair are equally good until the current one is activated, and a name that
//! nobody has costs one lookup and one comparison, as a name that somebody has. A pair that was right is remembered
//! until something about its platform changes.

use super::secret::{hash, same};
use super::unauthenticated;
use crate::Lifecycle;
use crate::views::{Mark, Of, Since};
use qm_model::ctx::PlatformCaller;
use qm_model::platform::Platform;
use qm_model::{Caller, Error};
use qm_store::platform::{self, Stored};

/// Who the pair belongs to.
///
/// # Errors
/// 401 when it belongs to nobody; what the store says.
pub async fn basic(deeds: &Lifecycle, username: &str, password: &str) -> Result<Caller, Error> {
    let pairs = &deeds.identity.pairs;
    let proof = pairs.proof(username, password);
    if let Some(known) = pairs.right(proof, None, &deeds.memory.stamps) {
        return Ok(Caller::Platform(known));
    }
    let since = deeds.memory.stamps.now();
    let name = username.to_owned();
    let found = deeds
        .store
        .read(async move |tx| Ok::<_, Error>(platform::by_username(tx, &name).await?))
        .await?;
    let right = has(found.as_ref(), password);
    match found {
        Some((platform, _)) if right => {
            let mark = mark(deeds, since, &platform);
            let caller = caller(deeds, platform, username);
            pairs.put_right(proof, None, caller.clone(), mark);
            Ok(Caller::Platform(caller))
        }
        _ => Err(wrong()),
    }
}

/// Whether this is the platform's password. Without a platform it never is, after the same work.
pub(super) fn has(found: Option<&(Platform, Stored)>, password: &str) -> bool {
    let brought = hash(password);
    // No proof has this hash, so whoever is not found is compared and fails like the others.
    let stored = found.map_or([0; 32], |(_, stored)| stored.hash);
    same(&brought, &stored) && found.is_some()
}

/// What a platform's own pair depends on.
pub(super) fn mark(deeds: &Lifecycle, since: Since, platform: &Platform) -> Mark {
    let of = Of::Platform(platform.id.as_str());
    deeds.memory.stamps.mark(since, [of; 3])
}

/// The platform as a caller.
pub(super) fn caller(deeds: &Lifecycle, platform: Platform, username: &str) -> PlatformCaller {
    let tenants = platform
        .meta
        .labels
        .get(&deeds.settings.policy.tenant_label);
    PlatformCaller {
        tenants: tenants.into_iter().flatten().cloned().collect(),
        id: platform.id,
        name: platform.name,
        platform_type: platform.platform_type,
        username: username.to_owned(),
        suspended: platform.suspended,
    }
}

pub(super) fn wrong() -> Error {
    unauthenticated("the user name or the password is wrong")
}
