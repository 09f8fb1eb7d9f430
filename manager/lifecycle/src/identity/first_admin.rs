//! The first administrator, so that a fresh manager can be logged in to. The executable calls it at start,
//! prints the password once and keeps it in a file that only its owner may read.
//!
//! The rule: only when there is no user at all, and only one replica makes one.

use super::{has_built_in, own_permit, password, secret};
use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::id::UserId;
use qm_model::identity::{Role, User};
use qm_model::{Ctx, Error, Kind, Secret};
use qm_store::{audit, user};
use std::collections::BTreeSet;

/// What the first administrator is called.
pub const FIRST_ADMIN: &str = "admin";

/// Who may log in first.
#[derive(Debug, Clone)]
pub struct FirstAdmin {
    /// `admin`.
    pub name: String,
    /// Generated; nobody can show it again.
    pub password: Secret<String>,
}

/// Makes the first administrator; `None` when there is somebody already, or the built-in issuer is off.
///
/// # Errors
/// What the store says.
pub async fn first_admin(deeds: &Lifecycle) -> Result<Option<FirstAdmin>, Error> {
    if !has_built_in(deeds) {
        return Ok(None);
    }
    // A look before the work: this runs at every start, and hashing a password takes a while.
    let somebody = deeds
        .store
        .read(async |tx| Ok::<_, Error>(user::any(tx).await?))
        .await?;
    if somebody {
        return Ok(None);
    }
    let first = FirstAdmin {
        name: FIRST_ADMIN.to_owned(),
        password: secret::fresh::<18>()?,
    };
    let hash = password::hash(deeds, first.password.clone()).await?;
    let now = deeds.now();
    let admin = User {
        id: UserId::stored(deeds.fresh()),
        name: first.name.clone(),
        roles: BTreeSet::from([Role::Admin]),
        tenant: None,
        created_at: now,
        updated_at: now,
    };
    let ctx = Ctx::system("identity", deeds.fresh());
    let permit = own_permit(deeds, &ctx.correlation_id)?;
    let made = deeds
        .store
        .change(&permit, async move |tx| {
            if user::any(tx).await? || !user::insert(tx, &admin, &hash).await? {
                return Ok(false);
            }
            let detail = "the first administrator";
            let entry = Entry::of(
                &ctx,
                now,
                "create",
                Some(Kind::User),
                admin.id.as_str(),
                Outcome::Succeeded,
                detail,
            );
            audit::append(tx, &entry).await?;
            Ok::<_, Error>(true)
        })
        .await?;
    Ok(made.then_some(first))
}
