//! OAuth2 as smctl speaks it: where the issuer is, how tokens are got, renewed and given back.
//!
//! `smctl login`, `smctl logout` and every session use it. The rule: a password is sent once per login; the second way
//! for a client to prove itself is tried only when the issuer did not know the client in the first.

mod browser;
mod device;
mod grant;
mod issuer;
mod pkce;
mod refresh;
mod revoke;
mod url;
mod who;

pub(crate) use browser::log_in as with_browser;
pub(crate) use device::log_in as with_device;
pub(crate) use grant::{Program, Token, ask};
pub(crate) use issuer::{Issuer, discover};
pub(crate) use refresh::refresh;
pub(crate) use revoke::revoke;
pub(crate) use url::with_scheme;
pub(crate) use who::who;
