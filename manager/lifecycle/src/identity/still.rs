//! Whether what a platform came with still opens the door. Connections that last ask it again and again; a request need
//! not, because `basic` has just said so.
//!
//! The rule: the store is asked and no memory of this process, so that a pair that was rotated away, or whose platform
//! was removed, through any replica ends here as well.

use super::unauthenticated;
use crate::Lifecycle;
use qm_model::{Caller, Ctx, Error};
use qm_store::platform;

/// Whether the calling platform would still be let in.
///
/// # Errors
/// 401 when not, and for anybody but a platform; what the store says.
pub async fn still(deeds: &Lifecycle, ctx: &Ctx) -> Result<(), Error> {
    let Caller::Platform(caller) = &ctx.caller else {
        return Err(unauthenticated("only a platform's pair can be looked up"));
    };
    let (name, id) = (caller.username.clone(), &caller.id);
    let found = deeds
        .store
        .read(async move |tx| Ok::<_, Error>(platform::by_username(tx, &name).await?))
        .await?;
    match found {
        Some((platform, _)) if platform.id == *id => Ok(()),
        _ => Err(unauthenticated(
            "the pair was replaced by another one, or its platform was removed",
        )),
    }
}
