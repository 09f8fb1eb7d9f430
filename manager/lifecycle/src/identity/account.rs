//! Whether the account behind a token of ours still is what the token says. `ring` asks after the signature.
//!
//! The rule: a token holds while its account is as it was when the token was made. Who is removed, demoted or
//! gets another password must log in anew; replicas that believed the token go on for [`BELIEVED`] at most. The token
//! says which state of the account it was made for. Whether it is older than a change cannot be told by the clock:
//! that may have been set in between.

use super::jwt::Jwt;
use super::unauthenticated;
use crate::Lifecycle;
use qm_model::id::{ClientId, UserId};
use qm_model::{Error, Time};
use qm_policy::token::Verified;
use qm_store::{client, user};
use serde_json::Value;
use std::time::Duration;

/// The claim that names the state of the account: when it was changed last, in milliseconds.
pub(super) const ACCOUNT: &str = "account_changed_at";

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
    let made_for = jwt.claims.get(ACCOUNT).and_then(Value::as_i64).map(Time);
    match (changed_at, made_for) {
        (Some(changed_at), Some(made_for)) if changed_at == made_for => {}
        _ => {
            return Err(unauthenticated(
                "the account was changed or removed since this token was made; log in again",
            ));
        }
    }
    verified.expires_at = verified.expires_at.min(deeds.now().plus(BELIEVED));
    Ok(verified)
}
