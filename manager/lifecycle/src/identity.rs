//! Who is calling: platforms by Basic, people and programs by tokens, and the built-in issuer that makes
//! such tokens. The doors call it before anything else; the executable calls [`first_admin`](fn@first_admin).
//!
//! The rule: a proof is compared in constant time or verified by a key, an unknown name costs what a known
//! one costs, and nothing that fails here says which half of the proof was wrong.
//!
//! ```text
//!   Basic   -> basic    -> pairs | store.platform
//!              door     -> pairs | store.platform, store.credential -> agent_password
//!   Bearer  -> bearer   -> cache | issuer (external, keys cached) | ring (built-in) -> policy::token
//!   grants  -> grant -> token/{password, client, refresh} -> issue
//! ```

mod account;
mod agent_password;
mod basic;
mod bearer;
mod bounded;
mod cache;
mod client;
mod discovery;
mod door;
mod first_admin;
mod grant;
mod issue;
mod issuer;
mod jwt;
mod keyset;
mod log;
mod oauth;
mod pairs;
mod password;
mod revoke;
mod ring;
mod secret;
mod settings;
mod state;
mod still;
mod strict;
mod throttle;
mod tidy;
mod token;
mod user;

pub use basic::basic;
pub use bearer::bearer;
pub use client::{
    AddedClient, ClientChange, NewClient, add_client, change_client, get_client, list_clients,
    remove_client, rotate_client,
};
pub use discovery::{discovery, jwks, token_issuer_url};
pub use door::door;
pub use first_admin::{FIRST_ADMIN, FirstAdmin, first_admin};
pub use grant::{ClientAuth, Grant};
pub use issue::Issued;
pub use issuer::{IssuerState, issuers, try_issuers};
pub use oauth::OAuthError;
pub use qm_policy::token::{Issuer, RoleRule};
pub use revoke::{Revocation, revoke};
pub use secret::{hash, new_pair};
pub use settings::{Limits, Settings};
pub use state::State;
pub use still::still;
pub use tidy::tidy;
pub use token::token;
pub use user::{
    AddedUser, NewUser, UserChange, add_user, change_own_password, change_user, get_user,
    list_users, remove_user,
};

use crate::Lifecycle;
use qm_model::{Ctx, Error, Kind};
use qm_policy::{Change, Permit};

/// What a person of the built-in issuer has as issuer, under whatever address it is reached.
pub const BUILT_IN: &str = "built-in";

/// Whether this manager issues tokens itself.
pub fn has_built_in(deeds: &Lifecycle) -> bool {
    deeds.settings.identity.has_built_in()
}

/// Stops a deed of the built-in issuer where it is off.
fn needs_built_in(deeds: &Lifecycle) -> Result<(), Error> {
    if has_built_in(deeds) {
        return Ok(());
    }
    Err(Error::NotImplemented(
        "the built-in issuer is off; log in at the configured issuer".to_owned(),
    ))
}

/// The manager's own right to write down logins, tokens and keys: whoever logs in has no right yet.
fn own_permit(deeds: &Lifecycle, correlation_id: &str) -> Result<Permit<Change>, Error> {
    let ctx = Ctx::system("identity", correlation_id.to_owned());
    qm_policy::change(&ctx, Kind::User, &deeds.settings.policy)
}

fn unauthenticated(message: impl Into<String>) -> Error {
    Error::Unauthenticated {
        message: message.into(),
    }
}
