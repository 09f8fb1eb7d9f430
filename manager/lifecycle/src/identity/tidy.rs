//! Removes what identity needs no more: expired refresh tokens and keys whose tokens have all expired. The
//! steady tasks call it.

use super::{has_built_in, own_permit, ring};
use crate::Lifecycle;
use qm_model::Error;
use qm_store::{refresh_token, signing_key};

/// How many tokens are removed in one transaction.
const BATCH: u32 = 500;

/// Removes what is needed no more.
///
/// # Errors
/// What the store says.
pub async fn tidy(deeds: &Lifecycle) -> Result<(), Error> {
    if !has_built_in(deeds) {
        return Ok(());
    }
    let now = deeds.now();
    let permit = own_permit(deeds, &deeds.fresh())?;
    let kept = ring::kept_until(deeds, now);
    deeds
        .store
        .change(&permit, async move |tx| {
            Ok::<_, Error>(signing_key::forget(tx, kept).await?)
        })
        .await?;
    loop {
        let gone = deeds
            .store
            .change(&permit, async move |tx| {
                Ok::<_, Error>(refresh_token::expire(tx, now, BATCH).await?)
            })
            .await?;
        if gone < u64::from(BATCH) {
            return Ok(());
        }
    }
}
