//! Client certificates: the TLS handshake has proven who it is, this says whether they may come in.
//!
//! The server puts a [`PeerIdentity`] into the request after it has verified the certificate chain;
//! the endpoint calls [`MutualTls`]. The rule: an identity comes from the request's extensions, which
//! only the server writes, and never from a header.

use super::{Authenticator, Caller, Denied};
use http::request::Parts;

/// Who a verified client certificate was issued to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PeerIdentity {
    /// The common name of the subject, if it has one.
    pub common_name: Option<String>,
    /// The whole subject, as text: `CN=cf, O=Example`.
    pub subject: String,
    /// Alternative names with their kind: `DNS:cf.example`, `URI:spiffe://example/cf`, `email:a@b`, `IP:10.0.0.1`.
    pub sans: Vec<String>,
    /// SHA-256 of the certificate, in lower-case hexadecimal.
    pub fingerprint: String,
}

/// Lets in who showed a certificate that the server's client CA has signed.
///
/// Without a rule every such certificate will do; with rules, one of them must fit.
#[derive(Debug, Clone, Default)]
pub struct MutualTls {
    allowed: Vec<Rule>,
}

#[derive(Debug, Clone)]
enum Rule {
    Subject(String),
    CommonName(String),
    San(String),
    Fingerprint(String),
}

impl MutualTls {
    /// Every certificate of the client CA.
    pub fn new() -> Self {
        Self::default()
    }

    /// Allows a whole subject, spelled as [`PeerIdentity::subject`] spells it.
    #[must_use]
    pub fn allow_subject(self, subject: impl Into<String>) -> Self {
        self.allow(Rule::Subject(subject.into()))
    }

    /// Allows a common name.
    #[must_use]
    pub fn allow_common_name(self, name: impl Into<String>) -> Self {
        self.allow(Rule::CommonName(name.into()))
    }

    /// Allows an alternative name, with its kind: `URI:spiffe://example/cf`.
    #[must_use]
    pub fn allow_san(self, san: impl Into<String>) -> Self {
        self.allow(Rule::San(san.into()))
    }

    /// Allows one certificate by the SHA-256 of it, in hexadecimal; colons and case do not matter.
    #[must_use]
    pub fn allow_fingerprint(self, sha256: impl AsRef<str>) -> Self {
        let hex = sha256.as_ref().replace(':', "").to_ascii_lowercase();
        self.allow(Rule::Fingerprint(hex))
    }

    fn allow(mut self, rule: Rule) -> Self {
        self.allowed.push(rule);
        self
    }
}

impl Rule {
    fn fits(&self, peer: &PeerIdentity) -> bool {
        match self {
            Self::Subject(subject) => peer.subject == *subject,
            Self::CommonName(name) => peer.common_name.as_ref() == Some(name),
            Self::San(san) => peer.sans.contains(san),
            Self::Fingerprint(hex) => peer.fingerprint == *hex,
        }
    }
}

impl Authenticator for MutualTls {
    fn authenticate(&self, request: &Parts) -> Result<Caller, Denied> {
        let peer = request
            .extensions
            .get::<PeerIdentity>()
            .ok_or_else(|| Denied::new("connect with a client certificate"))?;
        if !self.allowed.is_empty() && !self.allowed.iter().any(|rule| rule.fits(peer)) {
            return Err(Denied::new(
                "the client certificate is valid, but its subject is not allowed here",
            ));
        }
        let name = match (&peer.common_name, peer.sans.first()) {
            (Some(name), _) if !name.is_empty() => name,
            (_, Some(san)) if peer.subject.is_empty() => san,
            _ => &peer.subject,
        };
        Ok(Caller::new(name))
    }
}
