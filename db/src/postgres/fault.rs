//! PostgreSQL's errors in our words, and whether the attempt may be made again. Everything of this
//! folder that can fail goes through here.
//!
//! The rule that keeps it right: the detail line and the messages about data (class 22) quote
//! values, so they are not kept. Where it is not sure that the server did nothing, it is said so.

use std::error::Error as StdError;

use tokio_postgres::error::{DbError, Severity, SqlState};

use crate::error::Error;
use crate::sql::Sql;

/// A failure, and what it means for the attempt.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) error: Error,
    pub(crate) again: Option<Again>,
}

/// Why an attempt that failed can be made again without harm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// Another transaction was in the way; the server undid this one.
    Conflict,
    /// The connection is gone, and with it a transaction that had not begun to commit.
    Lost,
    /// The schema changed under a prepared statement; the server undid this transaction.
    Stale,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, again: None }
    }
}

pub(crate) fn translate(error: &tokio_postgres::Error, sql: &Sql) -> Failure {
    match error.as_db_error() {
        Some(db) => refused(db, sql),
        None => unsaid(error, sql),
    }
}

/// The driver's own failures: the connection, or a parameter that does not fit.
fn unsaid(error: &tokio_postgres::Error, sql: &Sql) -> Failure {
    // The kind is not public; its words are fixed texts without values.
    let kind = error.to_string();
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    if kind.starts_with("error serializing parameter") {
        // The cause is our own refusal in `bind.rs`, or an integer that is out of range.
        return Error::statement(sql, format!("{kind}: {cause}")).into();
    }
    if kind.starts_with("expected") {
        return Error::statement(sql, kind).into();
    }
    let what = if cause.is_empty() {
        kind
    } else {
        format!("{kind}: {cause}")
    };
    lost(Error::unavailable(what))
}

fn refused(db: &DbError, sql: &Sql) -> Failure {
    let text = |word: Option<&str>| word.unwrap_or_default().to_owned();
    let code = db.code();
    let busy = |what: &str| Error::Busy {
        what: what.to_owned(),
    };
    let error = match *code {
        SqlState::T_R_SERIALIZATION_FAILURE | SqlState::T_R_DEADLOCK_DETECTED => {
            let error = busy("other transactions were in the way");
            return Failure {
                error,
                again: Some(Again::Conflict),
            };
        }
        SqlState::UNIQUE_VIOLATION => Error::Unique {
            table: text(db.table()),
            columns: key(db.detail()),
            constraint: text(db.constraint()),
        },
        SqlState::FOREIGN_KEY_VIOLATION => Error::ForeignKey {
            constraint: text(db.constraint()),
        },
        SqlState::NOT_NULL_VIOLATION => Error::Check {
            constraint: format!("{}.{}", text(db.table()), text(db.column())),
        },
        SqlState::CHECK_VIOLATION | SqlState::EXCLUSION_VIOLATION => Error::Check {
            constraint: text(db.constraint()),
        },
        SqlState::LOCK_NOT_AVAILABLE => busy("a lock was not free in time"),
        SqlState::QUERY_CANCELED => busy("the statement took too long"),
        SqlState::DISK_FULL => Error::Full,
        SqlState::DATA_CORRUPTED | SqlState::INDEX_CORRUPTED => Error::Corrupt {
            what: db.message().to_owned(),
        },
        SqlState::IN_FAILED_SQL_TRANSACTION => Error::Doomed,
        SqlState::INVALID_SQL_STATEMENT_NAME => {
            return Failure {
                error: Error::statement(sql, "the server has forgotten it"),
                again: Some(Again::Stale),
            };
        }
        SqlState::FEATURE_NOT_SUPPORTED if db.message().starts_with("cached plan") => {
            return Failure {
                error: Error::statement(sql, "the schema has changed"),
                again: Some(Again::Stale),
            };
        }
        _ => return by_class(db, sql),
    };
    error.into()
}

fn by_class(db: &DbError, sql: &Sql) -> Failure {
    let code = db.code().code();
    let over = matches!(
        db.parsed_severity(),
        Some(Severity::Fatal | Severity::Panic)
    );
    let unavailable = || Error::unavailable(db.message());
    match code.get(..2) {
        // The session is over, and with it whatever was not committed.
        Some("08") => lost(unavailable()),
        _ if over => lost(unavailable()),
        // Resources, operators, the system: the statement was undone, the session lives.
        Some("53" | "57" | "58") => unavailable().into(),
        // These messages quote the value.
        Some("22") => {
            Error::statement(sql, format!("a value does not fit (SQLSTATE {code})")).into()
        }
        _ => Error::statement(sql, format!("{} (SQLSTATE {code})", db.message())).into(),
    }
}

fn lost(error: Error) -> Failure {
    Failure {
        error,
        again: Some(Again::Lost),
    }
}

/// The columns out of `Key (a, b)=(1, 2) already exists.`
fn key(detail: Option<&str>) -> String {
    let columns = detail.and_then(|detail| detail.split_once('(')?.1.split_once(")=("));
    columns
        .map(|(columns, _)| columns.to_owned())
        .unwrap_or_default()
}
