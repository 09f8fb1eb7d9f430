//! The SQLite engine. [`Db`](crate::Db) hands it jobs; it answers each one.
//!
//! ```text
//!   callers -> queue -> writer thread: BEGIN, all that wait, COMMIT, then the answers
//!           -> queue -> reader threads: one snapshot each
//!           -> near: small reads on the caller's own thread
//!                       checkpoint thread: moves the log into the file behind their backs
//! ```
//!
//! The rule that keeps it right: nobody is told of success before the COMMIT that holds the work
//! has returned. A database in memory has no second connection, so its writer reads as well.

mod answers;
mod bind;
mod checkpoint;
mod fault;
mod job;
mod near;
mod open;
mod places;
mod reader;
mod writer;

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tokio::sync::{oneshot, watch};

pub(crate) use bind::{batch, execute, query};

use self::checkpoint::Checkpoint;
use self::job::{Closure, Job, Kind, Statement};
use self::near::Near;
use crate::error::Error;
use crate::options::Options;
use crate::queue::Queue;
use crate::row::Row;
use crate::sql::Sql;
use crate::tx::Tx;
use crate::value::Value;

type Jobs = Arc<Queue<Box<dyn Job>>>;

pub(crate) struct Engine {
    writes: Jobs,
    reads: Option<Jobs>,
    near: Option<Arc<Near>>,
    /// Ends when the writer has ended, which is after all others.
    running: watch::Receiver<()>,
}

impl Engine {
    pub(crate) async fn open(options: Options, file: Option<PathBuf>) -> Result<Self, Error> {
        let (tell, told) = oneshot::channel();
        let near = file.clone().map(|path| {
            let options = options.clone();
            let open = Box::new(move || open::reader(&path, &options));
            Arc::new(Near::new(near_most(), open))
        });
        spawn("db-open", move || {
            drop(tell.send(open::all(&options, file.as_deref())));
        })?;
        let open::Opened {
            writer,
            readers,
            checkpointer,
        } = told.await.map_err(|_| Error::Closed)??;

        let (alive, running) = watch::channel(());
        let writes: Jobs = Arc::new(Queue::new());
        let mut others = Vec::new();
        let checkpoint = Arc::new(Checkpoint::default());
        if let Some(conn) = checkpointer {
            let checkpoint = Arc::clone(&checkpoint);
            others.push(spawn("db-checkpoint", move || checkpoint.run(&conn))?);
        }
        let reads: Option<Jobs> = (!readers.is_empty()).then(|| Arc::new(Queue::new()));
        for conn in readers {
            let Some(reads) = reads.clone() else { continue };
            others.push(spawn("db-reader", move || reader::run(&conn, &reads))?);
        }
        let queue = Arc::clone(&writes);
        let neighbours = near.clone();
        spawn("db-writer", move || {
            writer::run(&writer, &queue, &checkpoint);
            checkpoint.close();
            if let Some(near) = neighbours {
                near.close();
            }
            // The last connection to close clears the log away. Two that close at once would each
            // take the other for the last.
            for thread in others {
                drop(thread.join());
            }
            drop((writer, alive));
        })?;
        Ok(Self {
            writes,
            reads,
            near,
            running,
        })
    }

    pub(crate) async fn transaction<T, E, F>(&self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (job, reply) = Closure::new(f, Kind::Transaction);
        answer(&self.writes, Box::new(job), reply).await
    }

    pub(crate) async fn read<T, E, F>(&self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let (job, reply) = Closure::new(f, Kind::Read);
        answer(self.readers(), Box::new(job), reply).await
    }

    /// The same for a few rows by their keys: here and now, if a connection is free.
    pub(crate) async fn look_up<T, E, F>(&self, f: F) -> Result<T, E>
    where
        F: AsyncFnOnce(&Tx<'_>) -> Result<T, E> + Clone + Send + 'static,
        T: Send + 'static,
        E: From<Error> + Send + 'static,
    {
        let found = self.near.as_ref().and_then(|near| near.read(f.clone()));
        match found {
            Some(found) => found,
            None => self.read(f).await,
        }
    }

    pub(crate) async fn execute(&self, sql: Sql, params: Vec<Value>) -> Result<u64, Error> {
        let (job, reply) = Statement::new(sql, params, Kind::Statement, execute);
        answer(&self.writes, Box::new(job), reply).await
    }

    pub(crate) async fn write_returning(
        &self,
        sql: Sql,
        params: Vec<Value>,
    ) -> Result<Vec<Row>, Error> {
        let (job, reply) = Statement::new(sql, params, Kind::Statement, query);
        answer(&self.writes, Box::new(job), reply).await
    }

    pub(crate) async fn query(&self, sql: Sql, params: Vec<Value>) -> Result<Vec<Row>, Error> {
        let (job, reply) = Statement::new(sql, params, Kind::Look, query);
        answer(self.readers(), Box::new(job), reply).await
    }

    /// Takes nothing more, finishes what waits, and returns when the file is closed.
    pub(crate) async fn close(&self) {
        self.stop();
        let mut running = self.running.clone();
        while running.changed().await.is_ok() {}
    }

    fn stop(&self) {
        self.writes.close();
        if let Some(reads) = &self.reads {
            reads.close();
        }
    }

    fn readers(&self) -> &Jobs {
        self.reads.as_ref().unwrap_or(&self.writes)
    }
}

/// As many as can run at once; more would only take memory.
fn near_most() -> usize {
    thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 8))
}

/// The threads drain their queues and end by themselves.
impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

async fn answer<T, E: From<Error>>(
    queue: &Jobs,
    job: Box<dyn Job>,
    reply: oneshot::Receiver<Result<T, E>>,
) -> Result<T, E> {
    if queue.push(job).is_err() {
        return Err(E::from(Error::Closed));
    }
    reply.await.unwrap_or_else(|_| Err(E::from(Error::Closed)))
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, Error> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(body)
        .map_err(|error| Error::unavailable(format!("no thread can be started: {}", error.kind())))
}
