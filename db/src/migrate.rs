//! Brings a schema from one version to the next. [`Db::migrate`](crate::Db::migrate) calls it.
//!
//! The rule that keeps it right: all steps run in one transaction under one lock, so two programs
//! that start at once do the work once, and a step that fails leaves the schema as it was. What
//! was applied is remembered with its checksum; a store that knows more than the program, or knows
//! it differently, is not touched.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::digest;

use crate::dialect::Dialect;
use crate::error::Error;
use crate::handle::Db;
use crate::sql::Sql;
use crate::tx::Tx;

/// One step of a schema. `up` and `down` are texts of any number of statements; a line that ends
/// in `-- only sqlite` or `-- only postgres` is for that engine.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// Greater than that of the step before, and above 0.
    pub version: i64,
    /// What it does, in a word or two.
    pub name: &'static str,
    /// Makes the change.
    pub up: &'static str,
    /// Takes it back.
    pub down: &'static str,
}

const TABLE: &str = "CREATE TABLE IF NOT EXISTS schema_migration (
    part TEXT NOT NULL,
    version BIGINT NOT NULL,
    name TEXT NOT NULL,
    checksum TEXT NOT NULL,
    applied_at BIGINT NOT NULL,
    PRIMARY KEY (part, version))";

pub(crate) async fn up(
    db: &Db,
    part: &'static str,
    set: &'static [Migration],
) -> Result<(), Error> {
    well_formed(set)?;
    let dialect = db.dialect();
    db.alone(async move |tx| {
        let applied = applied(tx, part, set).await?;
        for step in set.iter().skip(applied) {
            let Migration {
                version,
                name,
                up,
                down: _,
            } = step;
            tx.batch(&text(dialect, up)).await?;
            tx.execute(
                "INSERT INTO schema_migration (part, version, name, checksum, applied_at)
                 VALUES ($1, $2, $3, $4, $5)",
                &[&part, version, name, &checksum(step), &now_ms()],
            )
            .await?;
            tracing::info!(part, version, name, "migration applied");
        }
        Ok(())
    })
    .await
}

pub(crate) async fn down(
    db: &Db,
    part: &'static str,
    set: &'static [Migration],
    to: i64,
) -> Result<(), Error> {
    well_formed(set)?;
    let dialect = db.dialect();
    db.alone(async move |tx| {
        let applied = applied(tx, part, set).await?;
        for step in set
            .iter()
            .take(applied)
            .rev()
            .take_while(|step| step.version > to)
        {
            let Migration {
                version,
                name,
                up: _,
                down,
            } = step;
            tx.batch(&text(dialect, down)).await?;
            tx.execute(
                "DELETE FROM schema_migration WHERE part = $1 AND version = $2",
                &[&part, version],
            )
            .await?;
            tracing::info!(part, version, name, "migration taken back");
        }
        Ok(())
    })
    .await
}

/// How many steps of the set the store already has, after making sure that they are the same.
async fn applied(
    tx: &Tx<'_>,
    part: &'static str,
    set: &'static [Migration],
) -> Result<usize, Error> {
    tx.execute(TABLE, &[]).await?;
    let rows = tx
        .query(
            "SELECT version, checksum FROM schema_migration WHERE part = $1 ORDER BY version",
            &[&part],
        )
        .await?;
    let known = set.last().map_or(0, |step| step.version);
    for (n, row) in rows.iter().enumerate() {
        let found: i64 = row.get(0)?;
        let Some(step) = set.get(n) else {
            return Err(Error::NewerSchema { found, known });
        };
        if found > known {
            return Err(Error::NewerSchema { found, known });
        }
        if found != step.version || row.get::<String>(1)? != checksum(step) {
            return Err(Error::EditedMigration {
                version: step.version,
                name: step.name.to_owned(),
            });
        }
    }
    Ok(rows.len())
}

fn well_formed(set: &[Migration]) -> Result<(), Error> {
    let mut last = 0;
    for step in set {
        if step.version <= last {
            let what = format!(
                "{} ({}) does not come after {last}",
                step.version, step.name
            );
            return Err(Error::Migrations { what });
        }
        last = step.version;
    }
    Ok(())
}

/// Of what changes a schema: the text of `up`. Line ends do not count, so that a checkout on
/// another system is the same migration.
fn checksum(step: &Migration) -> String {
    let up = step.up.replace("\r\n", "\n");
    let digest = digest::digest(&digest::SHA256, up.trim().as_bytes());
    digest
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

fn text(dialect: Dialect, sql: &str) -> Sql {
    Sql::Shared(Arc::from(dialect.text(sql)))
}

fn now_ms() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
