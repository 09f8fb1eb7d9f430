//! Passwords that people chose: argon2id with its default cost. Logins and the deeds of users call it.
//!
//! The rule: hashing is slow on purpose, so it runs beside the tasks that serve others, a few at a time, and
//! a user who does not exist costs what one who does costs.

use crate::Lifecycle;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use qm_model::{Error, Secret};

/// Shortest password that is taken.
const SHORTEST: usize = 8;
/// Longest password that is looked at.
const LONGEST: usize = 1024;

/// Compared to when there is no user: same cost, and no password has this hash.
const NOBODY: &str = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Whether a password may be chosen.
pub(super) fn check(password: &Secret<String>) -> Result<(), Error> {
    let password = password.expose();
    if password.chars().count() < SHORTEST {
        return Err(Error::invalid(format!(
            "the password must have at least {SHORTEST} characters"
        )));
    }
    if password.len() > LONGEST {
        return Err(Error::invalid(format!(
            "the password must have at most {LONGEST} bytes"
        )));
    }
    Ok(())
}

/// The text to store for a password.
pub(super) async fn hash(deeds: &Lifecycle, password: Secret<String>) -> Result<String, Error> {
    aside(deeds, move || {
        let hash = Argon2::default().hash_password(password.expose().as_bytes());
        hash.map(|hash| hash.to_string()).map_err(Error::internal)
    })
    .await?
}

/// Whether this is the password. Without a stored one it never is, after the same work.
pub(super) async fn verify(
    deeds: &Lifecycle,
    stored: Option<String>,
    password: Secret<String>,
) -> Result<bool, Error> {
    aside(deeds, move || {
        let known = stored.is_some();
        let stored = stored.as_deref().unwrap_or(NOBODY);
        let stored = PasswordHash::new(stored).map_err(Error::internal)?;
        let typed = password.expose().as_bytes();
        let right =
            Argon2::default().verify_password(typed.get(..LONGEST).unwrap_or(typed), &stored);
        Ok(right.is_ok() && known && typed.len() <= LONGEST)
    })
    .await?
}

async fn aside<T: Send + 'static>(
    deeds: &Lifecycle,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let turn = deeds
        .identity
        .hashers
        .clone()
        .acquire_owned()
        .await
        .map_err(Error::internal)?;
    tokio::task::spawn_blocking(move || {
        let done = work();
        drop(turn);
        done
    })
    .await
    .map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_costs_what_somebody_costs() {
        let fresh = Argon2::default().hash_password(b"x").unwrap().to_string();
        let cost = |text: &str| {
            text.split('$')
                .take(4)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(cost(NOBODY), cost(&fresh));
        assert_eq!(NOBODY.len(), fresh.len());
        let nobody = PasswordHash::new(NOBODY).unwrap();
        assert!(Argon2::default().verify_password(b"", &nobody).is_err());
    }
}
