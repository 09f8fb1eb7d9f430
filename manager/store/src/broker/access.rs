//! How to log in at a broker, as it lies in the store: JSON, sealed for its row.

use crate::{Error, Tx};
use qm_model::Secret;
use qm_model::broker::{Access, Auth, Tls};
use qm_model::id::BrokerId;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Stored {
    auth: StoredAuth,
    tls: StoredTls,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum StoredAuth {
    None,
    Basic {
        username: String,
        password: String,
    },
    Bearer {
        token: String,
    },
    OAuth2 {
        token_url: String,
        client_id: String,
        client_secret: String,
        scope: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum StoredTls {
    None,
    Own { certificate: String, key: String },
    Managers,
}

pub(super) fn seal(tx: &Tx<'_>, id: &BrokerId, access: &Access) -> Result<Vec<u8>, Error> {
    let plain = serde_json::to_vec(&Stored::of(access)).map_err(|_| wrong())?;
    tx.seal(&place(id), &plain)
}

pub(super) fn open(tx: &Tx<'_>, id: &BrokerId, sealed: &[u8]) -> Result<Access, Error> {
    let plain = tx.open(&place(id), sealed)?;
    let stored: Stored = serde_json::from_slice(&plain).map_err(|_| wrong())?;
    Ok(stored.into_access())
}

fn place(id: &BrokerId) -> [&str; 3] {
    ["broker", id.as_str(), "access"]
}

fn wrong() -> Error {
    Error::Form {
        table: "broker",
        column: "access",
    }
}

impl Stored {
    fn of(access: &Access) -> Self {
        let Access { auth, tls } = access;
        let secret = |secret: &Secret<String>| secret.expose().clone();
        Self {
            auth: match auth {
                Auth::None => StoredAuth::None,
                Auth::Basic { username, password } => StoredAuth::Basic {
                    username: username.clone(),
                    password: secret(password),
                },
                Auth::Bearer { token } => StoredAuth::Bearer {
                    token: secret(token),
                },
                Auth::OAuth2 {
                    token_url,
                    client_id,
                    client_secret,
                    scope,
                } => StoredAuth::OAuth2 {
                    token_url: token_url.clone(),
                    client_id: client_id.clone(),
                    client_secret: secret(client_secret),
                    scope: scope.clone(),
                },
            },
            tls: match tls {
                Tls::None => StoredTls::None,
                Tls::Own { certificate, key } => StoredTls::Own {
                    certificate: certificate.clone(),
                    key: secret(key),
                },
                Tls::Managers => StoredTls::Managers,
            },
        }
    }

    fn into_access(self) -> Access {
        let Self { auth, tls } = self;
        Access {
            auth: match auth {
                StoredAuth::None => Auth::None,
                StoredAuth::Basic { username, password } => Auth::Basic {
                    username,
                    password: Secret::new(password),
                },
                StoredAuth::Bearer { token } => Auth::Bearer {
                    token: Secret::new(token),
                },
                StoredAuth::OAuth2 {
                    token_url,
                    client_id,
                    client_secret,
                    scope,
                } => Auth::OAuth2 {
                    token_url,
                    client_id,
                    client_secret: Secret::new(client_secret),
                    scope,
                },
            },
            tls: match tls {
                StoredTls::None => Tls::None,
                StoredTls::Own { certificate, key } => Tls::Own {
                    certificate,
                    key: Secret::new(key),
                },
                StoredTls::Managers => Tls::Managers,
            },
        }
    }
}
