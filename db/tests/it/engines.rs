//! The engines to test on. The macros turn one test function into one test per engine.

use qm_db::{Db, Dialect, Options};
use qm_testkit::postgres;
use tempfile::TempDir;

/// A fresh, empty store, gone when dropped.
pub(crate) struct World {
    pub(crate) db: Db,
    pub(crate) address: String,
    _dir: Option<TempDir>,
    _database: Option<postgres::Database>,
}

impl World {
    /// Another handle to the same store, as another process would have.
    pub(crate) async fn another(&self) -> Db {
        Db::open(Options::parse(&self.address).unwrap())
            .await
            .unwrap()
    }

    pub(crate) fn is_postgres(&self) -> bool {
        self.db.dialect() == Dialect::Postgres
    }

    /// A table that most tests use.
    pub(crate) async fn with_table(self) -> Self {
        self.db
            .execute(
                "CREATE TABLE item (id TEXT PRIMARY KEY, n BIGINT NOT NULL, tag TEXT UNIQUE,
                 CONSTRAINT small CHECK (n < 1000000))",
                vec![],
            )
            .await
            .unwrap();
        self
    }

    pub(crate) async fn count(&self) -> i64 {
        self.one("SELECT count(*) FROM item").await
    }

    /// The first cell of the first row.
    pub(crate) async fn one(&self, sql: &'static str) -> i64 {
        self.db.query(sql, vec![]).await.unwrap()[0].get(0).unwrap()
    }
}

pub(crate) async fn file() -> Option<World> {
    let dir = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", dir.path().join("test.db").display());
    let db = Db::open(Options::parse(&address).unwrap()).await.unwrap();
    Some(World {
        db,
        address,
        _dir: Some(dir),
        _database: None,
    })
}

pub(crate) async fn memory() -> Option<World> {
    let address = "sqlite::memory:".to_owned();
    let db = Db::open(Options::parse(&address).unwrap()).await.unwrap();
    Some(World {
        db,
        address,
        _dir: None,
        _database: None,
    })
}

pub(crate) async fn postgres() -> Option<World> {
    let database = postgres::database().await?;
    let address = database.url();
    let db = Db::open(Options::parse(&address).unwrap()).await.unwrap();
    Some(World {
        db,
        address,
        _dir: None,
        _database: Some(database),
    })
}

/// `on_all!(a, b)`: each function becomes a test on a file, in memory and on PostgreSQL.
macro_rules! on_all {
    ($($name:ident),* $(,)?) => {
        crate::engines::on!(file: $($name),*);
        crate::engines::on!(memory: $($name),*);
        crate::engines::on!(postgres: $($name),*);
    };
}

/// The same without memory, for tests that open the store twice.
macro_rules! on_shared {
    ($($name:ident),* $(,)?) => {
        crate::engines::on!(file: $($name),*);
        crate::engines::on!(postgres: $($name),*);
    };
}

macro_rules! on {
    ($engine:ident: $($name:ident),*) => {
        mod $engine {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    let Some(world) = crate::engines::$engine().await else { return };
                    super::$name(world).await;
                }
            )*
        }
    };
}

pub(crate) use {on, on_all, on_shared};
