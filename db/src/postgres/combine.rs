//! A combiner's loop: takes all rows that wait and writes those of one shape with one statement, or reads for all
//! callers of one script. There is one loop that writes and one that reads, so that nobody who reads waits for a disk.
//!
//! The rule that keeps it right: rows with the same key go into different statements, in the order
//! they came, because one statement cannot say which of the two it means. Rows are sorted by key, so
//! that two programs that do this to one table lock in the same order.

use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use std::sync::Arc;

use tokio::sync::mpsc::UnboundedReceiver;
use tokio_postgres::types::ToSql;

use super::connect::Connector;
use super::fault::{Again, Failure};
use super::session::Session;
use super::slot::Patience;
use crate::combine::{Kind, Plan, Waiting, encode};
use crate::error::Error;
use crate::row::Row;
use crate::value::{Param, Value, ValueRef};

/// More rows than this make a statement slow without making it cheaper.
const MOST: usize = 500;
/// Arrays of unknown length tempt the planner into scanning whole tables; hold it to the index. And
/// a row that somebody has locked may hold up the others for a short while only.
const PLANS: &str =
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off;
                     SET plan_cache_mode = force_generic_plan; SET lock_timeout = 2000";

/// The server itself refuses a script that writes after all.
const READS: &str = "SET default_transaction_read_only = on";

/// A loop that has not begun.
pub(crate) struct Combining {
    rows: UnboundedReceiver<Waiting>,
    reads: bool,
}

impl Combining {
    pub(crate) fn writes(rows: UnboundedReceiver<Waiting>) -> Self {
        Self { rows, reads: false }
    }

    pub(crate) fn reads(rows: UnboundedReceiver<Waiting>) -> Self {
        Self { rows, reads: true }
    }

    /// Runs until all senders are gone and the last row is answered.
    pub(crate) async fn run(self, connector: Rc<Connector>) {
        let Self { rows, reads } = self;
        let session = None;
        Loop {
            connector,
            session,
            reads,
        }
        .run(rows)
        .await;
    }
}

struct Loop {
    connector: Rc<Connector>,
    session: Option<Session>,
    reads: bool,
}

impl Loop {
    async fn run(mut self, mut rows: UnboundedReceiver<Waiting>) {
        let mut pending = VecDeque::new();
        let mut fresh = Vec::new();
        loop {
            if pending.is_empty() && rows.recv_many(&mut fresh, MOST).await == 0 {
                break;
            }
            while let Ok(row) = rows.try_recv() {
                fresh.push(row);
            }
            pending.extend(
                fresh
                    .drain(..)
                    .filter(|row: &Waiting| !row.reply.is_closed()),
            );
            let group = group(&mut pending);
            if let Some(first) = group.first() {
                let plan = Arc::clone(&first.plan);
                self.write(&plan, group).await;
            }
        }
        if let Some(session) = self.session {
            session.close().await;
        }
    }

    /// Writes a group, and if that fails its halves.
    async fn write(&mut self, plan: &Plan, group: Vec<Waiting>) {
        let mut groups = vec![group];
        while let Some(mut group) = groups.pop() {
            match self.once(plan, &group).await {
                Ok(mut written) => {
                    for Waiting { key, reply, .. } in group {
                        drop(reply.send(Ok(written.remove(&key))));
                    }
                }
                // Not the fault of a single row, so halves would fare no better.
                Err(error @ (Error::Unknown | Error::Unavailable { .. } | Error::Full)) => {
                    fail(group, &error);
                }
                Err(error) if group.len() == 1 => fail(group, &error),
                Err(_) => {
                    let second = group.split_off(group.len() / 2);
                    groups.push(second);
                    groups.push(group);
                }
            }
        }
    }

    /// One statement. Gives the keys that were written, each with the rest of its row.
    async fn once(
        &mut self,
        plan: &Plan,
        group: &[Waiting],
    ) -> Result<HashMap<Vec<u8>, Row>, Error> {
        let arrays: Vec<_> = plan
            .kinds
            .iter()
            .enumerate()
            .map(|(n, kind)| array(*kind, n, group))
            .collect();
        let params: Vec<&(dyn ToSql + Sync)> = arrays.iter().map(|array| &**array as _).collect();
        let mut patience = Patience::default();
        loop {
            let session = self.session().await?;
            match session.query_raw(&plan.arrays, &params).await {
                Ok(rows) => {
                    let width = plan.key.len();
                    return Ok(rows.into_iter().map(|row| split(row, width)).collect());
                }
                Err(Failure {
                    again: Some(Again::Lost),
                    ..
                }) if !self.reads => {
                    return Err(Error::Unknown);
                }
                Err(failure) => patience.again(failure).await?,
            }
        }
    }

    async fn session(&mut self) -> Result<&Session, Error> {
        let session = match self.session.take() {
            Some(session) if !session.is_closed() => session,
            _ => {
                let session = self.connector.connect().await?;
                session
                    .command(PLANS)
                    .await
                    .map_err(|failure| failure.error)?;
                if self.reads {
                    let told = session.command(READS).await;
                    told.map_err(|failure| failure.error)?;
                }
                session
            }
        };
        Ok(self.session.insert(session))
    }
}

/// Takes the rows of the first one's shape out of those that wait, each key once.
fn group(pending: &mut VecDeque<Waiting>) -> Vec<Waiting> {
    let Some(plan) = pending.front().map(|row| Arc::clone(&row.plan)) else {
        return Vec::new();
    };
    let mut keys = HashSet::new();
    let mut group: Vec<Waiting> = Vec::new();
    let mut rest = VecDeque::new();
    for row in pending.drain(..) {
        let fits = group.len() < MOST && Arc::ptr_eq(&row.plan, &plan);
        if fits && keys.insert(row.key.clone()) {
            group.push(row);
        } else {
            rest.push_back(row);
        }
    }
    *pending = rest;
    group.sort_by(|a, b| a.key.cmp(&b.key));
    group
}

/// The key, with which a row begins, and the rest.
fn split(row: Row, width: usize) -> (Vec<u8>, Row) {
    let mut key = row.into_values();
    let rest = key.split_off(width.min(key.len()));
    (encode(key.iter()), Row::new(rest))
}

fn fail(group: Vec<Waiting>, error: &Error) {
    for row in group {
        drop(row.reply.send(Err(error.clone())));
    }
}

/// One column of all rows. The plan has checked the kinds, so a value of another kind is null.
fn array<'g>(kind: Kind, column: usize, group: &'g [Waiting]) -> Box<dyn ToSql + Sync + 'g> {
    let values = group
        .iter()
        .map(move |row| row.row.get(column).map_or(ValueRef::Null, Value::value));
    macro_rules! of {
        ($variant:ident) => {
            Box::new(
                values
                    .map(|value| match value {
                        ValueRef::$variant(it) => Some(it),
                        _ => None,
                    })
                    .collect::<Vec<_>>(),
            )
        };
    }
    match kind {
        Kind::Int => of!(Int),
        Kind::Bool => of!(Bool),
        Kind::Real => of!(Real),
        Kind::Text => of!(Text),
        Kind::Blob => of!(Blob),
    }
}
