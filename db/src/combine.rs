//! The hottest writes: many callers' rows with one statement. Callers that write one row of the
//! same shape very often take this way; for everything else there are closures.
//!
//! On PostgreSQL one connection takes all rows that wait and writes them as arrays
//! (`unnest`), which costs the server a third of what single statements cost. On SQLite the
//! ordinary group commit already does that.
//!
//! The rule that keeps it right: a row's fate is its own. The statement reports which keys it
//! wrote; rows with the same key never share a statement; and a statement that fails as a whole is
//! cut in half and repeated until the row that is wrong stands alone.

mod plan;

use std::fmt;
use std::sync::Arc;

use tokio::sync::oneshot;

pub(crate) use plan::Plan;

use crate::error::Error;
use crate::handle::Db;
use crate::row::Row;
use crate::value::{Param, Value, ValueRef};

/// What is written, described once.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// The table.
    pub table: &'static str,
    /// The columns that every row brings, in this order.
    pub columns: &'static [(&'static str, Kind)],
    /// The columns that tell rows apart: the unique key that an insert may meet, or what an update
    /// looks for. All of them are among `columns`. To write under a lease, `fence` is one of them.
    pub key: &'static [&'static str],
    /// What is done with a row.
    pub write: Write,
}

/// A statement of the caller's own that serves many callers at once, for what a [`Shape`] cannot say:
/// several tables, conditions, an answer. It may also be one that only reads ([`Db::reading_script`]). Only PostgreSQL takes one; where one writes at a time a closure
/// does the same.
#[derive(Debug, Clone, Copy)]
pub struct Script<'s> {
    /// The statement. `{given}` in it becomes the table of what the callers gave, called `given`. For
    /// each caller that it served it gives one row: the key, then that caller's answer. It must leave no
    /// trace of a caller whose key it does not give.
    pub text: &'s str,
    /// The columns of `given`.
    pub columns: &'s [(&'s str, Kind)],
    /// The columns that tell callers apart. Those with the same key never share a statement.
    pub key: &'s [&'s str],
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `BIGINT`.
    Int,
    /// `BOOLEAN`.
    Bool,
    /// `DOUBLE PRECISION`.
    Real,
    /// `TEXT`.
    Text,
    /// `BYTEA`.
    Blob,
}

/// What is done with a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Write {
    /// It is new; if its key exists, nothing is done.
    Insert,
    /// It is new or takes the place of the one with its key.
    Upsert,
    /// It changes the one with its key; if there is none, nothing is done.
    Update,
}

/// What became of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// It was written.
    Written,
    /// It was not: an insert found its key taken, an update found no row with its key.
    Skipped,
}

/// The way in for rows of one shape. Cheap to clone.
#[derive(Clone)]
pub struct Combiner {
    db: Db,
    plan: Arc<Plan>,
}

impl Combiner {
    pub(crate) fn new(db: Db, shape: &Shape) -> Result<Self, Error> {
        let plan = Arc::new(Plan::new(shape)?);
        Ok(Self { db, plan })
    }

    /// Writes one row, whose values stand in the order of the shape's columns. When this returns,
    /// the row is committed.
    ///
    /// # Errors
    /// The engine's, about this row alone. [`Error::Unknown`] as for any other write.
    pub async fn write(&self, row: Vec<Value>) -> Result<Outcome, Error> {
        self.plan.fits(&row)?;
        Ok(match self.db.write_row(&self.plan, row).await? {
            Some(_) => Outcome::Written,
            None => Outcome::Skipped,
        })
    }
}

/// The way in for the callers of one script. Cheap to clone.
#[derive(Clone)]
pub struct Scripted {
    db: Db,
    plan: Arc<Plan>,
    /// It only reads, and does not wait behind those who write.
    reads: bool,
}

impl Scripted {
    pub(crate) fn new(db: Db, script: &Script<'_>, reads: bool) -> Result<Self, Error> {
        let plan = Arc::new(Plan::script(script)?);
        Ok(Self { db, plan, reads })
    }

    /// Runs the script for one caller, whose values stand in the order of the script's columns. Gives the
    /// caller's answer; `None` when the script did not serve it. When this returns, it is committed.
    ///
    /// # Errors
    /// The engine's, about this caller alone. [`Error::Unknown`] as for any other write.
    pub async fn run(&self, values: Vec<Value>) -> Result<Option<Row>, Error> {
        self.plan.fits(&values)?;
        if self.reads {
            self.db.read_row(&self.plan, values).await
        } else {
            self.db.write_row(&self.plan, values).await
        }
    }
}

impl fmt::Debug for Scripted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Scripted").field(&self.plan.single).finish()
    }
}

impl fmt::Debug for Combiner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Combiner").field(&self.plan.single).finish()
    }
}

/// A row on its way, and the caller who waits for it.
pub(crate) struct Waiting {
    pub(crate) plan: Arc<Plan>,
    pub(crate) row: Vec<Value>,
    pub(crate) key: Vec<u8>,
    pub(crate) reply: oneshot::Sender<Result<Option<Row>, Error>>,
}

impl Waiting {
    pub(crate) fn new(
        plan: &Arc<Plan>,
        row: Vec<Value>,
    ) -> (Self, oneshot::Receiver<Result<Option<Row>, Error>>) {
        let (reply, answer) = oneshot::channel();
        let key = encode(plan.key.iter().filter_map(|index| row.get(*index)));
        (
            Self {
                plan: Arc::clone(plan),
                row,
                key,
                reply,
            },
            answer,
        )
    }
}

/// Keys as bytes, so that they can be compared, sorted and looked up whatever they are made of.
pub(crate) fn encode<'v>(values: impl Iterator<Item = &'v Value>) -> Vec<u8> {
    let mut out = Vec::with_capacity(48);
    let mut put = |kind: u8, bytes: &[u8]| {
        out.push(kind);
        out.extend_from_slice(&(bytes.len() as u64).to_be_bytes());
        out.extend_from_slice(bytes);
    };
    for value in values {
        match value.value() {
            ValueRef::Null => put(0, &[]),
            ValueRef::Int(n) => put(1, &n.to_be_bytes()),
            ValueRef::Bool(b) => put(2, &[u8::from(b)]),
            ValueRef::Real(x) => put(3, &x.to_be_bytes()),
            ValueRef::Text(text) => put(4, text.as_bytes()),
            ValueRef::Blob(bytes) => put(5, bytes),
        }
    }
    out
}
