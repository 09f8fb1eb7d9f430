//! Adds a user.

use super::check_text;
use crate::Lifecycle;
use crate::identity::{needs_built_in, password, secret};
use qm_model::audit::{Entry, Outcome};
use qm_model::id::UserId;
use qm_model::identity::{Role, User};
use qm_model::{Ctx, Error, Kind, Secret};
use qm_store::{audit, user};
use std::collections::BTreeSet;

/// A user to be added.
#[derive(Debug, Clone)]
pub struct NewUser {
    /// What is typed at login; unique.
    pub name: String,
    /// Generated when absent.
    pub password: Option<Secret<String>>,
    /// What they may do; nothing when empty.
    pub roles: BTreeSet<Role>,
    /// Confined to this tenant.
    pub tenant: Option<String>,
}

/// A user that was added.
#[derive(Debug, Clone)]
pub struct AddedUser {
    /// The user.
    pub user: User,
    /// The password, if it was generated; shown once.
    pub password: Option<Secret<String>>,
}

/// Adds a user.
///
/// # Errors
/// 400 for a name or password that cannot be, 403 without the role, 409 for a name that is taken.
pub async fn add_user(deeds: &Lifecycle, ctx: &Ctx, new: NewUser) -> Result<AddedUser, Error> {
    let permit = qm_policy::change(ctx, Kind::User, &deeds.settings.policy)?;
    needs_built_in(deeds)?;
    let NewUser {
        name,
        password: chosen,
        roles,
        tenant,
    } = new;
    check_text("name", &name)?;
    if let Some(tenant) = &tenant {
        check_text("tenant", tenant)?;
    }
    let (password, shown) = match chosen {
        Some(chosen) => {
            password::check(&chosen)?;
            (chosen, None)
        }
        None => {
            let generated = secret::fresh::<18>()?;
            (generated.clone(), Some(generated))
        }
    };
    let hash = password::hash(deeds, password).await?;
    let now = deeds.now();
    let added = User {
        id: UserId::stored(deeds.fresh()),
        name,
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
                if !user::insert(tx, &added, &hash).await? {
                    return Err(Error::conflict(
                        Kind::User,
                        format!("the name {:?} is taken", added.name),
                    ));
                }
                let entry = Entry::of(
                    &ctx,
                    now,
                    "create",
                    Some(Kind::User),
                    added.id.as_str(),
                    Outcome::Succeeded,
                    format!("user {:?}", added.name),
                );
                Ok(audit::append(tx, &entry).await?)
            }
        })
        .await?;
    Ok(AddedUser {
        user: added,
        password: shown,
    })
}
