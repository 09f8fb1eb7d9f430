//! `bcrypt` and `htpasswd`.

use bcrypt::{DEFAULT_COST, Version};
use qm_gotemplate::{Context, Failure, Functions, Value};

use crate::outside::Outside;
use crate::strings::{one, two};

/// Steps for one hash: it takes some hundredths of a second.
const STEPS: u64 = 50_000;
/// Go's cost, which is below that of the crate.
const COST: u32 = 10;
const _: () = assert!(COST < DEFAULT_COST);

pub(super) fn add(to: &mut Functions, outside: &Outside) {
    let own = outside.clone();
    to.add("bcrypt", one(), move |context, args| {
        hashed(context, &own, args.str(0).as_bytes()).map(Value::from)
    });
    let own = outside.clone();
    to.add("htpasswd", two(), move |context, args| {
        let user = args.text(0);
        if user.contains(':') {
            return Ok(format!("invalid username: {user}").into());
        }
        let hash = hashed(context, &own, args.str(1).as_bytes())?;
        Ok(format!("{user}:{hash}").into())
    });
}

/// The hash, or sprig's text about why there is none.
fn hashed(
    context: &mut Context<'_>,
    outside: &Outside,
    password: &[u8],
) -> Result<String, Failure> {
    let told = |error: &str| format!("failed to encrypt string with bcrypt: {error}");
    if password.len() > 72 {
        return Ok(told("bcrypt: password length exceeds 72 bytes"));
    }
    context.spend(STEPS)?;
    let mut salt = [0; 16];
    outside.fill(&mut salt)?;
    Ok(match bcrypt::hash_with_salt(password, COST, salt) {
        Ok(parts) => parts.format_for_version(Version::TwoA),
        Err(error) => told(&error.to_string()),
    })
}
