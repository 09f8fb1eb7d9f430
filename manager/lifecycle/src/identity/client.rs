//! Clients of the built-in issuer: programs that log in with a secret of their own. Administrators call these
//! deeds.
//!
//! The rule: a secret is generated and shown once; nobody can choose one, so it need not be hashed slowly.

mod add;
mod change;
mod remove;
mod rotate;

pub use add::{AddedClient, NewClient, add_client};
pub use change::{ClientChange, change_client};
pub use remove::remove_client;
pub use rotate::rotate_client;

use crate::Lifecycle;
use qm_model::id::ClientId;
use qm_model::identity::Client;
use qm_model::{Ctx, Error, Kind};
use qm_store::client;

/// All clients by id.
///
/// # Errors
/// 403 without the role.
pub async fn list_clients(deeds: &Lifecycle, ctx: &Ctx) -> Result<Vec<Client>, Error> {
    qm_policy::read(ctx, Kind::Client, &deeds.settings.policy)?;
    deeds
        .store
        .read(async |tx| Ok(client::list(tx).await?))
        .await
}

/// One client.
///
/// # Errors
/// 403 without the role, 404.
pub async fn get_client(deeds: &Lifecycle, ctx: &Ctx, id: &ClientId) -> Result<Client, Error> {
    qm_policy::read(ctx, Kind::Client, &deeds.settings.policy)?;
    let id = id.clone();
    deeds
        .store
        .read(async move |tx| {
            client::get(tx, &id)
                .await?
                .ok_or(Error::Missing(Kind::Client))
        })
        .await
}
