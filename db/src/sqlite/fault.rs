//! SQLite's errors in our words. Everything of this folder that can fail goes through here.
//!
//! The rule that keeps it right: SQLite's messages name tables and columns, never values, so they
//! may be kept; what the caller can do is decided by the extended code alone.

use rusqlite::{Error as Driver, ErrorCode, ffi};

use crate::error::Error;
use crate::sql::Sql;

pub(crate) fn translate(error: Driver, sql: &Sql) -> Error {
    match error {
        Driver::SqliteFailure(failure, message) => {
            failed(failure, message.unwrap_or_default(), sql)
        }
        Driver::SqlInputError { msg, offset, .. } => {
            Error::statement(sql, format!("{msg} (at {offset})"))
        }
        // The others are the binding's own complaints about how it was used; no values in them.
        other => Error::statement(sql, other.to_string()),
    }
}

fn failed(failure: ffi::Error, message: String, sql: &Sql) -> Error {
    // "UNIQUE constraint failed: t.a, t.b" -> "t.a, t.b"
    let about = || {
        message
            .split_once(": ")
            .map_or(message.as_str(), |(_, about)| about)
            .to_owned()
    };
    match failure.extended_code {
        ffi::SQLITE_CONSTRAINT_UNIQUE
        | ffi::SQLITE_CONSTRAINT_PRIMARYKEY
        | ffi::SQLITE_CONSTRAINT_ROWID => unique(&about()),
        ffi::SQLITE_CONSTRAINT_FOREIGNKEY => Error::ForeignKey {
            constraint: String::new(),
        },
        ffi::SQLITE_CONSTRAINT_NOTNULL | ffi::SQLITE_CONSTRAINT_CHECK => Error::Check {
            constraint: about(),
        },
        _ => match failure.code {
            ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Error::Busy {
                what: "another process is writing to the file".to_owned(),
            },
            ErrorCode::DiskFull => Error::Full,
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => {
                Error::Corrupt { what: message }
            }
            ErrorCode::SystemIoFailure
            | ErrorCode::CannotOpen
            | ErrorCode::PermissionDenied
            | ErrorCode::OutOfMemory
            | ErrorCode::OperationInterrupted
            | ErrorCode::FileLockingProtocolFailed
            | ErrorCode::NoLargeFileSupport => Error::unavailable(message),
            _ => Error::statement(sql, message),
        },
    }
}

/// `t.a, t.b`, or `index 'name'` for an index over expressions.
fn unique(about: &str) -> Error {
    if let Some(index) = about
        .strip_prefix("index '")
        .and_then(|rest| rest.strip_suffix('\''))
    {
        return Error::Unique {
            table: String::new(),
            columns: String::new(),
            constraint: index.to_owned(),
        };
    }
    let mut table = String::new();
    let columns = about
        .split(", ")
        .map(|column| match column.split_once('.') {
            Some((of, column)) => {
                of.clone_into(&mut table);
                column
            }
            None => column,
        });
    let columns = columns.collect::<Vec<_>>().join(", ");
    Error::Unique {
        table,
        columns,
        constraint: String::new(),
    }
}
