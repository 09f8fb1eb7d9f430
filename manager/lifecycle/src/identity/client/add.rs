//! Adds a client and shows its secret once.

use crate::Lifecycle;
use crate::identity::token::PUBLIC;
use crate::identity::user::check_text;
use crate::identity::{needs_built_in, secret};
use qm_model::audit::{Entry, Outcome};
use qm_model::id::ClientId;
use qm_model::identity::{Client, Role};
use qm_model::{Ctx, Error, Kind, Secret};
use qm_store::{audit, client};
use std::collections::BTreeSet;

/// A client to be added.
#[derive(Debug, Clone)]
pub struct NewClient {
    /// The caller's choice; made up when absent.
    pub id: Option<ClientId>,
    /// For people.
    pub description: String,
    /// What it may do; nothing when empty.
    pub roles: BTreeSet<Role>,
    /// Confined to this tenant.
    pub tenant: Option<String>,
}

/// A client with a fresh secret.
#[derive(Debug, Clone)]
pub struct AddedClient {
    /// The client.
    pub client: Client,
    /// Shown once.
    pub secret: Secret<String>,
}

/// Adds a client.
///
/// # Errors
/// 400 for a reserved id, 403 without the role, 409 for an id that is taken.
pub async fn add_client(
    deeds: &Lifecycle,
    ctx: &Ctx,
    new: NewClient,
) -> Result<AddedClient, Error> {
    let permit = qm_policy::change(ctx, Kind::Client, &deeds.settings.policy)?;
    needs_built_in(deeds)?;
    let NewClient {
        id,
        description,
        roles,
        tenant,
    } = new;
    let id = id.unwrap_or_else(|| ClientId::stored(deeds.fresh()));
    if PUBLIC.contains(&id.as_str()) {
        return Err(Error::invalid(format!(
            "{id} is a client that everybody may use; choose another id"
        )));
    }
    if let Some(tenant) = &tenant {
        check_text("tenant", tenant)?;
    }
    let now = deeds.now();
    let secret = secret::fresh::<32>()?;
    let hash = secret::hash(secret.expose());
    let added = Client {
        id,
        description,
        roles,
        tenant,
        created_at: now,
        updated_at: now,
    };
    deeds
        .store
        .change(&permit, {
            let (ctx, added) = (ctx.clone(), added.clone());
            async move |tx| {
                if !client::insert(tx, &added, &hash).await? {
                    return Err(Error::conflict(
                        Kind::Client,
                        format!("the id {} is taken", added.id),
                    ));
                }
                let entry = Entry::of(
                    &ctx,
                    now,
                    "create",
                    Some(Kind::Client),
                    added.id.as_str(),
                    Outcome::Succeeded,
                    "",
                );
                Ok(audit::append(tx, &entry).await?)
            }
        })
        .await?;
    Ok(AddedClient {
        client: added,
        secret,
    })
}
