//! The handle. Everything that stores something holds one.
//!
//! The rule that keeps it right: a call is done whole or not at all, also when its future is
//! dropped: work that has not begun is then skipped, work that has begun is finished.

use std::fmt;
use std::sync::Arc;

use crate::combine::{Combiner, Plan, Script, Scripted, Shape};
use crate::dialect::Dialect;
use crate::error::Error;
use crate::migrate::{self, Migration};
use crate::options::{Options, Target};
use crate::postgres;
use crate::row::Row;
use crate::sql::Sql;
use crate::sqlite;
use crate::tx::Tx;
use crate::value::Value;

/// A store: SQLite or PostgreSQL. Cheap to clone; the last clone to go closes it.
#[derive(Clone)]
pub struct Db {
    engine: Arc<Engine>,
}

enum Engine {
    Sqlite(sqlite::Engine),
    Postgres(postgres::Engine),
}

impl Db {
    /// Opens the store and makes sure that it answers.
    ///
    /// # Errors
    /// [`Error::Unavailable`], [`Error::Corrupt`] or [`Error::Busy`] when it does not.
    pub async fn open(options: Options) -> Result<Self, Error> {
        let engine = match options.target.clone() {
            Target::Sqlite(file) => Engine::Sqlite(sqlite::Engine::open(options, file).await?),
            Target::Postgres(server) => {
                Engine::Postgres(postgres::Engine::open(&options, &server).await?)
            }
        };
        Ok(Self {
            engine: Arc::new(engine),
        })
    }

