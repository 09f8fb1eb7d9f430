//! Who is calling: the first question of every request, before version, body or existence.
//!
//! The endpoint holds one [`Authenticator`] and asks it with the head of the request. Here are the
//! common ones and the trait for the author's own; a closure is one too. The rule: an answer depends
//! on the head alone, is given without waiting, and takes the same time whichever user or token was
//! meant; nothing here prints or keeps a secret in the clear.

mod any_of;
mod basic;
mod bearer;
mod digest;
mod header;
mod mutual_tls;
mod open;

pub use any_of::AnyOf;
pub use basic::Basic;
pub use bearer::Bearer;
pub use mutual_tls::{MutualTls, PeerIdentity};
pub use open::Open;

use http::HeaderValue;
use http::request::Parts;
use std::sync::Arc;

/// Decides who is calling, before anything else is looked at.
///
/// ```
/// use quartermaster_sdk::auth::{Authenticator, Caller, Denied};
///
/// // An author's own: a gateway in front has authenticated and says who it was.
/// let gateway = |request: &http::request::Parts| {
///     match request.headers.get("x-gateway-user").and_then(|name| name.to_str().ok()) {
///         Some(name) => Ok(Caller::new(name)),
///         None => Err(Denied::new("call through the gateway")),
///     }
/// };
/// let (head, ()) = http::Request::new(()).into_parts();
/// assert!(gateway.authenticate(&head).is_err());
/// ```
pub trait Authenticator: Send + Sync + 'static {
    /// The caller, or why there is none.
    fn authenticate(&self, request: &Parts) -> Result<Caller, Denied>;
}

/// Who is calling: for logs, hooks and audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// User name, token name or certificate subject; never a secret.
    pub name: String,
}

impl Caller {
    /// A caller of this name.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into() }
    }
}

/// The caller is not let in. Becomes 401.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{description}")]
pub struct Denied {
    /// The value of `WWW-Authenticate`, where the scheme has one.
    pub challenge: Option<HeaderValue>,
    /// What the caller should do. It goes into the answer: no secret, no hint which half was wrong.
    pub description: String,
}

impl Denied {
    /// A refusal without a challenge.
    pub fn new(description: impl Into<String>) -> Self {
        Self {
            challenge: None,
            description: description.into(),
        }
    }

    /// The same refusal with a `WWW-Authenticate` value.
    #[must_use]
    pub fn with_challenge(mut self, challenge: HeaderValue) -> Self {
        self.challenge = Some(challenge);
        self
    }
}

impl<F> Authenticator for F
where
    F: Fn(&Parts) -> Result<Caller, Denied> + Send + Sync + 'static,
{
    fn authenticate(&self, request: &Parts) -> Result<Caller, Denied> {
        self(request)
    }
}

impl Authenticator for Box<dyn Authenticator> {
    fn authenticate(&self, request: &Parts) -> Result<Caller, Denied> {
        (**self).authenticate(request)
    }
}

impl Authenticator for Arc<dyn Authenticator> {
    fn authenticate(&self, request: &Parts) -> Result<Caller, Denied> {
        (**self).authenticate(request)
    }
}
