//! A thread that reads. Each closure sees one snapshot; a single query needs no transaction.
//!
//! The rule that keeps it right: a snapshot is begun after the job was taken, so a caller sees
//! everything that was committed before it asked; and the connection refuses to write.

use rusqlite::Connection;

use super::Jobs;
use super::bind::step;
use super::job::Kind;

pub(crate) fn run(conn: &Connection, jobs: &Jobs) {
    while let Some(mut job) = jobs.pop() {
        if job.abandoned() {
            continue;
        }
        let snapshot = job.kind() == Kind::Read;
        let result = if snapshot {
            step(conn, "BEGIN")
        } else {
            Ok(())
        };
        if result.is_ok() {
            job.run(conn);
        }
        if !conn.is_autocommit() {
            // There is nothing to lose; if it fails, the next BEGIN says so.
            drop(step(conn, "ROLLBACK"));
        }
        job.finish(result);
    }
}
