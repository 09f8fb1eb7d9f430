//! Random proofs and how they are compared. Platforms, clients and refresh tokens are made of these.
//!
//! The rule: only what was generated here goes through [`hash`]. 32 random bytes cannot be guessed, so a
//! fast hash gives nothing away, and a platform that calls a thousand times a second costs nothing.
//! What a person chose goes through `password`.

use aws_lc_rs::{constant_time, digest, rand};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use qm_model::platform::Credentials;
use qm_model::{Error, Secret};

/// A fresh pair for a platform: base64 of 32 random bytes each.
///
/// # Errors
/// The machine gives no randomness.
pub fn new_pair() -> Result<Credentials, Error> {
    Ok(Credentials {
        username: STANDARD.encode(random::<32>()?),
        password: Secret::new(STANDARD.encode(random::<32>()?)),
    })
}

/// SHA-256: how a generated proof is stored.
pub fn hash(proof: &str) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest::digest(&digest::SHA256, proof.as_bytes()).as_ref());
    hash
}

/// Whether two hashes are equal, in a time that does not tell where they differ.
pub(super) fn same(one: &[u8; 32], other: &[u8; 32]) -> bool {
    constant_time::verify_slices_are_equal(one, other).is_ok()
}

/// A fresh text of `N` random bytes that fits into addresses, forms and headers.
pub(super) fn fresh<const N: usize>() -> Result<Secret<String>, Error> {
    Ok(Secret::new(URL_SAFE_NO_PAD.encode(random::<N>()?)))
}

pub(super) fn random<const N: usize>() -> Result<[u8; N], Error> {
    let mut bytes = [0; N];
    rand::fill(&mut bytes).map_err(Error::internal)?;
    Ok(bytes)
}
