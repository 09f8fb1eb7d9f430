//! The engines to test on. The macros turn one test function into one test per engine, and a few words into
//! a transaction.

use qm_db::{Db, Dialect, Options};
use qm_model::{Ctx, Kind};
use qm_policy::{Change, Permit, Settings};
use qm_store::{KeyRing, Store};
use qm_testkit::postgres;
use std::sync::Arc;
use tempfile::TempDir;

/// A fresh store, gone when dropped.
pub(crate) struct World {
    pub(crate) store: Store,
    pub(crate) permit: Permit<Change>,
    pub(crate) address: String,
    pub(crate) keys: KeyRing,
    _dir: Option<TempDir>,
    _database: Option<postgres::Database>,
}

impl World {
    async fn open(
        address: String,
        dir: Option<TempDir>,
        database: Option<postgres::Database>,
    ) -> Self {
        let keys = KeyRing::generate().unwrap();
        let options = Options::parse(&address).unwrap();
        let store = Store::open(options, keys.clone()).await.unwrap();
        let settings = Settings {
            tenant_label: "tenant".to_owned(),
        };
        let ctx = Ctx::system("test", String::new());
        Self {
            store,
            permit: qm_policy::change(&ctx, Kind::Broker, &settings).unwrap(),
            address,
            keys,
            _dir: dir,
            _database: database,
        }
    }

    /// Another handle to the same store, as another replica has.
    pub(crate) async fn another(&self) -> Store {
        let options = Options::parse(&self.address).unwrap();
        Store::open(options, self.keys.clone()).await.unwrap()
    }

    /// The database beneath, for what the store does not let one do.
    pub(crate) async fn beneath(&self) -> Db {
        Db::open(Options::parse(&self.address).unwrap())
            .await
            .unwrap()
    }

    /// Whether the kept numbers of rows are the numbers of rows. PostgreSQL keeps none, and nobody those of operations.
    pub(crate) async fn kept_numbers_agree(&self) {
        if self.store.dialect() == Dialect::Postgres {
            return;
        }
        let kinds = [
            "broker",
            "platform",
            "visibility",
            "offering",
            "plan",
            "instance",
            "binding",
        ];
        for kind in kinds {
            let text = format!(
                "SELECT (SELECT n FROM total WHERE kind = '{kind}') - count(*) FROM {kind}"
            );
            let rows = self
                .beneath()
                .await
                .query(Arc::<str>::from(text), vec![])
                .await
                .unwrap();
            assert_eq!(rows[0].get::<i64>(0).unwrap(), 0, "{kind}");
        }
    }

    /// The first cell of the first row.
    pub(crate) async fn number(&self, sql: &'static str) -> i64 {
        self.beneath().await.query(sql, vec![]).await.unwrap()[0]
            .get(0)
            .unwrap()
    }
}

pub(crate) async fn sqlite() -> Option<World> {
    let dir = tempfile::tempdir().unwrap();
    let address = format!("sqlite:{}", dir.path().join("test.db").display());
    Some(World::open(address, Some(dir), None).await)
}

pub(crate) async fn postgres() -> Option<World> {
    let database = postgres::database().await?;
    Some(World::open(database.url(), None, Some(database)).await)
}

/// `on_both!(a, b)`: each function becomes a test on SQLite and one on PostgreSQL.
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        crate::engines::on!(sqlite: $($name),*);
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

/// `change!(store, permit, [a, b], tx => ...)`: a transaction that gets clones of `a` and `b`.
macro_rules! change {
    ($world:expr, [$($taken:ident),*], $tx:ident => $body:expr) => {{
        $(let $taken = $taken.clone();)*
        $world.store.change::<_, qm_store::Error, _>(&$world.permit, async move |$tx: &qm_store::Tx<'_>| $body).await
    }};
}

/// The same for reading.
macro_rules! read {
    ($world:expr, [$($taken:ident),*], $tx:ident => $body:expr) => {{
        $(let $taken = $taken.clone();)*
        $world.store.read::<_, qm_store::Error, _>(async move |$tx: &qm_store::Tx<'_>| $body).await
    }};
}

pub(crate) use {change, on, on_both, read};
