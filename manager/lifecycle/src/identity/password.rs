//! Passwords that people chose: argon2id with its default cost. Logins and the deeds of users call it.
//!
//! The rule: hashing is slow on purpose, so it runs beside the tasks that serve others, a few at a time, and
//! a user who does not exist costs what one who does costs.

use super::throttle::Guess;
use crate::Lifecycle;
use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
use qm_model::{Ctx, Error, Secret};
use tokio::sync::OwnedSemaphorePermit;

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
    aside(turn(deeds).await?, move || {
        let hash = Argon2::default().hash_password(password.expose().as_bytes());
        hash.map(|hash| hash.to_string()).map_err(Error::internal)
    })
    .await?
}

/// Whether a guess from this address is the user's password. Without a stored one it never is, after the same
/// work.
///
/// # Errors
/// Too many guesses failed: wait.
pub(super) async fn guess(
    deeds: &Lifecycle,
    ctx: &Ctx,
    name: &str,
    stored: Option<String>,
    typed: Secret<String>,
) -> Result<bool, Error> {
    let throttle = &deeds.identity.throttle;
    let guess = Guess::new(name, &ctx.remote);
    let may = || {
        let now = deeds.now();
        throttle
            .check(&guess, now)
            .map_err(|until| Error::Throttled { until })
    };
    may()?;
    let turn = turn(deeds).await?;
    // Others that waited with this one may have failed meanwhile.
    may()?;
    let right = aside(turn, move || verify(stored.as_deref(), &typed)).await??;
    match right {
        true => throttle.succeeded(&guess),
        false => throttle.failed(&guess, deeds.now()),
    }
    Ok(right)
}

fn verify(stored: Option<&str>, typed: &Secret<String>) -> Result<bool, Error> {
    let known = stored.is_some();
    let stored = PasswordHash::new(stored.unwrap_or(NOBODY)).map_err(Error::internal)?;
    let typed = typed.expose().as_bytes();
    let looked_at = typed.get(..LONGEST).unwrap_or(typed);
    let right = Argon2::default().verify_password(looked_at, &stored);
    Ok(right.is_ok() && known && typed.len() <= LONGEST)
}

async fn turn(deeds: &Lifecycle) -> Result<OwnedSemaphorePermit, Error> {
    let hashers = deeds.identity.hashers.clone();
    hashers.acquire_owned().await.map_err(Error::internal)
}

/// Runs the work beside the tasks, and gives the turn back when it is done, whether or not anybody waits.
async fn aside<T: Send + 'static>(
    turn: OwnedSemaphorePermit,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Error> {
    let work = move || {
        let done = work();
        drop(turn);
        done
    };
    tokio::task::spawn_blocking(work)
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
