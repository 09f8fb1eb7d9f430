//! HTTP Basic with one user or several: what OSB platforms send unless something else is agreed.
//!
//! Called by the endpoint for every request. The rule: one digest over user and password together, so
//! that an unknown user and a wrong password cannot be told apart by text or by time.

use super::digest::Vault;
use super::header;
use super::{Authenticator, Caller, Denied};
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use http::request::Parts;

/// Clients differ on the padding; the meaning is the same with and without.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Users with passwords.
///
/// ```
/// use quartermaster_sdk::auth::Basic;
///
/// let users = Basic::new("cloud-foundry", "s3cret").and_user("kubernetes", "0ther");
/// assert!(!format!("{users:?}").contains("s3cret"));
/// ```
#[derive(Debug, Clone)]
pub struct Basic {
    realm: String,
    users: Vault,
}

impl Basic {
    /// Lets one user in.
    pub fn new(name: impl Into<String>, password: impl AsRef<[u8]>) -> Self {
        Self {
            realm: "service broker".into(),
            users: Vault::new(),
        }
        .and_user(name, password)
    }

    /// Lets one more user in. The same name again adds a second password, for changing it in peace.
    #[must_use]
    pub fn and_user(mut self, name: impl Into<String>, password: impl AsRef<[u8]>) -> Self {
        let name = name.into();
        let user = name.clone();
        self.users
            .insert(name, &[user.as_bytes(), password.as_ref()]);
        self
    }

    /// The realm that the challenge names.
    #[must_use]
    pub fn realm(mut self, realm: impl Into<String>) -> Self {
        self.realm = realm.into();
        self
    }

    fn check(&self, request: &Parts) -> Result<Caller, Denied> {
        let encoded = header::credentials(request, "Basic")?;
        let decoded = LENIENT
            .decode(encoded)
            .map_err(|_| Denied::new("what follows Basic is not base64"))?;
        // The first colon ends the name; a password may have more of them.
        let colon = decoded
            .iter()
            .position(|byte| *byte == b':')
            .ok_or_else(|| Denied::new("Basic credentials are user:password in base64"))?;
        let (user, password) = (&decoded[..colon], &decoded[colon + 1..]);
        self.users
            .find(&[user, password])
            .map(Caller::new)
            .ok_or_else(|| Denied::new("the user name or the password is wrong"))
    }
}

impl Authenticator for Basic {
    fn authenticate(&self, request: &Parts) -> Result<Caller, Denied> {
        self.check(request).map_err(|denied| Denied {
            challenge: header::challenge("Basic", &self.realm, ", charset=\"UTF-8\""),
            ..denied
        })
    }
}
