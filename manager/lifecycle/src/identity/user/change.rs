//! Changes a user: password, roles, tenant.
//!
//! The rule: a new password ends every login made with the old one. New roles count from the next token on.

use super::{check_text, keep_an_admin};
use crate::Lifecycle;
use crate::identity::{needs_built_in, password};
use qm_model::audit::{Entry, Outcome};
use qm_model::id::UserId;
use qm_model::identity::{Role, User};
use qm_model::{Ctx, Error, Kind, Secret};
use qm_store::{audit, refresh_token, user};
use std::collections::BTreeSet;

/// What is to change; what is absent stays.
#[derive(Debug, Clone, Default)]
pub struct UserChange {
    /// Another password.
    pub password: Option<Secret<String>>,
    /// Other roles.
    pub roles: Option<BTreeSet<Role>>,
    /// Another tenant, or none.
    pub tenant: Option<Option<String>>,
}

/// Changes a user.
///
/// # Errors
/// 400 for a password that cannot be, 403 without the role, 404, 409 for the last administrator.
pub async fn change_user(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &UserId,
    change: UserChange,
) -> Result<User, Error> {
    let permit = qm_policy::change(ctx, Kind::User, &deeds.settings.policy)?;
    needs_built_in(deeds)?;
    let UserChange {
        password: chosen,
        roles,
        tenant,
    } = change;
    if let Some(Some(tenant)) = &tenant {
        check_text("tenant", tenant)?;
    }
    let mut told = Vec::new();
    told.extend(chosen.as_ref().map(|_| "password"));
    told.extend(roles.as_ref().map(|_| "roles"));
    told.extend(tenant.as_ref().map(|_| "tenant"));
    let told = told.join(", ");
    let hash = match chosen {
        None => None,
        Some(chosen) => {
            password::check(&chosen)?;
            Some(password::hash(deeds, chosen).await?)
        }
    };
    let (ctx, id, now) = (ctx.clone(), id.clone(), deeds.now());
    deeds
        .store
        .change(&permit, async move |tx| {
            let before = user::get(tx, &id)
                .await?
                .ok_or(Error::Missing(Kind::User))?;
            let after = User {
                roles: roles.unwrap_or_else(|| before.roles.clone()),
                tenant: tenant.unwrap_or_else(|| before.tenant.clone()),
                updated_at: now,
                ..before.clone()
            };
            keep_an_admin(tx, &before, Some(&after)).await?;
            user::update(tx, &after).await?;
            if let Some(hash) = &hash {
                user::set_password(tx, &id, hash, now).await?;
                refresh_token::revoke_all(tx, &id).await?;
            }
            let entry = Entry::of(
                &ctx,
                now,
                "update",
                Some(Kind::User),
                id.as_str(),
                Outcome::Succeeded,
                format!("user {:?}: {told}", after.name),
            );
            audit::append(tx, &entry).await?;
            Ok(after)
        })
        .await
}
