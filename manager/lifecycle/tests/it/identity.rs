//! Who is calling: platforms, tokens of external issuers, and the built-in issuer with its users and clients.
//! The clock is handed in, external issuers are small servers that can be taken away.

mod built_in;
mod clients;
mod external;
mod fake_issuer;
mod hostile;
mod keys;
mod login;
mod platforms;
mod refresh;
mod sign;
mod users;
pub(crate) mod world;
