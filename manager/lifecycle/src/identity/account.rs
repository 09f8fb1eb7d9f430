//! Whether the account behind a token of ours still is what the token says. `ring` asks after the signature.
//!
//! The rule: a token holds while its account is as it was when the token was made. Who is removed, demoted or
//! gets another password must log in anew; replicas that believed the token go on for [`BELIEVED`] at most.

use super::jwt::Jwt;
use super::unauthenticated;
use crate::Lifecycle;
use qm_model::id::{ClientId, UserId};
use qm_model::{Error, Time};
use qm_policy::token::Verified;
use qm_store::{client, user};
use serde_json::Value;
use std::time::Duration;

/// How long the account is not looked at again.
const BELIEVED: Duration = Duration::from_secs(30);

/// Gives the token back with the time it may be believed, or refuses it.
pub(super) async fn hold(
    deeds: &Lifecycle,
    jwt: &Jwt<'_>,
    mut verified: Verified,
) -> Result<Verified, Error> {
    let subject = verified.person.subject.clone();
    let changed_at = deeds
        .store
        .read(async move |tx| {
            if let Ok(id) = UserId::new(subject.clone())
                && let Some(user) = user::get(tx, &id).await?
            {
                return Ok::<_, Error>(Some(user.updated_at));
            }
            if let Ok(id) = ClientId::new(subject.clone())
                && let Some(client) = client::get(tx, &id).await?
            {
                return Ok(Some(client.updated_at));
            }
            Ok(None)
        })
        .await?;
    let made_at = jwt.claims.get("iat").and_then(Value::as_i64);
    match (changed_at, made_at) {
        // Tokens tell their age in seconds: of a change in the same second they may be older or younger.
        (Some(changed_at), Some(made_at)) if Time((made_at + 1) * 1000) > changed_at => {}
        _ => {
            return Err(unauthenticated(
                "the account was changed or removed since this token was made; log in again",
            ));
        }
    }
    verified.expires_at = verified.expires_at.min(deeds.now().plus(BELIEVED));
    Ok(verified)
}
