//! RFC 7636: a secret made for one login, and its fingerprint.

use crate::exit::Exit;
use crate::problem::Problem;
use aws_lc_rs::{digest, rand};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// 32 bytes nobody can guess, as text.
pub(super) fn random() -> Result<String, Problem> {
    let mut bytes = [0; 32];
    rand::fill(&mut bytes)
        .map_err(|_| Problem::new(Exit::Failed, "this machine gives no randomness"))?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// What the issuer learns of the secret before it sees it.
pub(super) fn challenge(verifier: &str) -> String {
    URL_SAFE_NO_PAD.encode(digest::digest(&digest::SHA256, verifier.as_bytes()))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_challenge_is_that_of_the_rfc() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        assert_eq!(super::challenge(verifier), challenge);
    }
}
