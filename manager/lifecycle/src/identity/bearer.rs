//! A token becomes a caller. The doors call it for every request with `Authorization: Bearer`.
//!
//! The rule: a token stands for somebody only after its signature was verified with a key of the issuer it
//! names, and only with the roles it brings.

use super::jwt::Jwt;
use super::{has_built_in, ring, secret, unauthenticated};
use crate::Lifecycle;
use qm_model::{Caller, Error};

/// Whom the token stands for.
///
/// # Errors
/// 401 when it stands for nobody; 503 when that cannot be said because its issuer does not answer.
pub async fn bearer(deeds: &Lifecycle, token: &str) -> Result<Caller, Error> {
    let hash = secret::hash(token);
    if let Some(person) = deeds.identity.verified.get(&hash, deeds.now()) {
        return Ok(Caller::Person(person));
    }
    let jwt = Jwt::parse(token).map_err(|unfit| unauthenticated(unfit.to_string()))?;
    let iss = jwt.issuer().unwrap_or_default();
    let verified = match deeds.identity.issuers.iter().find(|issuer| issuer.is(iss)) {
        Some(issuer) => issuer.verify(deeds, &jwt).await?,
        None if has_built_in(deeds) => ring::verify(deeds, &jwt).await?,
        None => {
            return Err(unauthenticated(
                "the token is of an issuer that is not trusted here",
            ));
        }
    };
    let person = verified.person.clone();
    deeds.identity.verified.put(hash, verified, deeds.now());
    Ok(Caller::Person(person))
}
