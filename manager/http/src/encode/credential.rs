//! A broker-platform credential, for the platform that put it.

use super::base::plain;
use qm_manager_api::{Credential as Shape, Secret};
use qm_model::credential::{Credential, Pair};

/// The record, hashes and all: the caller has sent them.
pub(crate) fn shape(credential: Credential) -> Shape {
    let Credential {
        id,
        broker_id,
        platform_id,
        current,
        old,
        notification_id,
        active,
        created_at,
        updated_at,
    } = credential;
    let (username, password_hash) = pair(Some(current));
    let (old_username, old_password_hash) = pair(old);
    Shape {
        base: plain(id, created_at, updated_at),
        username,
        password_hash,
        old_username,
        old_password_hash,
        platform_id: platform_id.into(),
        broker_id: broker_id.into(),
        notification_id: notification_id.map(Into::into),
        active,
    }
}

/// No pair is two empty texts.
fn pair(pair: Option<Pair>) -> (String, Secret<String>) {
    match pair {
        None => (String::new(), Secret::default()),
        Some(pair) => {
            let Pair {
                username,
                password_hash,
            } = pair;
            (username, password_hash)
        }
    }
}
