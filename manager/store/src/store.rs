//! The handle: opens the database, keeps the keys, runs transactions. Every deed goes through it.
//!
//! The rule: a change needs a [`Permit`], and everything that belongs to it (rows, operation, event, audit
//! record) is written by one closure, so it is there whole or not at all.

use crate::deed::Many;
use crate::ended::{Counts, Ended};
use crate::outbox::{Touched, touch};
use crate::{Error, Tx, migrations};
use arc_swap::ArcSwap;
use aws_lc_rs::hmac::{HMAC_SHA256, Key};
use qm_db::seal::KeyRing;
use qm_db::{Db, Dialect, Options};
use qm_model::operation::Operation;
use qm_policy::{Change, Permit};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use tokio::sync::watch;

/// The manager's memory. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    pub(crate) db: Db,
    keys: Arc<ArcSwap<KeyRing>>,
    appended: watch::Sender<u64>,
    /// The last change failed for want of room.
    full: Arc<AtomicBool>,
    ended: Arc<Counts>,
    watchers: Arc<RwLock<Vec<Watcher>>>,
    fingerprint_key: Arc<Key>,
    /// Only where many write at once.
    many: Option<Arc<Many>>,
}

/// Hears what a change has touched.
type Watcher = Box<dyn Fn(&[Touched]) + Send + Sync>;

impl Store {
    /// Opens the database, migrates it, and tries the keys on what is sealed there.
    ///
    /// # Errors
    /// The database does not answer, is newer than this program, or was sealed with other keys.
    pub async fn open(options: Options, keys: KeyRing) -> Result<Self, Error> {
        let db = Db::open(options).await?;
        db.migrate_named(migrations::PART, migrations::ALL).await?;
        let many = match db.dialect() {
            Dialect::Sqlite => None,
            Dialect::Postgres => Some(Arc::new(Many::new(&db)?)),
        };
        let mut store = Self {
            db,
            keys: Arc::new(ArcSwap::from_pointee(keys)),
            appended: watch::Sender::new(0),
            full: Arc::default(),
            ended: Arc::default(),
            watchers: Arc::default(),
            // Nobody sees the store before it has the real one.
            fingerprint_key: Arc::new(Key::new(HMAC_SHA256, &[])),
            many,
        };
        crate::fact::try_keys(&store).await?;
        store.fingerprint_key = Arc::new(crate::deed::fingerprint::key(&store).await?);
        Ok(store)
    }

    pub(crate) fn fingerprint_key(&self) -> &Key {
        &self.fingerprint_key
    }

    /// The ways in for many callers at once, where there are any.
    pub(crate) fn many(&self) -> Option<&Many> {
        self.many.as_deref()
    }

    /// Remembers whether a change that was made past the closures failed for want of room.
    pub(crate) fn note_room<T>(&self, done: &Result<T, qm_db::Error>) {
        match done {
            Ok(_) => self.full.store(false, Ordering::Relaxed),
            Err(qm_db::Error::Full) => self.full.store(true, Ordering::Relaxed),
            Err(_) => {}
        }
    }

    /// An outcome was committed past the closures.
    pub(crate) fn settled(&self, operation: &Operation, appended: bool) {
        if operation.state.is_terminal() && operation.due_at.is_none() {
            self.ended.add(vec![Ended::of(operation)]);
        }
        if appended {
            self.appended.send_modify(|count| *count += 1);
        }
    }

    /// Runs a closure as one serializable transaction. It may be run more than once.
    ///
    /// # Errors
    /// The closure's own, or the database's.
    pub async fn change<T, E, F>(&self, _permit: &Permit<Change>, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.keep_house(f).await
    }

