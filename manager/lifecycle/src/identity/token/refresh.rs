//! Somebody who logged in goes on: a refresh token becomes a new one and a new access token.
//!
//! The rule: each refresh token is good once. A second use means that two have it, the user and a thief, and
//! nobody can tell which is which: all tokens of that login are revoked, and both have to log in. It is good only
//! through the client that got it; another one that tries uses nothing up.

use super::password::subject;
use crate::Lifecycle;
use crate::identity::issue::{self, Holder, Press, narrowed};
use crate::identity::{Issued, OAuthError, log, own_permit, secret};
use qm_model::audit::Outcome;
use qm_model::identity::{Role, User};
use qm_model::{Ctx, Secret};
use qm_store::refresh_token::{self, RefreshToken, Used};
use qm_store::{audit, user};
use std::collections::BTreeSet;

pub(in crate::identity) const OTHER_CLIENT: OAuthError =
    OAuthError::InvalidGrant("the refresh token was given to another client");

enum Taken {
    /// Whose it was, and the roles that are wanted.
    By(User, BTreeSet<Role>),
    /// A second use; the family is gone.
    Twice,
    /// Not known, expired, or of nobody.
    Nothing,
}

/// The refresh grant.
pub(super) async fn grant(
    deeds: &Lifecycle,
    ctx: &Ctx,
    issuer: &str,
    token: &Secret<String>,
    client: &str,
    scope: Option<String>,
) -> Result<Issued, OAuthError> {
    let press = Press::new(deeds, issuer).await?;
    let (fresh, fresh_hash) = issue::refresh_token()?;
    let hashes = (secret::hash(token.expose()), fresh_hash);
    let taken = take(deeds, ctx, hashes, client.to_owned(), scope).await?;
    let (user, roles) = match taken {
        Taken::By(user, roles) => (user, roles),
        Taken::Twice => {
            tracing::warn!(
                remote = ctx.remote,
                "a refresh token was used twice; its login is revoked"
            );
            return Err(OAuthError::InvalidGrant(
                "the refresh token was used before; log in again",
            ));
        }
        Taken::Nothing => {
            return Err(OAuthError::InvalidGrant(
                "the refresh token is not known or expired; log in again",
            ));
        }
    };
    let holder = Holder {
        subject: user.id.as_str(),
        name: &user.name,
        client,
        tenant: user.tenant.as_deref(),
        roles: &roles,
        changed_at: user.updated_at,
    };
    Ok(press.issue(deeds, &holder, Some(fresh))?)
}

/// Uses the old token up and puts the fresh one in its place. The wrong client, or a scope that cannot be had, undoes
/// both.
async fn take(
    deeds: &Lifecycle,
    ctx: &Ctx,
    (hash, fresh): ([u8; 32], [u8; 32]),
    asking: String,
    scope: Option<String>,
) -> Result<Taken, OAuthError> {
    let now = deeds.now();
    let expires_at = now.plus(deeds.settings.identity.refresh_token_age);
    let twice = log::entry(
        deeds,
        ctx,
        &subject(None),
        Outcome::Refused,
        "a refresh token was used twice; its login is revoked",
    );
    let permit = own_permit(deeds, &ctx.correlation_id)?;
    deeds
        .store
        .change(&permit, async move |tx| {
            let token = match refresh_token::take(tx, &hash).await? {
                Used::Now(token) => token,
                Used::Unknown => return Ok(Taken::Nothing),
                Used::Before(token) => {
                    refresh_token::revoke_family(tx, &token.family).await?;
                    let mut entry = twice;
                    entry.object_id = token.user.into();
                    audit::append(tx, &entry).await?;
                    return Ok(Taken::Twice);
                }
            };
            let RefreshToken {
                hash: _,
                user,
                client,
                family,
                expires_at: until,
            } = token;
            if client != asking {
                return Err(OTHER_CLIENT);
            }
            if until <= now {
                return Ok(Taken::Nothing);
            }
            let Some(user) = user::get(tx, &user).await? else {
                return Ok(Taken::Nothing);
            };
            let next = RefreshToken {
                hash: fresh,
                user: user.id.clone(),
                client,
                family,
                expires_at,
            };
            refresh_token::insert(tx, &next, now).await?;
            let roles = narrowed(&user.roles, scope.as_deref())?;
            Ok(Taken::By(user, roles))
        })
        .await
}
