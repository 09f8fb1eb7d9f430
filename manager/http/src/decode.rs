//! What callers send, read with care: bodies, query parameters, and the wire's shapes turned into the model's.
//!
//! The rule: whatever is wrong is said by its place and never by its value, which may be a password.

pub(crate) mod access;
mod asked;
pub(crate) mod binding;
pub(crate) mod body;
pub(crate) mod disabled;
pub(crate) mod door;
pub(crate) mod form;
pub(crate) mod grant;
pub(crate) mod identity;
pub(crate) mod instance;
pub(crate) mod label;
pub(crate) mod list;
mod media;
mod object;
pub(crate) mod params;
mod path;
pub(crate) mod public_url;
pub(crate) mod removal;

pub(crate) use asked::Asked;
pub(crate) use body::Body;
pub(crate) use list::Listing;
pub(crate) use params::Params;
pub(crate) use path::Path;
