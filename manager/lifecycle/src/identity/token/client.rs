//! A program logs in with its own secret, or says through which program somebody else does.

use super::PUBLIC;
use crate::Lifecycle;
use crate::identity::grant::ClientAuth;
use crate::identity::issue::{Holder, Press, narrowed};
use crate::identity::log::{self, Subject};
use crate::identity::throttle::Guess;
use crate::identity::{Issued, OAuthError, own_permit, secret};
use qm_model::audit::Outcome;
use qm_model::identity::Client;
use qm_model::{Ctx, Error, Kind};
use qm_store::{audit, client};

const WRONG: OAuthError =
    OAuthError::InvalidClient("the client is not known or its secret is wrong");

/// The client-credentials grant.
pub(super) async fn grant(
    deeds: &Lifecycle,
    ctx: &Ctx,
    issuer: &str,
    auth: ClientAuth,
    scope: Option<String>,
) -> Result<Issued, OAuthError> {
    // A client without a secret is nobody: smctl of old tries this when it has no refresh token.
    let client = registered(deeds, ctx, auth).await?;
    let roles = narrowed(&client.roles, scope.as_deref())?;
    let press = Press::new(deeds, issuer).await?;
    let who = subject(Some(&client));
    let entry = log::entry(deeds, ctx, &who, Outcome::Succeeded, "client credentials");
    let permit = own_permit(deeds, &ctx.correlation_id)?;
    deeds
        .store
        .change(&permit, async move |tx| {
            Ok::<_, Error>(audit::append(tx, &entry).await?)
        })
        .await?;
    let id = client.id.as_str();
    let holder = Holder {
        subject: id,
        name: id,
        client: id,
        tenant: client.tenant.as_deref(),
        roles: &roles,
        changed_at: client.updated_at,
    };
    Ok(press.issue(deeds, &holder, None)?)
}

/// Through which program somebody logs in: one of the known ones without a secret, or one with its own.
pub(in crate::identity) async fn prove(
    deeds: &Lifecycle,
    ctx: &Ctx,
    auth: Option<ClientAuth>,
) -> Result<String, OAuthError> {
    let Some(auth) = auth else {
        return Ok(String::new());
    };
    if PUBLIC.contains(&auth.id.as_str()) && auth.secret.expose().is_empty() {
        return Ok(auth.id);
    }
    Ok(registered(deeds, ctx, auth).await?.id.into())
}

/// The client with this id and secret. One that does not exist costs the same.
async fn registered(deeds: &Lifecycle, ctx: &Ctx, auth: ClientAuth) -> Result<Client, OAuthError> {
    let ClientAuth { id, secret } = auth;
    // Nobody guesses 32 random bytes, but whoever tries must not fill the audit log.
    let guess = Guess::in_vain(&ctx.remote);
    let throttle = &deeds.identity.throttle;
    throttle
        .check(&guess, deeds.now())
        .map_err(|until| Error::Throttled { until })?;
    let found = deeds
        .store
        .read(async move |tx| Ok::<_, Error>(client::login(tx, &id).await?))
        .await?;
    let stored = found.as_ref().map_or([0; 32], |login| login.secret);
    let right = secret::same(&secret::hash(secret.expose()), &stored);
    match found {
        Some(login) if right => Ok(login.client),
        found => {
            throttle.failed(&guess, deeds.now());
            let who = subject(found.as_ref().map(|login| &login.client));
            log::refused(
                deeds,
                ctx,
                &who,
                "the client is not known or its secret is wrong",
            )
            .await?;
            Err(WRONG)
        }
    }
}

fn subject(client: Option<&Client>) -> Subject {
    let id = client
        .map(|client| client.id.to_string())
        .unwrap_or_default();
    Subject {
        kind: Kind::Client,
        name: id.clone(),
        id,
    }
}
