//! SQLite: a hand-written writer thread with group commit on rusqlite, and `qm-db`.
//!
//! The rule: both have the same settings, so that the ratio is the price of `qm-db` and nothing
//! else.

use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, mpsc};

use anyhow::{Context as _, Result};
use qm_db::combine::{Combiner, Kind, Shape, Write};
use qm_db::{Db, Options};
use rusqlite::{Connection, params};
use tokio::sync::oneshot;

use super::{Contestant, Entry, Row, TABLE};

pub(super) async fn entries(dir: &Path) -> Result<Vec<Entry>> {
    let raw = Raw::open(&dir.join("raw.db"))?;
    let entry = |name, against, judged, contestant| Entry {
        engine: "sqlite",
        name,
        against,
        judged,
        contestant,
    };
    Ok(vec![
        entry(
            "raw rusqlite, group commit",
            None,
            false,
            Arc::new(raw) as Arc<dyn Contestant>,
        ),
        entry(
            "db.execute",
            Some(0),
            true,
            Arc::new(Execute(open(&dir.join("execute.db")).await?)),
        ),
        entry(
            "db.transaction",
            Some(0),
            true,
            Arc::new(Closure(open(&dir.join("closure.db")).await?)),
        ),
        entry(
            "db.combiner",
            Some(0),
            true,
            Arc::new(Combined::new(&open(&dir.join("combiner.db")).await?)?),
        ),
    ])
}

async fn open(path: &Path) -> Result<Db> {
    let db = Db::open(Options::parse(path.to_str().context("a path in UTF-8")?)?).await?;
    make_table(&db).await?;
    Ok(db)
}

pub(super) async fn make_table(db: &Db) -> Result<()> {
    db.transaction(async move |tx| {
        let sql: Arc<str> = format!("CREATE TABLE item {TABLE}").into();
        tx.execute(sql, &[]).await
    })
    .await?;
    Ok(())
}

type Reply = oneshot::Sender<rusqlite::Result<()>>;

/// What one would write by hand: a thread that takes all rows that wait and commits them together.
struct Raw {
    rows: mpsc::Sender<(Row, Reply)>,
}

impl Raw {
    fn open(path: &Path) -> Result<Self> {
        let conn = Connection::open(path)?;
        conn.execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
             PRAGMA cache_size = -4096;",
        )?;
        conn.execute_batch(&format!("CREATE TABLE item {TABLE}"))?;
        let (rows, waiting) = mpsc::channel();
        std::thread::spawn(move || {
            // The callers see a dropped reply when this ends with an error.
            if let Err(error) = write(&conn, &waiting) {
                eprintln!("raw rusqlite: {error}");
            }
        });
        Ok(Self { rows })
    }
}

fn write(conn: &Connection, waiting: &mpsc::Receiver<(Row, Reply)>) -> rusqlite::Result<()> {
    let mut done = Vec::new();
    while let Ok(first) = waiting.recv() {
        conn.execute_batch("BEGIN IMMEDIATE")?;
        let mut insert =
            conn.prepare_cached("INSERT INTO item (id, n, body) VALUES (?1, ?2, ?3)")?;
        let mut next = Some(first);
        while let Some((row, reply)) = next {
            let result = insert.execute(params![row.id, row.n, row.body]).map(drop);
            done.push((reply, result));
            next = if done.len() < 1024 {
                waiting.try_recv().ok()
            } else {
                None
            };
        }
        conn.execute_batch("COMMIT")?;
        for (reply, result) in done.drain(..) {
            drop(reply.send(result));
        }
    }
    Ok(())
}

type Inserting<'c> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'c>>;

impl Contestant for Raw {
    fn insert(&self, row: Row) -> Inserting<'_> {
        Box::pin(async move {
            let (reply, answer) = oneshot::channel();
            self.rows
                .send((row, reply))
                .context("the writer has ended")?;
            Ok(answer.await??)
        })
    }
}

pub(super) const INSERT: &str = "INSERT INTO item (id, n, body) VALUES ($1, $2, $3)";

pub(super) struct Execute(pub(super) Db);

impl Contestant for Execute {
    fn insert(&self, row: Row) -> Inserting<'_> {
        Box::pin(async move {
            let Row { id, n, body } = row;
            self.0
                .execute(INSERT, vec![id.into(), n.into(), body.into()])
                .await?;
            Ok(())
        })
    }
}

pub(super) struct Closure(pub(super) Db);

impl Contestant for Closure {
    fn insert(&self, row: Row) -> Inserting<'_> {
        Box::pin(async move {
            let Row { id, n, body } = row;
            self.0
                .transaction(async move |tx| tx.execute(INSERT, &[&id, &n, &body]).await)
                .await?;
            Ok(())
        })
    }
}

pub(super) struct Combined(Combiner);

impl Combined {
    pub(super) fn new(db: &Db) -> Result<Self> {
        let shape = Shape {
            table: "item",
            columns: &[("id", Kind::Text), ("n", Kind::Int), ("body", Kind::Text)],
            key: &["id"],
            write: Write::Insert,
        };
        Ok(Self(db.combiner(&shape)?))
    }
}

impl Contestant for Combined {
    fn insert(&self, row: Row) -> Inserting<'_> {
        Box::pin(async move {
            let Row { id, n, body } = row;
            self.0.write(vec![id.into(), n.into(), body.into()]).await?;
            Ok(())
        })
    }
}
