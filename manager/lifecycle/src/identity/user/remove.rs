//! Removes a user. Refresh tokens go at once; an access token lives until it expires, half an hour at most.

use super::keep_an_admin;
use crate::Lifecycle;
use crate::identity::needs_built_in;
use qm_model::audit::{Entry, Outcome};
use qm_model::id::UserId;
use qm_model::{Ctx, Error, Kind};
use qm_store::{audit, user};

/// Removes a user.
///
/// # Errors
/// 403 without the role, 404, 409 for the last administrator.
pub async fn remove_user(deeds: &Lifecycle, ctx: &Ctx, id: &UserId) -> Result<(), Error> {
    let permit = qm_policy::change(ctx, Kind::User, &deeds.settings.policy)?;
    needs_built_in(deeds)?;
    let (ctx, id, now) = (ctx.clone(), id.clone(), deeds.now());
    deeds
        .store
        .change(&permit, async move |tx| {
            let before = user::get(tx, &id)
                .await?
                .ok_or(Error::Missing(Kind::User))?;
            keep_an_admin(tx, &before, None).await?;
            user::delete(tx, &id).await?;
            let entry = Entry::of(
                &ctx,
                now,
                "delete",
                Some(Kind::User),
                id.as_str(),
                Outcome::Succeeded,
                format!("user {:?}", before.name),
            );
            Ok(audit::append(tx, &entry).await?)
        })
        .await
}
