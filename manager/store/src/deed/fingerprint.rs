//! Tells whether two requests asked for the same, without keeping what they asked for: parameters hold secrets.
//!
//! The rule: the key is made once per store, sealed there, and the same on all replicas. Without it nobody can try out
//! what was asked.

use crate::{Error, Store, Tx, fact};
use aws_lc_rs::hmac::{Context, HMAC_SHA256, Key};
use aws_lc_rs::rand;
use qm_db::seal::SealError;

/// The fact that holds the key.
const KEY: &str = "fingerprint";
const BYTES: usize = 32;

/// A keyed hash of the parts, the same on all replicas. From it nobody learns what was asked.
pub fn fingerprint(store: &Store, parts: &[&[u8]]) -> Vec<u8> {
    let mut hash = Context::with_key(store.fingerprint_key());
    for part in parts {
        // With their lengths, so that ("a", "bc") is not ("ab", "c").
        hash.update(&(part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.sign().as_ref().to_vec()
}

/// The key, made by whoever comes first.
pub(crate) async fn key(store: &Store) -> Result<Key, Error> {
    let found = store.read(async |tx: &Tx<'_>| fact::get(tx, KEY).await);
    let bytes = match found.await? {
        Some(bytes) => bytes,
        None => {
            let mut fresh = [0; BYTES];
            rand::fill(&mut fresh).map_err(|_| SealError::Failed)?;
            store
                .keep_house(async move |tx: &Tx<'_>| match fact::get(tx, KEY).await? {
                    Some(bytes) => Ok::<_, Error>(bytes),
                    None => {
                        fact::put(tx, KEY, &fresh).await?;
                        Ok(fresh.to_vec())
                    }
                })
                .await?
        }
    };
    Ok(Key::new(HMAC_SHA256, &bytes))
}
