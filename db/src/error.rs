//! What can go wrong, by what the caller can do about it. Every call of this crate returns it.
//!
//! The rule that keeps it right: no value of a parameter or a row gets in here. The drivers' own
//! errors quote values (PostgreSQL's detail line does), so they are translated in each engine's
//! `fault.rs` and not kept as a source. Statement texts are ours and may be shown.

use crate::sql::Sql;

/// Why a call did not do what was asked.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Another row holds this key: a conflict to be resolved by the caller.
    #[error("{table} already has a row with this {columns}")]
    Unique {
        /// The table.
        table: String,
        /// The key's columns, separated by `, `; empty when the engine does not say.
        columns: String,
        /// The constraint's or index' name; empty when the engine does not say.
        constraint: String,
    },

    /// The row points to a row that does not exist, or others still point to it.
    #[error("a row that this one depends on is missing, or others depend on it{}", of(.constraint))]
    ForeignKey {
        /// The constraint's name; empty when the engine does not say.
        constraint: String,
    },

    /// A CHECK or NOT NULL constraint refused the row.
    #[error("the row is not allowed by {constraint}")]
    Check {
        /// The constraint, or the column that must not be null.
        constraint: String,
    },

    /// Others were in the way for too long. Nothing was done; try again.
    #[error("the store is busy: {what}")]
    Busy {
        /// What was waited for.
        what: String,
    },

    /// The store cannot be reached. Nothing was done; try again later.
    #[error("the store is not available: {what}")]
    Unavailable {
        /// What was tried and what came back.
        what: String,
    },

    /// The connection was lost while the server was committing: the work was done whole or not
    /// at all, and only a look at the rows can tell which.
    #[error("the connection was lost during commit; the outcome is not known")]
    Unknown,

    /// The disk or quota is full. Nothing was done.
    #[error("the store is full")]
    Full,

    /// The file is damaged or is no database.
    #[error("the store is damaged: {what}")]
    Corrupt {
        /// The engine's words.
        what: String,
    },

    /// The store was migrated by a newer program.
    #[error(
        "the store's schema is at version {found}, this program knows up to {known}: use the newer program"
    )]
    NewerSchema {
        /// The newest version in the store.
        found: i64,
        /// The newest version in the program.
        known: i64,
    },

    /// A migration that was already applied is not the one in the program.
    #[error(
        "migration {version} ({name}) was changed after it was applied: restore its text and add a new one"
    )]
    EditedMigration {
        /// Which one.
        version: i64,
        /// Its name in the program.
        name: String,
    },

    /// The list of migrations contradicts itself.
    #[error("the list of migrations is wrong: {what}")]
    Migrations {
        /// What is wrong.
        what: String,
    },

    /// The lease was taken over by another worker. Stop working on the row.
    #[error("the lease is lost: another worker has taken the row")]
    Fenced,

    /// The statement is wrong for this schema or these parameters: a mistake in the program.
    #[error("statement refused: {what}; in: {sql}")]
    Statement {
        /// The statement's text.
        sql: Sql,
        /// The engine's words, as far as they cannot quote values.
        what: String,
    },

    /// A column was read as something that it is not: a mistake in the program.
    #[error("column {index}: wanted {wanted}, found {found}")]
    Column {
        /// Counted from 0.
        index: usize,
        /// What the caller asked for.
        wanted: &'static str,
        /// What the row holds.
        found: &'static str,
    },

    /// The closure went on after one of its statements had failed. Its work was undone.
    #[error("a transaction went on after a failed statement; it was rolled back")]
    Doomed,

    /// The closure awaited something other than its own statements. Its work was undone.
    #[error("a transaction awaited something other than its own statements; it was rolled back")]
    Strayed,

    /// The closure panicked. Its work was undone.
    #[error("a transaction panicked; it was rolled back")]
    Panicked,

    /// The handle was closed.
    #[error("the store is closed")]
    Closed,

    /// The address or an option of the store is wrong.
    #[error("the store's address is wrong: {what}")]
    Options {
        /// What is wrong; never the password.
        what: String,
    },
}

impl Error {
    /// Whether the same call may succeed when it is made again: nothing was done, and the cause
    /// can pass by itself.
    #[must_use]
    pub fn retryable(&self) -> bool {
        matches!(self, Self::Busy { .. } | Self::Unavailable { .. })
    }

    /// Whether a row with the same key exists.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        matches!(self, Self::Unique { .. })
    }

    pub(crate) fn unavailable(what: impl Into<String>) -> Self {
        Self::Unavailable { what: what.into() }
    }

    pub(crate) fn statement(sql: &Sql, what: impl Into<String>) -> Self {
        Self::Statement {
            sql: sql.clone(),
            what: what.into(),
        }
    }
}

/// ` (name)` or nothing.
fn of(name: &str) -> String {
    if name.is_empty() {
        String::new()
    } else {
        format!(" ({name})")
    }
}
