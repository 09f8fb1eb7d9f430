//! The quick way to a few rows. Deeds that read one thing by its id take it; all else goes through
//! [`Store::read`](crate::Store::read).

use crate::{Error, Store, Tx};

impl Store {
    /// Runs a closure that reads a few rows by their keys, and nothing that takes longer: SQLite does it on the caller's
    /// own thread, see [`Db::look_up`](qm_db::Db::look_up). All its queries see the same state.
    ///
    /// # Errors
    /// The closure's own, or the database's.
    pub async fn look_up<T, E, F>(&self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let keys = self.keys();
        let dialect = self.dialect();
        let looked: Result<_, Either<E>> = self
            .db
            .look_up(async move |tx: &qm_db::Tx<'_>| {
                let found = f(&Tx::new(tx, &keys, dialect)).await;
                found.map_err(Either::Closure)
            })
            .await;
        looked.map_err(|error| match error {
            Either::Database(error) => E::from(Error::from(error)),
            Either::Closure(error) => error,
        })
    }
}

/// Whose word an error is.
enum Either<E> {
    Database(qm_db::Error),
    Closure(E),
}

impl<E> From<qm_db::Error> for Either<E> {
    fn from(error: qm_db::Error) -> Self {
        Self::Database(error)
    }
}
