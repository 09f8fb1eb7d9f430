//! A user changes the own password. No role is needed: the old password is the proof.
//!
//! The rule: a token alone is not enough, and guessing the old password here is as slow as at login.

use crate::Lifecycle;
use crate::identity::{BUILT_IN, needs_built_in, own_permit, password};
use qm_model::audit::{Entry, Outcome};
use qm_model::id::UserId;
use qm_model::{Caller, Ctx, Error, Kind, Secret};
use qm_store::{audit, refresh_token, user};

/// Changes the caller's password and ends every login made with the old one.
///
/// # Errors
/// 400 for a password that cannot be, 403 for a caller who has none here or whose old one is wrong.
pub async fn change_own_password(
    deeds: &Lifecycle,
    ctx: &Ctx,
    old: Secret<String>,
    new: Secret<String>,
) -> Result<(), Error> {
    needs_built_in(deeds)?;
    let Caller::Person(person) = &ctx.caller else {
        return Err(no_password());
    };
    if person.issuer != BUILT_IN {
        return Err(no_password());
    }
    password::check(&new)?;
    let id = UserId::stored(person.subject.clone());
    let found = deeds
        .store
        .read({
            let id = id.clone();
            async move |tx| {
                let Some(user) = user::get(tx, &id).await? else {
                    return Ok::<_, Error>(None);
                };
                Ok(user::by_name(tx, &user.name).await?)
            }
        })
        .await?;
    let login = found.ok_or_else(no_password)?;
    let stored = Some(login.password.clone());
    if !password::guess(deeds, ctx, &login.user.name, stored, old).await? {
        return Err(Error::Forbidden {
            rule: "password",
            message: "the old password is wrong".to_owned(),
        });
    }
    let hash = password::hash(deeds, new).await?;
    let permit = own_permit(deeds, &ctx.correlation_id)?;
    let (ctx, now) = (ctx.clone(), deeds.now());
    deeds
        .store
        .change(&permit, async move |tx| {
            let stored = user::by_name(tx, &login.user.name).await?;
            if stored.is_none_or(|stored| stored.password != login.password) {
                return Err(Error::conflict(
                    Kind::User,
                    "the user was changed meanwhile; try again",
                ));
            }
            user::set_password(tx, &id, &hash, now).await?;
            refresh_token::revoke_all(tx, &id).await?;
            let entry = Entry::of(
                &ctx,
                now,
                "update",
                Some(Kind::User),
                id.as_str(),
                Outcome::Succeeded,
                "own password",
            );
            Ok(audit::append(tx, &entry).await?)
        })
        .await
}

fn no_password() -> Error {
    Error::Forbidden {
        rule: "password",
        message: "only a user of the built-in issuer has a password here".to_owned(),
    }
}
