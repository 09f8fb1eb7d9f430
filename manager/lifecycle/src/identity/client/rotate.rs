//! Gives a client another secret. The old one is worth nothing at once; its tokens live until they expire.

use super::AddedClient;
use crate::Lifecycle;
use crate::identity::{needs_built_in, secret};
use qm_model::audit::{Entry, Outcome};
use qm_model::id::ClientId;
use qm_model::{Ctx, Error, Kind};
use qm_store::{audit, client};

/// Gives a client another secret.
///
/// # Errors
/// 403 without the role, 404.
pub async fn rotate_client(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &ClientId,
) -> Result<AddedClient, Error> {
    let permit = qm_policy::change(ctx, Kind::Client, &deeds.settings.policy)?;
    needs_built_in(deeds)?;
    let secret = secret::fresh::<32>()?;
    let hash = secret::hash(secret.expose());
    let (ctx, id, now) = (ctx.clone(), id.clone(), deeds.now());
    let client = deeds
        .store
        .change(&permit, async move |tx| {
            client::set_secret(tx, &id, &hash, now).await?;
            let client = client::get(tx, &id)
                .await?
                .ok_or(Error::Missing(Kind::Client))?;
            let entry = Entry::of(
                &ctx,
                now,
                "rotate",
                Some(Kind::Client),
                id.as_str(),
                Outcome::Succeeded,
                "",
            );
            audit::append(tx, &entry).await?;
            Ok::<_, Error>(client)
        })
        .await?;
    Ok(AddedClient { client, secret })
}
