//! Changes a client: description, roles, tenant. What changed counts from its next token on.

use crate::Lifecycle;
use crate::identity::needs_built_in;
use crate::identity::user::check_text;
use qm_model::audit::{Entry, Outcome};
use qm_model::id::ClientId;
use qm_model::identity::{Client, Role};
use qm_model::{Ctx, Error, Kind};
use qm_store::{audit, client};
use std::collections::BTreeSet;

/// What is to change; what is absent stays.
#[derive(Debug, Clone, Default)]
pub struct ClientChange {
    /// Another description.
    pub description: Option<String>,
    /// Other roles.
    pub roles: Option<BTreeSet<Role>>,
    /// Another tenant, or none.
    pub tenant: Option<Option<String>>,
}

/// Changes a client.
///
/// # Errors
/// 403 without the role, 404.
pub async fn change_client(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &ClientId,
    change: ClientChange,
) -> Result<Client, Error> {
    let permit = qm_policy::change(ctx, Kind::Client, &deeds.settings.policy)?;
    needs_built_in(deeds)?;
    if let Some(Some(tenant)) = &change.tenant {
        check_text("tenant", tenant)?;
    }
    let (ctx, id, now) = (ctx.clone(), id.clone(), deeds.now());
    deeds
        .store
        .change(&permit, async move |tx| {
            let ClientChange {
                description,
                roles,
                tenant,
            } = change;
            let before = client::get(tx, &id)
                .await?
                .ok_or(Error::Missing(Kind::Client))?;
            let after = Client {
                description: description.unwrap_or_else(|| before.description.clone()),
                roles: roles.unwrap_or_else(|| before.roles.clone()),
                tenant: tenant.unwrap_or_else(|| before.tenant.clone()),
                updated_at: now,
                ..before
            };
            client::update(tx, &after).await?;
            let entry = Entry::of(
                &ctx,
                now,
                "update",
                Some(Kind::Client),
                id.as_str(),
                Outcome::Succeeded,
                "",
            );
            audit::append(tx, &entry).await?;
            Ok(after)
        })
        .await
}
