//! Removes a client. Its tokens live until they expire, half an hour at most.

use crate::Lifecycle;
use crate::identity::needs_built_in;
use qm_model::audit::{Entry, Outcome};
use qm_model::id::ClientId;
use qm_model::{Ctx, Error, Kind};
use qm_store::{audit, client};

/// Removes a client.
///
/// # Errors
/// 403 without the role, 404.
pub async fn remove_client(deeds: &Lifecycle, ctx: &Ctx, id: &ClientId) -> Result<(), Error> {
    let permit = qm_policy::change(ctx, Kind::Client, &deeds.settings.policy)?;
    needs_built_in(deeds)?;
    let (ctx, id, now) = (ctx.clone(), id.clone(), deeds.now());
    deeds
        .store
        .change(&permit, async move |tx| {
            if !client::delete(tx, &id).await? {
                return Err(Error::Missing(Kind::Client));
            }
            let entry = Entry::of(
                &ctx,
                now,
                "delete",
                Some(Kind::Client),
                id.as_str(),
                Outcome::Succeeded,
                "",
            );
            Ok(audit::append(tx, &entry).await?)
        })
        .await
}
