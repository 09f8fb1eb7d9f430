//! Users of the built-in issuer: who they are and what they may do. Administrators call these deeds.
//!
//! The rule: there is always an administrator left who is confined to no tenant, and every change is in the
//! audit log of the same transaction.

mod add;
mod change;
mod own_password;
mod remove;

pub use add::{AddedUser, NewUser, add_user};
pub use change::{UserChange, change_user};
pub use own_password::change_own_password;
pub use remove::remove_user;

use crate::Lifecycle;
use qm_model::id::UserId;
use qm_model::identity::{Role, User};
use qm_model::{Ctx, Error, Kind};
use qm_store::{Tx, user};

/// Longest name or tenant in bytes.
const LONGEST: usize = 255;

/// All users by name.
///
/// # Errors
/// 403 without the role.
pub async fn list_users(deeds: &Lifecycle, ctx: &Ctx) -> Result<Vec<User>, Error> {
    qm_policy::read(ctx, Kind::User, &deeds.settings.policy)?;
    deeds.store.read(async |tx| Ok(user::list(tx).await?)).await
}

/// One user.
///
/// # Errors
/// 403 without the role, 404.
pub async fn get_user(deeds: &Lifecycle, ctx: &Ctx, id: &UserId) -> Result<User, Error> {
    qm_policy::read(ctx, Kind::User, &deeds.settings.policy)?;
    let id = id.clone();
    deeds
        .store
        .read(async move |tx| user::get(tx, &id).await?.ok_or(Error::Missing(Kind::User)))
        .await
}

/// Whether a text may be a name or a tenant.
pub(super) fn check_text(what: &str, text: &str) -> Result<(), Error> {
    let wrong = if text.is_empty() {
        "must not be empty"
    } else if text.len() > LONGEST {
        "is too long"
    } else if text.chars().any(char::is_control) {
        "must not contain control characters"
    } else if text.trim() != text {
        "must not begin or end with a space"
    } else {
        return Ok(());
    };
    Err(Error::invalid(format!("{what} {wrong}")))
}

fn is_admin(user: &User) -> bool {
    user.tenant.is_none() && user.roles.contains(&Role::Admin)
}

/// Stops what would leave nobody who can administer.
async fn keep_an_admin(tx: &Tx<'_>, before: &User, after: Option<&User>) -> Result<(), Error> {
    if !is_admin(before) || after.is_some_and(is_admin) || user::other_admin(tx, &before.id).await?
    {
        return Ok(());
    }
    Err(Error::in_use(format!(
        "{} is the last administrator; make somebody else one first",
        before.name
    )))
}
