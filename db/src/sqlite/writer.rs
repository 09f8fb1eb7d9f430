//! The thread that writes: takes everyone who waits and commits them together.
//!
//! The rule that keeps it right: one caller's failure is that caller's alone. A closure runs in a
//! savepoint; when the group as a whole cannot be kept (a deferred constraint at COMMIT, or SQLite
//! undid everything because of one statement), each job is run again in a transaction of its own.

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

pub(crate) fn run(conn: &Connection, jobs: &Jobs, checkpoint: &Checkpoint) {
    loop {
        let mut waiting = jobs.take(MOST);
        if waiting.is_empty() {
            return;
        }
        waiting.retain(|job| !job.abandoned());
        while !waiting.is_empty() {
            let before = waiting.len();
            waiting = together(conn, waiting);
            checkpoint.written(conn, before - waiting.len());
        }
    }
}

/// Runs and answers as many as fit into one commit; returns the others.
fn together(conn: &Connection, mut group: Group) -> Group {
    if let Err(error) = step(conn, "BEGIN IMMEDIATE") {
        finish(group, Err(error));
        return Vec::new();
    }
    let alone = group.len() == 1;
    let start = Instant::now();
    let mut done = 0;
    let mut kept = Ok(true);
    for job in &mut group {
        done += 1;
        kept = guarded(conn, job.as_mut(), alone);
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
            together(conn, vec![job]);
        }
    }
    later
}

/// Runs a job so that its failure undoes its own work only; alone, the whole transaction does
/// that. `Ok(false)`: its work is to be undone. `Err`: the group cannot be kept.
fn guarded(conn: &Connection, job: &mut dyn Job, alone: bool) -> Result<bool, Error> {
    let kind = job.kind();
    if kind.reads_only() {
        // Only a database in memory reads here.
        step(conn, "PRAGMA query_only = 1")?;
        job.run(conn);
        step(conn, "PRAGMA query_only = 0")?;
        return Ok(true);
    }
    if alone || kind == Kind::Statement {
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
