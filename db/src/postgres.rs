//! The PostgreSQL engine. [`Db`](crate::Db) hands it jobs; it answers each one.
//!
//! ```text
//!   callers -> hand -> slots: a connection each, on a few threads of their own
//!           -> combiners: one connection that writes many callers' rows with one statement, and one that reads
//!              for many callers with one
//! ```
//!
//! The rule that keeps it right: whether the future of a closure may change threads cannot be
//! stated, so it never does: a slot runs it from start to end on its own thread. Two such threads
//! are also quicker than a pool that all workers use.

mod attempt;
mod bind;
mod combine;
mod connect;
mod fault;
mod hand;
mod job;
mod session;
mod slot;
mod statement;
mod thread;
pub(crate) mod tls;

use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::{mpsc, oneshot, watch};

pub(crate) use fault::Failure;
pub(crate) use session::Session;

use self::combine::Combining;
use self::connect::Connector;
use self::hand::Hand;
use self::job::{Closure, Job};
use self::statement::{Deed, Done, Statement};
use self::thread::Thread;
use crate::combine::{Plan, Waiting};
use crate::error::Error;
use crate::options::{Isolation, Options, Server};
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::value::Value;

type Jobs = Arc<Hand<Job>>;

/// One at a time in the whole database; the number is ours and means nothing else.
const ALONE: &str =
    "BEGIN; SET LOCAL statement_timeout = 0; SELECT pg_advisory_xact_lock(5927718361304)";
const READ: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// A combiner's way in; gone when closed.
type Way = Mutex<Option<UnboundedSender<Waiting>>>;

pub(crate) struct Engine {
    jobs: Jobs,
    rows: Way,
    looks: Way,
    begin: &'static str,
    /// Ends when the last thread has ended.
    running: watch::Receiver<()>,
}

impl Engine {
    pub(crate) async fn open(options: &Options, server: &Server) -> Result<Self, Error> {
        let jobs: Jobs = Arc::new(Hand::new());
        let (rows, writing) = mpsc::unbounded_channel();
        let (looks, reading) = mpsc::unbounded_channel();
        // A loop each; the first threads have them.
        let mut combining = vec![Combining::reads(reading), Combining::writes(writing)];
        let (alive, running) = watch::channel(());
        let threads = options.threads.min(options.connections);
        for number in 0..threads {
            let Server { config, tls } = server.clone();
            let more = usize::from(number < options.connections % threads);
            Thread {
                jobs: Arc::clone(&jobs),
                combining: match number + 1 == threads {
                    true => std::mem::take(&mut combining),
                    false => combining.pop().into_iter().collect(),
                },
                connector: Connector::new(config, tls, options.statement_timeout),
                slots: options.connections / threads + more,
                among: options.connections,
                alive: alive.clone(),
            }
            .start()?;
        }
        let begin = match options.isolation {
            Isolation::Serializable => "BEGIN ISOLATION LEVEL SERIALIZABLE",
            Isolation::Snapshot => "BEGIN ISOLATION LEVEL REPEATABLE READ",
        };
        let engine = Self {
            jobs,
            rows: Mutex::new(Some(rows)),
            looks: Mutex::new(Some(looks)),
            begin,
            running,
        };
        engine.query(Sql::Static("SELECT 1"), Vec::new()).await?;
        Ok(engine)
    }

    pub(crate) async fn transaction<T, E, F>(&self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.closure(f, self.begin).await
    }

    pub(crate) async fn read<T, E, F>(&self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        self.closure(f, READ).await
    }

    /// A transaction that waits until no other of its kind runs, then sees what that one did.
    pub(crate) async fn alone<T, F>(&self, f: F) -> Result<T, Error>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, Error> + Clone + Send + 'static,
        T: Send + 'static,
    {
        self.closure(f, ALONE).await
    }

    async fn closure<T, E, F>(&self, f: F, begin: &'static str) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (job, reply) = Closure::new(f, begin);
        self.answer(Job::Closure(Box::new(job)), reply).await
    }

    pub(crate) async fn execute(&self, sql: Sql, params: Vec<Value>) -> Result<u64, Error> {
        match self.statement(sql, params, Deed::Execute).await? {
            Done::Count(n) => Ok(n),
            Done::Rows(rows) => Ok(rows.len() as u64),
        }
    }

    pub(crate) async fn write_returning(
        &self,
        sql: Sql,
        params: Vec<Value>,
    ) -> Result<Vec<Row>, Error> {
        self.rows(sql, params, Deed::Returning).await
    }

    pub(crate) async fn query(&self, sql: Sql, params: Vec<Value>) -> Result<Vec<Row>, Error> {
        self.rows(sql, params, Deed::Look).await
    }

    async fn rows(&self, sql: Sql, params: Vec<Value>, deed: Deed) -> Result<Vec<Row>, Error> {
        match self.statement(sql, params, deed).await? {
            Done::Rows(rows) => Ok(rows),
            Done::Count(_) => Ok(Vec::new()),
        }
    }

    async fn statement(&self, sql: Sql, params: Vec<Value>, deed: Deed) -> Result<Done, Error> {
        let (job, reply) = Statement::new(sql, params, deed);
        self.answer(Job::Statement(job), reply).await
    }

    async fn answer<T, E: From<Error>>(
        &self,
        job: Job,
        reply: oneshot::Receiver<Result<T, E>>,
    ) -> Result<T, E> {
        if self.jobs.give(job).is_err() {
            return Err(E::from(Error::Closed));
        }
        reply.await.unwrap_or_else(|_| Err(E::from(Error::Closed)))
    }

    /// Takes nothing more, finishes what waits, and returns when the connections are closed.
    pub(crate) async fn close(&self) {
        self.stop();
        let mut running = self.running.clone();
        while running.changed().await.is_ok() {}
    }

    fn stop(&self) {
        self.jobs.close();
        for way in [&self.rows, &self.looks] {
            *way.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    pub(crate) async fn write_row(
        &self,
        plan: &Arc<Plan>,
        row: Vec<Value>,
    ) -> Result<Option<Row>, Error> {
        combined(&self.rows, plan, row).await
    }

    pub(crate) async fn read_row(
        &self,
        plan: &Arc<Plan>,
        row: Vec<Value>,
    ) -> Result<Option<Row>, Error> {
        combined(&self.looks, plan, row).await
    }
}

async fn combined(way: &Way, plan: &Arc<Plan>, row: Vec<Value>) -> Result<Option<Row>, Error> {
    let (row, answer) = Waiting::new(plan, row);
    let way = way.lock().unwrap_or_else(PoisonError::into_inner).clone();
    way.and_then(|way| way.send(row).ok())
        .ok_or(Error::Closed)?;
    answer.await.unwrap_or(Err(Error::Closed))
}

/// The threads finish what waits and end by themselves.
impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}
