//! The values of the flags, and how they are read from words.
//!
//! Used by [`ServeArgs`](super::ServeArgs). The rule: what clap would repeat in an error message is
//! harmless; a value that may hold a secret is taken as it is and read later.

use aws_lc_rs::error::Unspecified;
use aws_lc_rs::rand;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use quartermaster_osb::Secret;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Where state is kept.
#[derive(Clone, PartialEq, Eq)]
pub enum StoreChoice {
    /// Nowhere: gone with the process.
    Memory,
    /// A SQLite file.
    File(PathBuf),
    /// A PostgreSQL server, with the password that the URL may hold.
    Postgres(Secret<String>),
}

/// The store is neither a file nor a server that is known.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("--store takes a file, postgres://..., or the word memory; `{scheme}` is none of them")]
pub struct UnknownStore {
    /// What stands where a known scheme should.
    pub scheme: String,
}

impl FromStr for StoreChoice {
    type Err = UnknownStore;

    fn from_str(text: &str) -> Result<Self, UnknownStore> {
        match text.split_once("://") {
            Some(("postgres" | "postgresql", _)) => Ok(Self::Postgres(text.to_owned().into())),
            // The rest is not shown: it may hold a password.
            Some((scheme, _)) => Err(UnknownStore {
                scheme: format!("{scheme}://"),
            }),
            None if text == "memory" => Ok(Self::Memory),
            None if text.is_empty() => Err(UnknownStore {
                scheme: String::new(),
            }),
            None => Ok(Self::File(text.into())),
        }
    }
}

impl fmt::Debug for StoreChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory => f.write_str("memory"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Postgres(_) => f.write_str("postgres://***"),
        }
    }
}

/// Where health and metrics are served.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HealthPlace {
    /// On the broker's address.
    Here,
    /// Nowhere.
    Off,
    /// On this address.
    On(String),
}

/// What platforms must send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// The user name.
    pub user: String,
    /// The password.
    pub password: Secret<String>,
    /// Made up by the program: then somebody must be told.
    pub generated: bool,
}

impl Credentials {
    /// A password of 192 random bits.
    pub(super) fn generate(user: String) -> Result<Self, Unspecified> {
        let mut bytes = [0; 24];
        rand::fill(&mut bytes)?;
        Ok(Self {
            user,
            password: URL_SAFE_NO_PAD.encode(bytes).into(),
            generated: true,
        })
    }
}

pub(super) fn user(text: &str) -> Result<String, &'static str> {
    match text {
        "" => Err("a user name cannot be empty"),
        _ if text.contains(':') => Err("a user name cannot have a colon: HTTP Basic ends it there"),
        _ => Ok(text.to_owned()),
    }
}

pub(super) fn password(text: &str) -> Result<Secret<String>, &'static str> {
    match text {
        "" => Err("a password cannot be empty; leave it out to have one made"),
        _ => Ok(text.to_owned().into()),
    }
}

pub(super) fn secret(text: &str) -> Result<Secret<String>, std::convert::Infallible> {
    Ok(text.to_owned().into())
}

pub(super) fn health(text: &str) -> Result<HealthPlace, &'static str> {
    match text {
        "here" => Ok(HealthPlace::Here),
        "off" => Ok(HealthPlace::Off),
        _ if text.contains(':') => Ok(HealthPlace::On(text.to_owned())),
        _ => Err("write here, off, or an address as host:port"),
    }
}
