//! The first administrator, made at first start.
//!
//! The rule: the password is printed once and lies in the data folder, for its owner alone. A mark in the
//! folder stands from before the administrator is made until the password is kept: a start that finds the
//! mark of one that died in between gives the administrator a new password, because nobody has the old one.
//! Standard output belongs to the address line, so all this is printed to standard error: one plain line of its own, also
//! when the log there is JSON, so that whoever collects the log can tell it apart.

use crate::data::DataDir;
use anyhow::{Context, Result};
use qm_lifecycle::Lifecycle;
use qm_lifecycle::identity::{self, FirstAdmin, UserChange};
use qm_model::identity::Role;
use qm_model::{Ctx, Error};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::PathBuf;

pub(super) async fn first(deeds: &Lifecycle, data: &DataDir) -> Result<()> {
    if !identity::has_built_in(deeds) {
        return Ok(());
    }
    let ctx = Ctx::system("first start", uuid::Uuid::new_v4().to_string());
    let nobody = identity::list_users(deeds, &ctx)
        .await
        .context("the users cannot be read")?
        .is_empty();
    let path = data.admin_mark();
    if !nobody && !path.exists() {
        return Ok(());
    }
    let Some(mark) = Mark::take(path)? else {
        // A replica on the same folder is at it.
        return Ok(());
    };
    let made = identity::first_admin(deeds)
        .await
        .context("the first administrator cannot be made")?;
    let admin = match made {
        None if mark.left_behind => again(deeds, &ctx)
            .await
            .context("the first administrator cannot be given a new password")?,
        made => made,
    };
    if let Some(FirstAdmin { name, password }) = admin {
        let path = data.keep_admin_password(password.expose())?;
        eprintln!(
            "the first administrator: user {name}, password {}, kept in {}; it is not shown again",
            password.expose(),
            path.display()
        );
    }
    mark.remove()
}

/// A new password for an administrator whose first one was lost.
async fn again(deeds: &Lifecycle, ctx: &Ctx) -> Result<Option<FirstAdmin>, Error> {
    let users = identity::list_users(deeds, ctx).await?;
    let Some(admin) = users.into_iter().find(|user| {
        // Only the account that the first start made, as it made it.
        user.name == identity::FIRST_ADMIN
            && user.tenant.is_none()
            && user.roles.contains(&Role::Admin)
            && user.updated_at == user.created_at
    }) else {
        return Ok(None);
    };
    let password = identity::new_pair()?.password;
    let change = UserChange {
        password: Some(password.clone()),
        ..UserChange::default()
    };
    let admin = identity::change_user(deeds, ctx, &admin.id, change).await?;
    Ok(Some(FirstAdmin {
        name: admin.name,
        password,
    }))
}

/// Stands while the first administrator is being made; locked by whoever makes it.
struct Mark {
    path: PathBuf,
    _file: File,
    /// Somebody died here before.
    left_behind: bool,
}

impl Mark {
    /// `None`: another process has it, or had it until a moment ago.
    fn take(path: PathBuf) -> Result<Option<Self>> {
        let wrong = || format!("cannot write {}", path.display());
        let mut file = OpenOptions::new()
            .append(true)
            .create(true)
            .mode(0o600)
            .open(&path)
            .with_context(wrong)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error).with_context(wrong),
        }
        let found = file.metadata().with_context(wrong)?;
        // Removed by its owner while we waited: then everything is done.
        if std::fs::metadata(&path).map(|now| now.ino()).ok() != Some(found.ino()) {
            return Ok(None);
        }
        let left_behind = found.len() > 0;
        file.write_all(b"being made\n")
            .and_then(|()| file.sync_all())
            .with_context(wrong)?;
        Ok(Some(Self {
            path,
            _file: file,
            left_behind,
        }))
    }

    fn remove(self) -> Result<()> {
        std::fs::remove_file(&self.path)
            .with_context(|| format!("cannot remove {}", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use super::Mark;

    #[test]
    fn a_mark_tells_a_dead_owner_from_a_living_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mark");
        let mark = Mark::take(path.clone()).unwrap().unwrap();
        assert!(!mark.left_behind);
        assert!(Mark::take(path.clone()).unwrap().is_none(), "it is held");
        // As a process that dies does.
        drop(mark);
        let mark = Mark::take(path.clone()).unwrap().unwrap();
        assert!(mark.left_behind);
        mark.remove().unwrap();
        assert!(!Mark::take(path).unwrap().unwrap().left_behind);
    }
}
