//! Signs of life of a platform's agent on the notification stream. Called by the WebSocket door.
//!
//! The rule: only the columns that say so are touched, so that a change made at the same moment stays.

use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::ctx::PlatformCaller;
use qm_model::{Caller, Ctx, Error, Kind};
use qm_store::{audit, platform};

/// The agent has connected. Doing so with the new pair makes the old one invalid.
///
/// # Errors
/// 401 for anybody but a platform; the store does not answer.
pub async fn connected(deeds: &Lifecycle, ctx: &Ctx, version: Option<String>) -> Result<(), Error> {
    let caller = caller(ctx)?.clone();
    let permit = own(deeds)?;
    let (ctx, now) = (ctx.clone(), deeds.now());
    deeds
        .store
        .change(&permit, async move |tx| {
            platform::set_active(tx, &caller.id, true, now, version.as_deref()).await?;
            // Of the pair that it came with: another may have been made meanwhile.
            if platform::activate(tx, &caller.id, &caller.username).await? {
                let entry = Entry::of(
                    &ctx,
                    now,
                    "activate",
                    Some(Kind::Platform),
                    caller.id.as_str(),
                    Outcome::Succeeded,
                    "the new credentials are in use",
                );
                audit::append(tx, &entry).await?;
            }
            Ok(())
        })
        .await
}

/// The agent has given a sign of life.
///
/// # Errors
/// As [`connected`].
pub async fn seen(deeds: &Lifecycle, ctx: &Ctx) -> Result<(), Error> {
    mark(deeds, ctx, true).await
}

/// The agent has gone.
///
/// # Errors
/// As [`connected`].
pub async fn left(deeds: &Lifecycle, ctx: &Ctx) -> Result<(), Error> {
    mark(deeds, ctx, false).await
}

async fn mark(deeds: &Lifecycle, ctx: &Ctx, active: bool) -> Result<(), Error> {
    let id = caller(ctx)?.id.clone();
    let permit = own(deeds)?;
    let now = deeds.now();
    deeds
        .store
        .change(&permit, async move |tx| {
            platform::set_active(tx, &id, active, now, None).await?;
            Ok(())
        })
        .await
}

fn caller(ctx: &Ctx) -> Result<&PlatformCaller, Error> {
    match &ctx.caller {
        Caller::Platform(platform) => Ok(platform),
        _ => Err(Error::Unauthenticated {
            message: "No authenticated user found: this needs a platform's Basic credentials"
                .to_owned(),
        }),
    }
}

/// A platform may not change its record; that it was seen is the manager's own note.
fn own(deeds: &Lifecycle) -> Result<qm_policy::Permit<qm_policy::Change>, Error> {
    let ctx = Ctx::system("presence", String::new());
    qm_policy::change(&ctx, Kind::Platform, &deeds.settings.policy)
}
