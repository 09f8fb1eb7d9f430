//! Secrets at rest. Whoever stores a credential seals it before and opens it after.
//!
//! ```text
//!   1 | length of id | id of the key | salt, 32 bytes | ciphertext | tag, 16 bytes
//! ```
//!
//! The rule that keeps it right: each record has a key of its own, derived (HKDF-SHA-256) from the
//! master key and a random salt, so no key ever meets a second nonce and no count limits how many
//! records there may be. What the record belongs to (table, id, column) is authenticated with it:
//! a sealed value that was moved to another row does not open.

mod file;
mod ring;

pub use ring::KeyRing;

use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::error::Unspecified;
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use aws_lc_rs::rand;
use zeroize::Zeroizing;

const VERSION: u8 = 1;
const SALT: usize = 32;
const PURPOSE: &[u8] = b"quartermaster record key";

/// Why something could not be sealed or opened, or why there are no keys.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SealError {
    /// The record was sealed with a key that is not in the ring.
    #[error("sealed with key {id}, which is not in the key ring")]
    UnknownKey {
        /// The key's id.
        id: String,
    },

    /// The record was changed, or belongs to another place, or the key with this id is another.
    #[error("the sealed value was changed or does not belong here")]
    Damaged,

    /// This is no sealed value.
    #[error("not a sealed value")]
    Malformed,

    /// The machine gave no randomness, or the value is too long.
    #[error("the value could not be sealed")]
    Failed,

    /// The text is no key ring.
    #[error("key ring, entry {entry}: {what}")]
    Ring {
        /// Counted from 1; 0 when it is about the whole.
        entry: usize,
        /// What is wrong with it; never the key.
        what: &'static str,
    },

    /// Others than the owner may read the key file.
    #[error("{path} may be read by others (mode {mode:o}): chmod 600 it")]
    Exposed {
        /// The file.
        path: String,
        /// Its mode.
        mode: u32,
    },

    /// The key file cannot be read or made.
    #[error("{path}: {kind}")]
    File {
        /// The file.
        path: String,
        /// What happened.
        kind: std::io::ErrorKind,
    },
}

impl KeyRing {
    /// Seals a value for one place, named by `place` (table, id, column), with the first key.
    ///
    /// # Errors
    /// [`SealError::Failed`], when the machine has no randomness.
    pub fn seal(&self, place: &[&str], plain: &[u8]) -> Result<Vec<u8>, SealError> {
        let (id, master) = self.first();
        let mut salt = [0; SALT];
        rand::fill(&mut salt).map_err(|Unspecified| SealError::Failed)?;
        let header = 2 + id.len() + SALT;
        let mut out = Vec::with_capacity(header + plain.len() + AES_256_GCM.tag_len());
        out.push(VERSION);
        out.push(u8::try_from(id.len()).map_err(|_| SealError::Failed)?);
        out.extend_from_slice(id.as_bytes());
        out.extend_from_slice(&salt);
        let aad = Aad::from(bound_to(&out, place));
        out.extend_from_slice(plain);
        let tag = record_key(master, &salt)
            .and_then(|key| {
                let (_, body) = out.split_at_mut(header);
                key.seal_in_place_separate_tag(only_nonce(), aad, body)
            })
            .map_err(|Unspecified| SealError::Failed)?;
        out.extend_from_slice(tag.as_ref());
        Ok(out)
    }

    /// Opens a value that was sealed for the same place.
    ///
    /// # Errors
    /// [`SealError`] says which of the ways to fail it was, as far as that can be known.
    pub fn open(&self, place: &[&str], sealed: &[u8]) -> Result<Zeroizing<Vec<u8>>, SealError> {
        let parts = Parts::of(sealed).ok_or(SealError::Malformed)?;
        let Parts {
            header,
            id,
            salt,
            body,
        } = parts;
        let unknown = || SealError::UnknownKey { id: id.to_owned() };
        let master = self.named(id).ok_or_else(unknown)?;
        let mut plain = Zeroizing::new(body.to_vec());
        let length = record_key(master, salt)
            .and_then(|key| {
                let aad = Aad::from(bound_to(header, place));
                let plain = key.open_in_place(only_nonce(), aad, &mut plain)?;
                Ok(plain.len())
            })
            .map_err(|Unspecified| SealError::Damaged)?;
        plain.truncate(length);
        Ok(plain)
    }

    /// Whether a value is sealed with the key that seals now. If not, open it and seal it again
    /// while rotating keys.
    #[must_use]
    pub fn is_current(&self, sealed: &[u8]) -> bool {
        Parts::of(sealed).is_some_and(|parts| parts.id == self.first().0)
    }
}

struct Parts<'a> {
    header: &'a [u8],
    id: &'a str,
    salt: &'a [u8],
    body: &'a [u8],
}

impl<'a> Parts<'a> {
    fn of(sealed: &'a [u8]) -> Option<Self> {
        let (&[version, length], rest) = sealed.split_first_chunk::<2>()?;
        if version != VERSION {
            return None;
        }
        let (id, rest) = rest.split_at_checked(length.into())?;
        let (salt, body) = rest.split_at_checked(SALT)?;
        let header = sealed.get(..sealed.len() - body.len())?;
        Some(Self {
            header,
            id: str::from_utf8(id).ok()?,
            salt,
            body,
        })
    }
}

fn record_key(master: &[u8], salt: &[u8]) -> Result<LessSafeKey, Unspecified> {
    let prk = Salt::new(HKDF_SHA256, salt).extract(master);
    let key: UnboundKey = prk.expand(&[PURPOSE], &AES_256_GCM)?.into();
    Ok(LessSafeKey::new(key))
}

/// A key that seals one record needs no second nonce.
fn only_nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

/// Header and place, each part with its length, so that `("a", "bc")` is not `("ab", "c")`.
fn bound_to(header: &[u8], place: &[&str]) -> Vec<u8> {
    let length = header.len() + place.iter().map(|part| part.len() + 8).sum::<usize>();
    let mut aad = Vec::with_capacity(length);
    aad.extend_from_slice(header);
    for part in place {
        aad.extend_from_slice(&(part.len() as u64).to_be_bytes());
        aad.extend_from_slice(part.as_bytes());
    }
    aad
}
