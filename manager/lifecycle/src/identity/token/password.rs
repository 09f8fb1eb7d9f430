//! A user logs in with a password.
//!
//! The rule: the password is verified outside the transaction, because that takes long, and the transaction
//! that writes the refresh token makes sure that it is still the same.

use crate::Lifecycle;
use crate::identity::issue::{self, Holder, Press, narrowed};
use crate::identity::log::{self, Subject};
use crate::identity::{Issued, OAuthError, own_permit, password};
use qm_model::audit::Outcome;
use qm_model::identity::User;
use qm_model::{Ctx, Error, Kind, Secret};
use qm_store::refresh_token::{self, RefreshToken};
use qm_store::{audit, user};

const WRONG: OAuthError = OAuthError::InvalidGrant("the user name or the password is wrong");

/// The password grant.
pub(super) async fn grant(
    deeds: &Lifecycle,
    ctx: &Ctx,
    issuer: &str,
    name: String,
    typed: Secret<String>,
    client: &str,
    scope: Option<String>,
) -> Result<Issued, OAuthError> {
    let found = deeds
        .store
        .read({
            let name = name.clone();
            async move |tx| Ok::<_, Error>(user::by_name(tx, &name).await?)
        })
        .await?;
    let stored = found.as_ref().map(|login| login.password.clone());
    let right = password::guess(deeds, ctx, &name, stored, typed).await?;
    let login = match found {
        Some(login) if right => login,
        found => {
            let who = subject(found.as_ref().map(|login| &login.user));
            log::refused(deeds, ctx, &who, "the user name or the password is wrong").await?;
            return Err(WRONG);
        }
    };

    let roles = narrowed(&login.user.roles, scope.as_deref())?;
    let press = Press::new(deeds, issuer).await?;
    // A refresh token stands for all roles of its user, so whoever asked for fewer gets none.
    let fresh = if roles == login.user.roles {
        Some(issue::refresh_token()?)
    } else {
        None
    };
    let now = deeds.now();
    let refresh = fresh.as_ref().map(|(_, hash)| RefreshToken {
        hash: *hash,
        user: login.user.id.clone(),
        client: client.to_owned(),
        family: deeds.fresh(),
        expires_at: now.plus(deeds.settings.identity.refresh_token_age),
    });
    let entry = log::entry(
        deeds,
        ctx,
        &subject(Some(&login.user)),
        Outcome::Succeeded,
        "password",
    );
    let permit = own_permit(deeds, &ctx.correlation_id)?;
    let user = login.user.clone();
    let still = deeds
        .store
        .change(&permit, async move |tx| {
            let stored = user::by_name(tx, &login.user.name).await?;
            if stored
                .is_none_or(|stored| stored.user != login.user || stored.password != login.password)
            {
                return Ok(false);
            }
            if let Some(refresh) = &refresh {
                refresh_token::insert(tx, refresh, now).await?;
            }
            audit::append(tx, &entry).await?;
            Ok::<_, Error>(true)
        })
        .await?;
    if !still {
        return Err(OAuthError::InvalidGrant(
            "the user was changed meanwhile; try again",
        ));
    }
    let holder = Holder {
        subject: user.id.as_str(),
        name: &user.name,
        client,
        tenant: user.tenant.as_deref(),
        roles: &roles,
        changed_at: user.updated_at,
    };
    Ok(press.issue(deeds, &holder, fresh.map(|(token, _)| token))?)
}

pub(in crate::identity) fn subject(user: Option<&User>) -> Subject {
    Subject {
        kind: Kind::User,
        id: user.map(|user| user.id.to_string()).unwrap_or_default(),
        name: user.map(|user| user.name.clone()).unwrap_or_default(),
    }
}
