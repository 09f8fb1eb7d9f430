//! Opens the connections to one SQLite file and sets them up.
//!
//! The rule that keeps it right: what was acknowledged survives a power cut (`synchronous=FULL`
//! in WAL mode syncs the log at every commit). Other processes may use the same file: WAL and the
//! busy timeout let them take turns. The file is made readable by its owner only.

use std::fs::OpenOptions;
use std::io::ErrorKind;
use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::fault::translate;
use crate::error::Error;
use crate::options::Options;
use crate::sql::Sql;

pub(crate) struct Opened {
    pub(crate) writer: Connection,
    pub(crate) readers: Vec<Connection>,
    pub(crate) checkpointer: Option<Connection>,
}

pub(crate) fn all(options: &Options, file: Option<&Path>) -> Result<Opened, Error> {
    let Some(path) = file else {
        let writer = Connection::open_in_memory().map_err(told)?;
        set_up(&writer, options.busy_timeout)?;
        return Ok(Opened {
            writer,
            readers: Vec::new(),
            checkpointer: None,
        });
    };
    create(path)?;
    let writer = connect(path, options)?;
    widen(&writer)?;
    keep_log(&writer, options.busy_timeout)?;
    let mut readers = Vec::with_capacity(options.readers);
    for _ in 0..options.readers {
        readers.push(reader(path, options)?);
    }
    let checkpointer = Some(connect(path, options)?);
    Ok(Opened {
        writer,
        readers,
        checkpointer,
    })
}

/// A connection that refuses to write.
pub(crate) fn reader(path: &Path, options: &Options) -> Result<Connection, Error> {
    let reader = connect(path, options)?;
    reader
        .pragma_update(None, "query_only", true)
        .map_err(told)?;
    Ok(reader)
}

/// SQLite itself would make the file readable by everybody.
fn create(path: &Path) -> Result<(), Error> {
    let mut how = OpenOptions::new();
    how.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut how, 0o600);
    match how.open(path) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(Error::unavailable(format!("{}: {error}", path.display()))),
    }
}

fn connect(path: &Path, options: &Options) -> Result<Connection, Error> {
    // Each connection is used by one thread at a time, so SQLite need not lock it.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(told)?;
    set_up(&conn, options.busy_timeout)?;
    Ok(conn)
}

fn set_up(conn: &Connection, busy: Duration) -> Result<(), Error> {
    conn.busy_timeout(busy).map_err(told)?;
    conn.set_prepared_statement_cache_capacity(256);
    // Or a statement whose plan looked at a bound value is prepared anew at every run: a third of a read's cost.
    conn.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)
        .map_err(told)?;
    conn.execute_batch(
        "PRAGMA synchronous = FULL;
         PRAGMA foreign_keys = ON;
         PRAGMA cache_size = -4096;
         PRAGMA temp_store = MEMORY;
         PRAGMA trusted_schema = OFF;
         PRAGMA wal_autocheckpoint = 0;
         PRAGMA journal_size_limit = 67108864;",
    )
    .map_err(told)
}

/// Rows with keys in no order touch a page of every index each; the writer keeps those of a while at hand. The memory
/// is taken when they are written, not before.
fn widen(writer: &Connection) -> Result<(), Error> {
    writer
        .execute_batch("PRAGMA cache_size = -16384")
        .map_err(told)
}

/// Turns the write-ahead log on. Two processes that do this at once may each find the file busy
/// without SQLite waiting for them, so the waiting is done here.
fn keep_log(conn: &Connection, patience: Duration) -> Result<(), Error> {
    let start = Instant::now();
    loop {
        let mode = conn
            .query_row("PRAGMA journal_mode = WAL", [], |row| {
                row.get::<_, String>(0)
            })
            .map_err(told);
        match mode {
            Ok(mode) if mode == "wal" => return Ok(()),
            Ok(mode) => {
                return Err(Error::unavailable(format!(
                    "this file system cannot hold a write-ahead log ({mode})"
                )));
            }
            Err(Error::Busy { .. }) if start.elapsed() < patience => {
                std::thread::sleep(Duration::from_millis(10));
            }
            Err(error) => return Err(error),
        }
    }
}

fn told(error: rusqlite::Error) -> Error {
    translate(error, &Sql::Static("opening the file"))
}

#[cfg(test)]
mod tests {
    use super::set_up;
    use rusqlite::{Connection, StatementStatus};
    use std::time::Duration;

    /// A bound `LIMIT`, and an index with a condition beside it: both made SQLite look at the values.
    #[test]
    fn a_statement_is_prepared_once() {
        let conn = Connection::open_in_memory().unwrap();
        set_up(&conn, Duration::ZERO).unwrap();
        conn.execute_batch(
            "CREATE TABLE t (seq INTEGER PRIMARY KEY, kind TEXT, id TEXT, phase TEXT);
             CREATE INDEX t_id ON t (kind, id, seq);
             CREATE UNIQUE INDEX t_alone ON t (kind, id) WHERE phase <> 'done';",
        )
        .unwrap();
        let text = "SELECT seq FROM t WHERE kind = $1 AND id = $2 ORDER BY seq DESC LIMIT $3";
        let mut statement = conn.prepare(text).unwrap();
        for n in 0..5 {
            let mut rows = statement.query((n.to_string(), "x", n)).unwrap();
            assert!(rows.next().unwrap().is_none());
        }
        assert_eq!(statement.get_status(StatementStatus::RePrepare), 0);
    }
}
