//! The master keys: the first seals, all open. Programs load one at start.
//!
//! The rule that keeps it right: a key is only ever in memory that is wiped, and is printed as
//! stars. As text a ring is a list of `id:key` (base64 of 32 bytes), one per line or separated by
//! commas, newest first; `#` starts a comment.

use std::fmt;

use aws_lc_rs::rand;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use zeroize::Zeroizing;

use super::SealError;

const KEY: usize = 32;
/// An id is read by people and stored with every record.
const LONGEST_ID: usize = 32;

/// The master keys: the first seals, all open.
#[derive(Clone)]
pub struct KeyRing {
    first: Master,
    older: Vec<Master>,
}

#[derive(Clone)]
struct Master {
    id: String,
    key: Zeroizing<[u8; KEY]>,
}

impl KeyRing {
    /// A ring with one new key.
    ///
    /// # Errors
    /// [`SealError::Failed`], when the machine has no randomness.
    pub fn generate() -> Result<Self, SealError> {
        Ok(Self {
            first: Master::generate()?,
            older: Vec::new(),
        })
    }

    /// The same ring with a new key in front: new records use it, old ones still open.
    ///
    /// # Errors
    /// [`SealError::Failed`], when the machine has no randomness.
    pub fn rotated(&self) -> Result<Self, SealError> {
        let mut older = self.older.clone();
        older.insert(0, self.first.clone());
        Ok(Self {
            first: Master::generate()?,
            older,
        })
    }

    /// Reads a ring from text, as an environment variable or a file holds it.
    ///
    /// # Errors
    /// [`SealError::Ring`] says which entry is wrong, without showing it.
    pub fn parse(text: &str) -> Result<Self, SealError> {
        let lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or_default());
        let entries = lines
            .flat_map(|line| line.split([',', ' ', '\t']))
            .filter(|entry| !entry.is_empty());
        let mut keys: Vec<Master> = Vec::new();
        for (n, entry) in entries.enumerate() {
            let wrong = |what| SealError::Ring { entry: n + 1, what };
            let key = Master::parse(entry).map_err(wrong)?;
            if keys.iter().any(|other| other.id == key.id) {
                return Err(wrong("its id is used twice"));
            }
            keys.push(key);
        }
        let mut keys = keys.into_iter();
        let first = keys.next().ok_or(SealError::Ring {
            entry: 0,
            what: "it has no keys",
        })?;
        Ok(Self {
            first,
            older: keys.collect(),
        })
    }

    /// The ring as text, for a file or an environment variable. Keep it secret.
    #[must_use]
    pub fn to_text(&self) -> Zeroizing<String> {
        let mut text = Zeroizing::new(String::with_capacity((self.older.len() + 1) * 80));
        for Master { id, key } in std::iter::once(&self.first).chain(&self.older) {
            text.push_str(id);
            text.push(':');
            text.push_str(&Zeroizing::new(STANDARD.encode(key.as_slice())));
            text.push('\n');
        }
        text
    }

    pub(super) fn first(&self) -> (&str, &[u8]) {
        (&self.first.id, self.first.key.as_slice())
    }

    pub(super) fn named(&self, id: &str) -> Option<&[u8]> {
        let mut all = std::iter::once(&self.first).chain(&self.older);
        all.find(|master| master.id == id)
            .map(|master| master.key.as_slice())
    }
}

impl Master {
    fn generate() -> Result<Self, SealError> {
        let mut id = [0; 4];
        let mut key = Zeroizing::new([0; KEY]);
        rand::fill(&mut id).map_err(|_| SealError::Failed)?;
        rand::fill(key.as_mut_slice()).map_err(|_| SealError::Failed)?;
        let id = format!("k{:08x}", u32::from_be_bytes(id));
        Ok(Self { id, key })
    }

    fn parse(entry: &str) -> Result<Self, &'static str> {
        let (id, key) = entry
            .split_once(':')
            .ok_or("it is not of the form id:key")?;
        if id.is_empty() || id.len() > LONGEST_ID {
            return Err("its id has not between 1 and 32 characters");
        }
        if !id
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
        {
            return Err("its id has characters other than letters, digits, '-', '_' and '.'");
        }
        let bytes = STANDARD
            .decode(key)
            .map(Zeroizing::new)
            .map_err(|_| "its key is not base64")?;
        let key =
            <[u8; KEY]>::try_from(bytes.as_slice()).map_err(|_| "its key has not 32 bytes")?;
        Ok(Self {
            id: id.to_owned(),
            key: Zeroizing::new(key),
        })
    }
}

impl fmt::Debug for KeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyRing(***)")
    }
}
