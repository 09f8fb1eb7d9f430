//! Who a token is for, to show it to the person. Nothing is decided by it: the manager looks at the signature.

use crate::doc::Doc;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The name in a token, when it is one that can be read.
pub(crate) fn who(token: &str) -> Option<String> {
    let claims = token.split('.').nth(1)?;
    let claims = URL_SAFE_NO_PAD.decode(claims.trim_end_matches('=')).ok()?;
    let claims = Doc::parse(&claims).ok()?;
    let names = ["user_name", "preferred_username", "email", "name", "sub"];
    let name = names.iter().map(|key| claims.str(key));
    name.into_iter()
        .find(|name| !name.is_empty())
        .map(ToOwned::to_owned)
}

#[cfg(test)]
mod tests {
    use super::{URL_SAFE_NO_PAD, who};
    use base64::Engine;

    #[test]
    fn the_name_is_the_one_for_people() {
        let token = |claims: &str| format!("e30.{}.x", URL_SAFE_NO_PAD.encode(claims));
        let both = token(r#"{"sub":"1","preferred_username":"jane"}"#);
        assert_eq!(who(&both).as_deref(), Some("jane"));
        assert_eq!(who(&token(r#"{"sub":"1"}"#)).as_deref(), Some("1"));
        assert_eq!(who("opaque"), None);
        assert_eq!(who("a.b.c"), None);
    }
}
