//! Where records live: SQLite in a file, PostgreSQL for several replicas, or memory for tests.
//!
//! All SQL of the SDK is below this module. The rule: a record changes only by a statement that names
//! the fence it was read with, so that whoever lost its lease can no longer write.

mod begin;
mod lease;
mod past;
mod resource;
mod row;
mod settle;

pub(crate) use begin::{Began, Start};
pub(crate) use lease::Renewed;
pub(crate) use settle::Settled;

use qm_db::seal::KeyRing;
use qm_db::{Db, Migration, Options};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

static MIGRATIONS: &[Migration] = &[Migration {
    version: 1,
    name: "resource",
    up: include_str!("../migrations/0001_resource/up.sql"),
    down: include_str!("../migrations/0001_resource/down.sql"),
}];

/// Why the store could not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The database said no.
    #[error("the broker's store did not answer as it should")]
    Database(#[from] qm_db::Error),
    /// What is stored cannot be opened with the keys at hand.
    #[error("a stored value cannot be opened with the keys at hand: was the key file changed?")]
    Sealed(#[from] qm_db::seal::SealError),
    /// The key file is missing, open to others, or no key file.
    #[error("the key that seals the store's secrets cannot be used")]
    Key(#[source] qm_db::seal::SealError),
    /// What is stored is not what this version writes.
    #[error("a stored value has an unknown form: {0}")]
    Form(String),
    /// The file belongs to a running broker.
    #[error("the store {0} is in use by another process")]
    InUse(String),
    /// The lock file beside the store cannot be made.
    #[error("the lock file {path} cannot be opened")]
    Lock {
        /// The lock file.
        path: String,
        /// Why.
        source: std::io::Error,
    },
}

/// The broker's memory.
#[derive(Clone)]
pub struct Store {
    pub(crate) db: Db,
    pub(crate) keys: Arc<KeyRing>,
    /// Held while the process lives: one process owns a file.
    _lock: Option<Arc<File>>,
}

impl Store {
    /// Memory: for tests. Everything is gone with the process.
    pub async fn memory() -> Result<Self, StoreError> {
        Self::open_with(
            Options::parse("sqlite::memory:")?,
            KeyRing::generate()?,
            None,
        )
        .await
    }

    /// A SQLite file. The key that seals secrets lies beside it in `FILE.key`, mode 0600.
    pub async fn file(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let key = suffixed(path.as_ref(), ".key");
        Self::file_with_key(path, key).await
    }

    /// A SQLite file with its key in a file elsewhere. The key is made together with a new store; a store
    /// that exists must have its key.
    pub async fn file_with_key(
        path: impl AsRef<Path>,
        key: impl AsRef<Path>,
    ) -> Result<Self, StoreError> {
        let path = path.as_ref();
        let lock = lock(path)?;
        let keys = KeyRing::from_file(key, !path.exists()).map_err(StoreError::Key)?;
        Self::file_locked(path, keys, lock).await
    }

    /// A SQLite file with keys of the caller's own.
    pub async fn file_with(path: impl AsRef<Path>, keys: KeyRing) -> Result<Self, StoreError> {
        let path = path.as_ref();
        Self::file_locked(path, keys, lock(path)?).await
    }

    async fn file_locked(path: &Path, keys: KeyRing, lock: File) -> Result<Self, StoreError> {
        let options = Options::parse(&format!("sqlite:{}", path.display()))?;
        Self::open_with(options, keys, Some(lock)).await
    }

    /// PostgreSQL: any number of replicas share the work. All of them need the same key.
    pub async fn postgres(url: &str, keys: KeyRing) -> Result<Self, StoreError> {
        Self::open_with(Options::parse(url)?, keys, None).await
    }

    async fn open_with(
        options: Options,
        keys: KeyRing,
        lock: Option<File>,
    ) -> Result<Self, StoreError> {
        let db = Db::open(options).await?;
        db.migrate(MIGRATIONS).await?;
        let store = Self {
            db,
            keys: Arc::new(keys),
            _lock: lock.map(Arc::new),
        };
        store.try_keys().await?;
        Ok(store)
    }

    /// Whether nobody else can hold leases here: then those of a former life of this process are void.
    pub(crate) fn owned_alone(&self) -> bool {
        self.db.dialect() == qm_db::Dialect::Sqlite
    }

    /// Whether the store answers.
    pub async fn ping(&self) -> Result<(), StoreError> {
        Ok(self.db.ping().await?)
    }

    /// Writes what was begun and closes.
    pub async fn close(&self) {
        self.db.close().await;
    }
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Store").field(&self.db).finish()
    }
}

/// Takes the file for this process: two brokers on one file would resume each other's work.
fn lock(path: &Path) -> Result<File, StoreError> {
    let lock_path = suffixed(path, ".lock");
    let fault = |source| StoreError::Lock {
        path: lock_path.display().to_string(),
        source,
    };
    let file = File::options()
        .create(true)
        .write(true)
        .truncate(false)
        .open(&lock_path)
        .map_err(fault)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(std::fs::TryLockError::WouldBlock) => {
            Err(StoreError::InUse(path.display().to_string()))
        }
        Err(std::fs::TryLockError::Error(source)) => Err(fault(source)),
    }
}

fn suffixed(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Milliseconds since 1970.
pub(crate) fn now_ms() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}
