//! The first administrator, made at first start.
//!
//! The rule: the password is printed once and lies in the data folder, for its owner alone. Standard
//! output belongs to the address line, so it is printed to standard error.

use crate::data::DataDir;
use anyhow::{Context, Result};
use qm_lifecycle::{Lifecycle, identity};

pub(super) async fn first(deeds: &Lifecycle, data: &DataDir) -> Result<()> {
    let made = identity::first_admin(deeds)
        .await
        .context("the first administrator cannot be made")?;
    let Some(admin) = made else { return Ok(()) };
    let path = data.keep_admin_password(admin.password.expose())?;
    eprintln!(
        "the first administrator: user {}, password {}\n  kept in {}; it is not shown again",
        admin.name,
        admin.password.expose(),
        path.display()
    );
    Ok(())
}
