//! The thread that writes: takes everyone who waits and commits them together.
//!
//! The rule that keeps it right: one caller's failure is that caller's alone. A closure that fails
//! is undone by its savepoint. Savepoints cost a copy of every page that each caller touches, so
//! while nobody fails there are none; the first failure undoes the group, and it is run again with
//! them. When the group as a whole cannot be kept (a deferred constraint at COMMIT, or SQLite undid
//! everything because of one statement), each job is run again in a transaction of its own.

use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::Jobs;
use super::answers::{Group, finish};
use super::bind::step;
use super::checkpoint::Checkpoint;
use super::job::{Job, Kind};
use crate::error::Error;

/// More than this is not worth another share of one fsync.
const MOST: usize = 1024;
/// Who came first does not wait longer than this for who came later.
const LONGEST: Duration = Duration::from_millis(25);

/// So many groups have savepoints after a failure: where one fails, others may.
const WARY: u32 = 64;

pub(crate) fn run(conn: &Connection, jobs: &Jobs, checkpoint: &Checkpoint) {
    let mut wary = 0;
    loop {
        let mut waiting = jobs.take(MOST);
        if waiting.is_empty() {
            return;
        }
        waiting.retain(|job| !job.abandoned());
        while !waiting.is_empty() {
            let before = waiting.len();
            waiting = together(conn, waiting, &mut wary);
            checkpoint.written(conn, before - waiting.len());
        }
    }
}

/// Runs and answers as many as fit into one commit; returns the others.
fn together(conn: &Connection, mut group: Group, wary: &mut u32) -> Group {
    if let Err(error) = step(conn, "BEGIN IMMEDIATE") {
        finish(group, Err(error));
        return Vec::new();
    }
    let alone = group.len() == 1;
    // Alone, the whole transaction undoes a failure.
    let guard = if alone {
        Guard::None
    } else if *wary > 0 {
        *wary -= 1;
        Guard::Savepoint
    } else {
        Guard::Hope
    };
    let start = Instant::now();
    let mut done = 0;
    let mut kept = Ok(true);
    for job in &mut group {
        done += 1;
        kept = guarded(conn, job.as_mut(), guard);
        let hopeless = guard == Guard::Hope && matches!(kept, Ok(false));
        if hopeless {
            *wary = WARY;
            // If this fails too, the next BEGIN says so.
            drop(step(conn, "ROLLBACK"));
            return together(conn, group, wary);
        }
        if kept.is_err() || conn.is_autocommit() || (done % 16 == 0 && start.elapsed() > LONGEST) {
            break;
        }
    }
    let later = group.split_off(done);
    let commit = match kept {
        Err(error) => Err(error),
        // One statement (disk full, out of memory) made SQLite undo all of them.
        _ if conn.is_autocommit() => Err(Error::unavailable("SQLite undid the transaction")),
        Ok(false) if alone => step(conn, "ROLLBACK"),
        Ok(_) => step(conn, "COMMIT"),
    };
    if !conn.is_autocommit() {
        // COMMIT failed and left the transaction open. If this fails too, the next BEGIN says so.
        drop(step(conn, "ROLLBACK"));
    }
    if commit.is_ok() || alone {
        finish(group, commit);
    } else {
        for job in group {
            together(conn, vec![job], wary);
        }
    }
    later
}

/// What undoes a closure that fails half way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Guard {
    /// The end of the transaction, which it has for itself.
    None,
    /// A savepoint.
    Savepoint,
    /// Nothing: the group is undone and run again.
    Hope,
}

/// Runs a job under its guard. `Ok(false)`: its work is to be undone, if the guard did not do that.
/// `Err`: the group cannot be kept.
fn guarded(conn: &Connection, job: &mut dyn Job, guard: Guard) -> Result<bool, Error> {
    let kind = job.kind();
    if kind.reads_only() {
        // Only a database in memory reads here.
        step(conn, "PRAGMA query_only = 1")?;
        job.run(conn);
        step(conn, "PRAGMA query_only = 0")?;
        return Ok(true);
    }
    if kind == Kind::Statement {
        // SQLite undoes a failed statement by itself.
        let kept = job.run(conn);
        return Ok(kept || guard != Guard::None);
    }
    if guard != Guard::Savepoint {
        return Ok(job.run(conn));
    }
    step(conn, "SAVEPOINT caller")?;
    let keep = job.run(conn);
    if !keep {
        step(conn, "ROLLBACK TO caller")?;
    }
    step(conn, "RELEASE caller")?;
    Ok(keep)
}
