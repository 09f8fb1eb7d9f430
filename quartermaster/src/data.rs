//! The data folder: what lies in it, who may read it, and who holds its database.
//!
//! Used by every command that touches state. The rule: a SQLite file has one manager; the second one is
//! told so before it has opened anything.

use anyhow::{Context, Result, bail};
use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

/// The data folder.
#[derive(Debug, Clone)]
pub(crate) struct DataDir {
    folder: PathBuf,
}

/// Held while a manager works on a SQLite file. The system lets go of it when the process ends, however it
/// ends.
#[derive(Debug)]
pub(crate) struct Held {
    _file: File,
}

impl DataDir {
    pub(crate) fn new(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
        }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.folder.join("manager.db")
    }

    pub(crate) fn keys(&self) -> PathBuf {
        self.folder.join("keys")
    }

    /// Stands while the first administrator is being made.
    pub(crate) fn admin_mark(&self) -> PathBuf {
        self.folder.join("admin-password.mark")
    }

    pub(crate) fn admin_password(&self) -> PathBuf {
        self.folder.join("admin-password")
    }

    /// Makes the folder, for its owner alone, unless it is there.
    pub(crate) fn create(&self) -> Result<()> {
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(&self.folder)
            .with_context(|| {
                format!(
                    "the data folder {} cannot be made; name another with --data",
                    self.folder.display()
                )
            })
    }

    /// Keeps the first administrator's password for the owner of the folder. One that lies there from an
    /// earlier life of the folder is replaced: it opens nothing any more.
    pub(crate) fn keep_admin_password(&self, password: &str) -> Result<PathBuf> {
        let path = self.admin_password();
        write_private(&path, password)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path)
    }
}

impl Held {
    /// Takes a SQLite file for one manager.
    pub(crate) fn take(database: &Path) -> Result<Self> {
        let path = lock_of(database);
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(&path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => bail!(
                "{} is in use by another manager{}; stop it, name another folder with --data, or use \
                 PostgreSQL, which managers can share",
                database.display(),
                holder(&path)
            ),
            Err(TryLockError::Error(error)) => {
                return Err(error).with_context(|| format!("cannot lock {}", path.display()));
            }
        }
        // Only for the message above; a file that is held without a number is held all the same.
        let _ = file
            .set_len(0)
            .and_then(|()| writeln!(&file, "{}", std::process::id()));
        Ok(Self { _file: file })
    }

    /// Whether a manager holds the file now.
    pub(crate) fn is_taken(database: &Path) -> bool {
        File::open(lock_of(database))
            .is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
    }
}

fn lock_of(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(".lock");
    PathBuf::from(name)
}

/// Replaces a file in one step with one that only its owner may read.
pub(crate) fn write_private(path: &Path, text: &str) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(format!(".{}", std::process::id()));
    let beside = PathBuf::from(beside);
    match fs::remove_file(&beside) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, path)?;
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
}

fn holder(lock: &Path) -> String {
    match fs::read_to_string(lock)
        .ok()
        .and_then(|it| it.trim().parse::<u32>().ok())
    {
        Some(id) => format!(" (process {id})"),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::{DataDir, Held};
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn a_database_is_held_once() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataDir::new(&folder.path().join("new"));
        data.create().unwrap();
        let database = data.database();
        assert!(!Held::is_taken(&database));
        let held = Held::take(&database).unwrap();
        assert!(Held::is_taken(&database));
        let error = Held::take(&database).unwrap_err().to_string();
        assert!(
            error.contains("in use") && error.contains("process"),
            "{error}"
        );
        drop(held);
        Held::take(&database).unwrap();
    }

    #[test]
    fn the_password_is_for_its_owner_and_the_newest_one() {
        let folder = tempfile::tempdir().unwrap();
        let data = DataDir::new(folder.path());
        data.keep_admin_password("old").unwrap();
        let path = data.keep_admin_password("new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
