//! Passwords that people chose: argon2id with its default cost. Logins and the deeds of users call it.
//!
//! The rule: hashing is slow on purpose, so it runs beside the tasks that serve others, a few at a time, and
//! a user who does not exist costs what one who does costs.

use super::throttle::Guess;
use crate::Lifecycle;
use argon2::password_hash::phc::{Output, ParamsString, PasswordHash, Salt};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use qm_model::{Ctx, Error, Secret};
use tokio::sync::OwnedSemaphorePermit;

/// Shortest password that is taken.
const SHORTEST: usize = 8;
/// Longest password that is looked at.
const LONGEST: usize = 1024;

/// Memory for a hash is asked for in pieces of at least so many blocks of 1 KiB. The C library gives a piece of
/// more than 32 MiB back when it is freed; smaller ones it keeps after their first use, and a manager that
/// somebody logged in to once would be 19 MiB larger for ever. What is not used of a piece is never touched.
const PIECE: usize = 33 * 1024;

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
    let salt = super::secret::random::<{ Salt::RECOMMENDED_LENGTH }>()?;
    aside(turn(deeds).await?, move |_turn| {
        fresh(password.expose().as_bytes(), &salt)
    })
    .await?
}

fn fresh(password: &[u8], salt: &[u8]) -> Result<String, Error> {
    let params = Params::default();
    let salt = Salt::new(salt).map_err(Error::internal)?;
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(&params).map_err(Error::internal)?,
        hash: Some(output(params, password, &salt, Params::DEFAULT_OUTPUT_LEN)?),
        salt: Some(salt),
    };
    Ok(hash.to_string())
}

fn output(params: Params, password: &[u8], salt: &[u8], length: usize) -> Result<Output, Error> {
    let blocks = params.block_count();
    let mut memory = Vec::with_capacity(blocks.max(PIECE));
    memory.resize(blocks, Block::new());
    let mut out = vec![0; length];
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
        .hash_password_into_with_memory(password, salt, &mut out, &mut memory[..])
        .map_err(Error::internal)?;
    Output::new(&out).map_err(Error::internal)
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
    // The turn is given back when the failure counts, not before: the next one looks at the count.
    let (right, _turn) = aside(turn, move |turn| (verify(stored.as_deref(), &typed), turn)).await?;
    let right = right?;
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
    let (Some(salt), Some(right)) = (&stored.salt, &stored.hash) else {
        return Err(Error::internal("a stored password has no salt or no hash"));
    };
    if stored.algorithm != Algorithm::Argon2id.ident() {
        return Err(Error::internal(
            "a stored password was hashed with something else",
        ));
    }
    let params = Params::try_from(&stored).map_err(Error::internal)?;
    // Compared in constant time.
    let right = output(params, looked_at, salt, right.len())? == *right;
    Ok(right && known && typed.len() <= LONGEST)
}

async fn turn(deeds: &Lifecycle) -> Result<OwnedSemaphorePermit, Error> {
    let hashers = deeds.identity.hashers.clone();
    hashers.acquire_owned().await.map_err(Error::internal)
}

/// Runs the work beside the tasks. The turn goes with it and comes back with its end, whether or not anybody waits.
async fn aside<T: Send + 'static>(
    turn: OwnedSemaphorePermit,
    work: impl FnOnce(OwnedSemaphorePermit) -> T + Send + 'static,
) -> Result<T, Error> {
    tokio::task::spawn_blocking(move || work(turn))
        .await
        .map_err(Error::internal)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_costs_what_somebody_costs() {
        let fresh = fresh(b"x", &[7; 16]).unwrap();
        let cost = |text: &str| {
            text.split('$')
                .take(4)
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(cost(NOBODY), cost(&fresh));
        assert_eq!(NOBODY.len(), fresh.len());
        let secret = |text: &str| Secret::new(text.to_owned());
        assert!(!verify(Some(NOBODY), &secret("")).unwrap());
        assert!(verify(Some(&fresh), &secret("x")).unwrap());
        assert!(!verify(Some(&fresh), &secret("y")).unwrap());
        assert!(!verify(None, &secret("x")).unwrap());
    }

    /// What the library writes by itself is understood, and the other way round.
    #[test]
    fn it_is_the_usual_form() {
        use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _};
        let theirs = Argon2::default().hash_password(b"x").unwrap().to_string();
        assert!(verify(Some(&theirs), &Secret::new("x".to_owned())).unwrap());
        let ours = fresh(b"x", &[7; 16]).unwrap();
        let ours = PasswordHash::new(&ours).unwrap();
        assert!(Argon2::default().verify_password(b"x", &ours).is_ok());
    }
}