    /// Which engine this is.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        match &*self.engine {
            Engine::Sqlite(_) => Dialect::Sqlite,
            Engine::Postgres(_) => Dialect::Postgres,
        }
    }

    /// Brings the schema up to the last of these migrations.
    ///
    /// # Errors
    /// [`Error::NewerSchema`], [`Error::EditedMigration`], or what a migration ran into; then
    /// nothing was changed.
    pub async fn migrate(&self, set: &'static [Migration]) -> Result<(), Error> {
        self.migrate_named("main", set).await
    }

    /// The same for one of several parts that keep their tables in one store.
    ///
    /// # Errors
    /// As [`Db::migrate`].
    pub async fn migrate_named(
        &self,
        part: &'static str,
        set: &'static [Migration],
    ) -> Result<(), Error> {
        migrate::up(self, part, set).await
    }

    /// Takes the newest migrations back until the schema is at `version`; 0 takes all back.
    ///
    /// # Errors
    /// As [`Db::migrate`].
    pub async fn migrate_down(
        &self,
        part: &'static str,
        set: &'static [Migration],
        version: i64,
    ) -> Result<(), Error> {
        migrate::down(self, part, set, version).await
    }

    /// Runs a closure as one transaction. When it returns an error its work is undone. It may
    /// await nothing but its own statements, and may be run more than once (the others' work can
    /// make that necessary), so it must own what it uses and leave no traces elsewhere.
    ///
    /// # Errors
    /// The closure's own, or the engine's.
    pub async fn transaction<T, E, F>(&self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match &*self.engine {
            Engine::Sqlite(engine) => engine.transaction(f).await,
            Engine::Postgres(engine) => engine.transaction(f).await,
        }
    }

    /// A transaction that runs by itself: nobody else in it, and on PostgreSQL one at a time in
    /// the whole database. For migrations.
    pub(crate) async fn alone<T, F>(&self, f: F) -> Result<T, Error>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, Error> + Clone + Send + 'static,
        T: Send + 'static,
    {
        match &*self.engine {
            // There is one writer, and its BEGIN IMMEDIATE keeps other processes out.
            Engine::Sqlite(engine) => engine.transaction(f).await,
            Engine::Postgres(engine) => engine.alone(f).await,
        }
    }

    /// Runs a closure that only reads. All its queries see the same state.
    ///
    /// # Errors
    /// The closure's own, or the engine's; a write is refused.
    pub async fn read<T, E, F>(&self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match &*self.engine {
            Engine::Sqlite(engine) => engine.read(f).await,
            Engine::Postgres(engine) => engine.read(f).await,
        }
    }

    /// The same for a few rows that indexes find by their keys. SQLite reads them on the caller's own thread where it
    /// can: that takes less time than handing them to another. Anything longer would hold up the caller's runtime,
    /// so it belongs into [`Db::read`].
    ///
    /// # Errors
    /// As [`Db::read`].
    pub async fn look_up<T, E, F>(&self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        match &*self.engine {
            Engine::Sqlite(engine) => engine.look_up(f).await,
            Engine::Postgres(engine) => engine.read(f).await,
        }
    }

    /// Runs one writing statement and says how many rows it changed. The quick way: no closure,
    /// no savepoint, and on SQLite one commit with everybody else who waits.
    ///
    /// # Errors
    /// The engine's.
    pub async fn execute(&self, sql: impl Into<Sql>, params: Vec<Value>) -> Result<u64, Error> {
        match &*self.engine {
            Engine::Sqlite(engine) => engine.execute(sql.into(), params).await,
            Engine::Postgres(engine) => engine.execute(sql.into(), params).await,
        }
    }

    /// Runs one writing statement with `RETURNING` and gives its rows.
    ///
    /// # Errors
    /// The engine's.
    pub async fn write_returning(
        &self,
        sql: impl Into<Sql>,
        params: Vec<Value>,
    ) -> Result<Vec<Row>, Error> {
        match &*self.engine {
            Engine::Sqlite(engine) => engine.write_returning(sql.into(), params).await,
            Engine::Postgres(engine) => engine.write_returning(sql.into(), params).await,
        }
    }

    /// Runs one query.
    ///
    /// # Errors
    /// The engine's; a write is refused.
    pub async fn query(&self, sql: impl Into<Sql>, params: Vec<Value>) -> Result<Vec<Row>, Error> {
        match &*self.engine {
            Engine::Sqlite(engine) => engine.query(sql.into(), params).await,
            Engine::Postgres(engine) => engine.query(sql.into(), params).await,
        }
    }

    /// A way in for rows of one shape that are written very often, see [`combine`](crate::combine).
    ///
    /// # Errors
    /// [`Error::Statement`] when the shape contradicts itself.
    pub fn combiner(&self, shape: &Shape) -> Result<Combiner, Error> {
        Combiner::new(self.clone(), shape)
    }

    /// A way in for many callers of one statement, see [`combine`](crate::combine). PostgreSQL only.
    ///
    /// # Errors
    /// [`Error::Statement`] when the script contradicts itself.
    pub fn script(&self, script: &Script<'_>) -> Result<Scripted, Error> {
        Scripted::new(self.clone(), script, false)
    }

    /// The same for a statement that only reads, which a connection of its own serves. PostgreSQL only: SQLite
    /// has [`Db::look_up`].
    ///
    /// # Errors
    /// [`Error::Statement`] when the script contradicts itself.
    pub fn reading_script(&self, script: &Script<'_>) -> Result<Scripted, Error> {
        Scripted::new(self.clone(), script, true)
    }

    /// Writes one row. Gives what the statement said of it; nothing when it was not written.
    pub(crate) async fn write_row(
        &self,
        plan: &Arc<Plan>,
        row: Vec<Value>,
    ) -> Result<Option<Row>, Error> {
        match &*self.engine {
            Engine::Sqlite(engine) => match engine.execute(plan.single.clone(), row).await? {
                0 => Ok(None),
                _ => Ok(Some(Row::new(Vec::new()))),
            },
            Engine::Postgres(engine) => engine.write_row(plan, row).await,
        }
    }

    /// Reads for one caller. Gives what the statement said of it.
    pub(crate) async fn read_row(
        &self,
        plan: &Arc<Plan>,
        row: Vec<Value>,
    ) -> Result<Option<Row>, Error> {
        match &*self.engine {
            Engine::Sqlite(engine) => Ok(engine.query(plan.single.clone(), row).await?.pop()),
            Engine::Postgres(engine) => engine.read_row(plan, row).await,
        }
    }

    /// Asks the store for a sign of life.
    ///
    /// # Errors
    /// Why there is none.
    pub async fn ping(&self) -> Result<(), Error> {
        self.query("SELECT 1", Vec::new()).await.map(drop)
    }

    /// Takes no more work, finishes what was begun, and returns when all is closed.
    pub async fn close(&self) {
        match &*self.engine {
            Engine::Sqlite(engine) => engine.close().await,
            Engine::Postgres(engine) => engine.close().await,
        }
    }
}

impl fmt::Debug for Db {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Db").field(&self.dialect().name()).finish()
    }
}