    /// The same for the store's own housekeeping (numbering, trimming, sealing anew), which nobody asks for.
    pub(crate) async fn keep_house<T, E, F>(&self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let keys = self.keys.load_full();
        let dialect = self.db.dialect();
        let touched: Arc<Mutex<Vec<Touched>>> = Arc::default();
        let done: Result<_, Inner<E>> = self
            .db
            .transaction({
                let touched = Arc::clone(&touched);
                async move |tx: &qm_db::Tx<'_>| {
                    let tx = Tx::new(tx, &keys, dialect);
                    let value = f(&tx).await.map_err(Inner::Closure)?;
                    let touches = touch::write(&tx)
                        .await
                        .map_err(|error| Inner::Closure(E::from(error)))?;
                    if !touches.is_empty() {
                        let mut touched = touched.lock().unwrap_or_else(PoisonError::into_inner);
                        touched.extend(touches);
                    }
                    Ok((value, tx.has_appended(), tx.take_ended()))
                }
            })
            .await;
        // Also when nobody knows whether it was committed. A closure's own error has undone everything.
        if !matches!(done, Err(Inner::Closure(_))) {
            self.tell_watchers(&touched);
        }
        match done {
            Ok((value, appended, ended)) => {
                self.ended.add(ended);
                self.full.store(false, Ordering::Relaxed);
                if appended {
                    self.appended.send_modify(|count| *count += 1);
                }
                Ok(value)
            }
            Err(inner) => {
                if matches!(inner, Inner::Database(qm_db::Error::Full)) {
                    self.full.store(true, Ordering::Relaxed);
                }
                Err(inner.into_outer())
            }
        }
    }

    /// Runs a closure that only reads; all its queries see the same state.
    ///
    /// # Errors
    /// The closure's own, or the database's.
    pub async fn read<T, E, F>(&self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let keys = self.keys.load_full();
        let dialect = self.db.dialect();
        self.db
            .read(async move |tx: &qm_db::Tx<'_>| {
                f(&Tx::new(tx, &keys, dialect))
                    .await
                    .map_err(Inner::Closure)
            })
            .await
            .map_err(Inner::into_outer)
    }

    /// Changes whenever this process has put something into the outbox.
    pub fn appended(&self) -> watch::Receiver<u64> {
        self.appended.subscribe()
    }

    /// Calls this with what every change of this process has touched: after its commit and before it returns to whoever
    /// made it.
    pub fn watch(&self, watcher: impl Fn(&[Touched]) + Send + Sync + 'static) {
        let mut watchers = self
            .watchers
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        watchers.push(Box::new(watcher));
    }

    fn tell_watchers(&self, touched: &Mutex<Vec<Touched>>) {
        let touched = touched.lock().unwrap_or_else(PoisonError::into_inner);
        if touched.is_empty() {
            return;
        }
        let watchers = self.watchers.read().unwrap_or_else(PoisonError::into_inner);
        for watcher in watchers.iter() {
            watcher(&touched);
        }
    }

    /// How many operations this process has ended, by what they were.
    pub fn ended(&self) -> Vec<(Ended, u64)> {
        self.ended.all()
    }

    /// The keys in use.
    pub fn keys(&self) -> Arc<KeyRing> {
        self.keys.load_full()
    }

    /// Uses other keys from now on: the old ones must be among them.
    pub fn replace_keys(&self, keys: KeyRing) {
        self.keys.store(Arc::new(keys));
    }

    /// Which engine it is.
    pub fn dialect(&self) -> Dialect {
        self.db.dialect()
    }

    /// Whether the database answers and takes what is written: a full disk and a standby that only reads do not.
    ///
    /// # Errors
    /// Why not.
    pub async fn probe(&self) -> Result<(), Error> {
        crate::probe::run(self).await
    }

    /// Whether the last change failed for want of room.
    pub(crate) fn is_full(&self) -> bool {
        self.full.load(Ordering::Relaxed)
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

/// Either the database's word or the closure's.
enum Inner<E> {
    Database(qm_db::Error),
    Closure(E),
}

impl<E: From<Error>> Inner<E> {
    fn into_outer(self) -> E {
        match self {
            Self::Database(error) => E::from(Error::from(error)),
            Self::Closure(error) => error,
        }
    }
}

impl<E> From<qm_db::Error> for Inner<E> {
    fn from(error: qm_db::Error) -> Self {
        Self::Database(error)
    }
}
