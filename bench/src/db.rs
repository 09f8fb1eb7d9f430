//! Inserts per second through `qm-db` next to the drivers themselves: `cargo xtask bench db`.
//!
//! Each contestant gets the same rows from the same number of callers, each of whom sends the next
//! row when the last one is committed. Rounds are interleaved, so that a busy minute of the machine
//! meets everybody; the ratio is the median over the rounds. Everything is written through to the
//! disk (SQLite `synchronous=FULL`, PostgreSQL `fsync=on`). The rule: like is held against like, one
//! statement against one statement, a transaction against a transaction.

mod postgres;
mod seal;
mod sqlite;

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

const CALLERS: [usize; 4] = [1, 16, 64, 256];
/// The number of callers at which the ratio is judged, and what it has to be.
const JUDGED: (usize, f64) = (64, 0.85);
/// Where it is judged, one unlucky second of a busy machine must not decide.
const ROUNDS: usize = 5;
const JUDGED_ROUNDS: usize = 15;
const LENGTH: Duration = Duration::from_millis(400);

/// Somebody who can insert a row and says so when it is committed.
pub(crate) trait Contestant: Send + Sync {
    /// Inserts one row.
    fn insert(&self, row: Row) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>>;
}

/// A row as an operation's row might be: a random id, a number, some text.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) n: i64,
    pub(crate) body: String,
}

pub(crate) const TABLE: &str = "(id TEXT PRIMARY KEY, n BIGINT NOT NULL, body TEXT NOT NULL)";

/// A contestant and the one it is held against; without one it is the measure.
pub(crate) struct Entry {
    pub(crate) engine: &'static str,
    pub(crate) name: &'static str,
    pub(crate) against: Option<usize>,
    /// Whether missing the ratio ends the run with an error.
    pub(crate) judged: bool,
    pub(crate) contestant: Arc<dyn Contestant>,
}

/// Runs all contestants and prints the table.
///
/// # Errors
/// When something fails, or a judged ratio is missed.
pub(crate) async fn run() -> Result<()> {
    seal::run()?;
    let dir = tempfile::tempdir()?;
    let mut failed = Vec::new();
    failed.extend(compare(&sqlite::entries(dir.path()).await?).await?);
    match postgres::start().await? {
        Some(server) => {
            let arena = postgres::arena(&server).await?;
            failed.extend(compare(&arena.entries).await?);
        }
        None => bail!("there is no PostgreSQL on this machine to measure against"),
    }
    if !failed.is_empty() {
        bail!(
            "below {} at {} callers: {}",
            JUDGED.1,
            JUDGED.0,
            failed.join("; ")
        );
    }
    Ok(())
}

/// Measures the entries of one engine. Gives the names of those that missed their ratio.
async fn compare(entries: &[Entry]) -> Result<Vec<String>> {
    let mut failed = Vec::new();
    println!(
        "\n{:<11}{:<37}{:>8}{:>12}{:>9}   (lowest to highest)",
        "engine", "", "callers", "inserts/s", "ratio"
    );
    for callers in CALLERS {
        let mut rates = vec![Vec::new(); entries.len()];
        let rounds = if callers == JUDGED.0 {
            JUDGED_ROUNDS
        } else {
            ROUNDS
        };
        for round in 0..rounds {
            for n in 0..entries.len() {
                // Another one begins each time, so that nobody always follows the same one.
                let n = (n + round) % entries.len();
                rates[n].push(measure(&entries[n].contestant, callers).await?);
            }
        }
        for (n, entry) in entries.iter().enumerate() {
            let rate = median(&rates[n]);
            print!(
                "{:<11}{:<37}{callers:>8}{rate:>12.0}",
                entry.engine, entry.name
            );
            let Some(against) = entry.against else {
                println!("{:>9}", "1");
                continue;
            };
            let ratios: Vec<f64> = rates[n]
                .iter()
                .zip(&rates[against])
                .map(|(ours, theirs)| ours / theirs)
                .collect();
            let ratio = median(&ratios);
            let (low, high) = ratios.iter().fold((f64::MAX, 0.0_f64), |(low, high), x| {
                (low.min(*x), high.max(*x))
            });
            println!("{ratio:>9.2}   ({low:.2} to {high:.2})");
            if entry.judged && callers == JUDGED.0 && ratio < JUDGED.1 {
                failed.push(format!("{} {} {ratio:.2}", entry.engine, entry.name));
            }
        }
    }
    Ok(failed)
}

/// Rows per second with so many callers.
async fn measure(contestant: &Arc<dyn Contestant>, callers: usize) -> Result<f64> {
    let start = Instant::now();
    let end = start + LENGTH;
    let tasks: Vec<_> = (0..callers)
        .map(|_| {
            let contestant = Arc::clone(contestant);
            tokio::spawn(async move {
                let mut count = 0_u32;
                while Instant::now() < end {
                    contestant.insert(row()).await?;
                    count += 1;
                }
                anyhow::Ok(count)
            })
        })
        .collect();
    let mut count = 0.0;
    for task in tasks {
        count += f64::from(task.await??);
    }
    Ok(count / start.elapsed().as_secs_f64())
}

/// Ids are spread over the whole index as random ones are, and cost nothing to make.
fn row() -> Row {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    let spread = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let id = format!("{spread:016x}-{:016x}", spread.rotate_left(32) ^ n);
    Row {
        id,
        n: i64::try_from(n).unwrap_or_default(),
        body: "x".repeat(200),
    }
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}
