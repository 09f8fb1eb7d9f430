//! The two engines, and a database of each for one test.

use qm_testkit::postgres::Database;
use rusqlite::Connection;
use std::path::PathBuf;
use std::time::Duration;

/// Where the manager keeps its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Engine {
    Sqlite,
    Postgres,
}

impl Engine {
    /// Whether this machine has it. Says why a test is skipped.
    pub(crate) async fn is_here(self) -> bool {
        match self {
            Self::Sqlite => true,
            Self::Postgres => {
                // Starting the server waits for other programs.
                let server =
                    tokio::task::spawn_blocking(|| qm_testkit::postgres::server().is_some());
                server.await.unwrap()
            }
        }
    }
}

/// The database of one manager, seen from behind.
#[derive(Debug)]
pub(crate) enum Store {
    Sqlite(PathBuf),
    Postgres(Database),
}

impl Store {
    /// Runs statements; rows come back as lines, columns separated by `|`. Only what both engines understand.
    pub(crate) fn sql(&self, sql: &str) -> Vec<String> {
        match self {
            Self::Sqlite(path) => sqlite(path, sql),
            Self::Postgres(database) => {
                let text = database.psql(sql).unwrap();
                text.lines().map(str::to_owned).collect()
            }
        }
    }
}

fn sqlite(path: &PathBuf, sql: &str) -> Vec<String> {
    let connection = Connection::open(path).unwrap();
    // The manager writes at the same time.
    connection.busy_timeout(Duration::from_secs(20)).unwrap();
    connection
        .execute_batch("PRAGMA foreign_keys = ON")
        .unwrap();
    let mut lines = Vec::new();
    for statement in sql.split(';').filter(|text| !text.trim().is_empty()) {
        let mut statement = connection.prepare(statement).unwrap();
        let columns = statement.column_count();
        let mut rows = statement.query([]).unwrap();
        while let Some(row) = rows.next().unwrap() {
            let cells = (0..columns).map(|column| cell(row.get_ref(column).unwrap()));
            lines.push(cells.collect::<Vec<_>>().join("|"));
        }
    }
    lines
}

fn cell(value: rusqlite::types::ValueRef<'_>) -> String {
    use rusqlite::types::ValueRef;
    match value {
        ValueRef::Null => String::new(),
        ValueRef::Integer(number) => number.to_string(),
        ValueRef::Real(number) => number.to_string(),
        ValueRef::Text(text) | ValueRef::Blob(text) => String::from_utf8_lossy(text).into_owned(),
    }
}
