//! PostgreSQL: sixteen connections with prepared statements on tokio-postgres, and `qm-db`.
//!
//! The rule: the raw program is a good one. A caller takes whichever connection is free; nothing is
//! prepared twice; the connections run on the callers' own runtime, as they do in most programs.

use std::pin::Pin;
use std::sync::{Arc, Mutex};

use anyhow::{Context as _, Result, bail};
use qm_db::{Db, Options};
use qm_testkit::postgres::{self, Database, Server};
use tokio::sync::Semaphore;
use tokio_postgres::{Client, NoTls, Statement};

use super::sqlite::{Closure, Combined, Execute, INSERT, make_table};
use super::{Contestant, Entry, Row, TABLE};

const CONNECTIONS: usize = 16;

/// A scratch server that writes through to the disk.
pub(super) async fn start() -> Result<Option<Server>> {
    let options = postgres::Options {
        fsync: true,
        settings: vec![
            ("shared_buffers".to_owned(), "128MB".to_owned()),
            ("max_wal_size".to_owned(), "4GB".to_owned()),
        ],
    };
    match tokio::task::spawn_blocking(move || Server::start(options)).await? {
        Ok(server) => Ok(Some(server)),
        Err(postgres::Error::Absent { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The contestants, each with a database of its own.
pub(super) struct Arena {
    pub(super) entries: Vec<Entry>,
    _databases: Vec<Database>,
}

pub(super) async fn arena(server: &Server) -> Result<Arena> {
    let databases = (0..5)
        .map(|_| server.database())
        .collect::<Result<Vec<_>, _>>()?;
    let [plain, transaction, execute, closure, combiner] = &databases[..] else {
        bail!("five databases were made");
    };
    let entry = |name, against, judged, contestant| Entry {
        engine: "postgres",
        name,
        against,
        judged,
        contestant,
    };
    let plain: Arc<dyn Contestant> = Arc::new(Raw::open(plain, false).await?);
    let transaction = Arc::new(Raw::open(transaction, true).await?);
    let execute = Arc::new(Execute(open(execute).await?));
    let closure = Arc::new(Closure(open(closure).await?));
    let combiner = Arc::new(Combined::new(&open(combiner).await?)?);
    let entries = vec![
        entry("raw, 16 connections, autocommit", None, false, plain),
        entry("raw, BEGIN INSERT COMMIT", None, false, transaction),
        entry("db.execute / autocommit", Some(0), true, execute),
        entry("db.transaction / BEGIN..COMMIT", Some(1), true, closure),
        entry("db.combiner / autocommit", Some(0), true, combiner),
    ];
    Ok(Arena {
        entries,
        _databases: databases,
    })
}

async fn open(database: &Database) -> Result<Db> {
    let options = Options::parse(&database.url())?.connections(CONNECTIONS);
    let db = Db::open(options).await?;
    make_table(&db).await?;
    Ok(db)
}

struct Raw {
    /// Whether each row has a transaction around it.
    transaction: bool,
    free: Semaphore,
    idle: Mutex<Vec<(Client, Statement)>>,
}

impl Raw {
    async fn open(database: &Database, transaction: bool) -> Result<Self> {
        let url = database.url();
        let mut idle = Vec::new();
        for n in 0..CONNECTIONS {
            let (client, connection) = tokio_postgres::connect(&url, NoTls).await?;
            tokio::spawn(connection);
            if n == 0 {
                client
                    .batch_execute(&format!("CREATE TABLE item {TABLE}"))
                    .await?;
            }
            let insert = client.prepare(INSERT).await?;
            idle.push((client, insert));
        }
        Ok(Self {
            transaction,
            free: Semaphore::new(CONNECTIONS),
            idle: Mutex::new(idle),
        })
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<(Client, Statement)>> {
        self.idle
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Contestant for Raw {
    fn insert(&self, row: Row) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>> {
        Box::pin(async move {
            let _free = self.free.acquire().await?;
            let taken = self.idle().pop();
            let (client, insert) = taken.context("a free connection")?;
            let Row { id, n, body } = row;
            if self.transaction {
                client.batch_execute("BEGIN").await?;
            }
            client.execute(&insert, &[&id, &n, &body]).await?;
            if self.transaction {
                client.batch_execute("COMMIT").await?;
            }
            self.idle().push((client, insert));
            Ok(())
        })
    }
}
