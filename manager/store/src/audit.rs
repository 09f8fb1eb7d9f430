//! The audit log: who did what, from where, with which outcome. Deeds append; people read.
//!
//! The rule: rows are only ever added, and the database itself refuses to change or remove one. Only what is older than
//! the operator keeps it can go, and only through [`expire`].

use crate::cells::Cells;
use crate::sql::Binds;
use crate::{Error, Tx};
use qm_db::Dialect;
use qm_model::audit::{Entry, Outcome, Record};
use qm_model::{Kind, Time};
use std::sync::Arc;

/// Which records are wanted; what is not named does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// About this kind of thing.
    pub kind: Option<Kind>,
    /// About this one.
    pub object_id: Option<String>,
    /// By this caller, by its own id.
    pub actor_id: Option<String>,
    /// Of this call.
    pub correlation_id: Option<String>,
    /// Not before.
    pub from: Option<Time>,
    /// Before.
    pub until: Option<Time>,
}

/// Adds a record.
///
/// # Errors
/// The database's.
pub async fn append(tx: &Tx<'_>, entry: &Entry) -> Result<(), Error> {
    let Entry {
        at,
        actor_kind,
        actor_id,
        actor_name,
        action,
        kind,
        object_id,
        remote,
        correlation_id,
        outcome,
        detail,
    } = entry;
    tx.execute(
        "INSERT INTO audit (at, actor_kind, actor_id, actor_name, action, resource_type, resource_id, remote,
            correlation_id, outcome, detail)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
        &[
            &at.millis(),
            actor_kind,
            actor_id,
            actor_name,
            action,
            &kind.map_or("", Kind::path),
            object_id,
            remote,
            correlation_id,
            &outcome.word(),
            detail,
        ],
    )
    .await?;
    tx.touches().at(*at);
    Ok(())
}

/// Up to `limit` records, newest first; with `before`, only older ones than the one at that place.
///
/// # Errors
/// The database's.
pub async fn list(
    tx: &Tx<'_>,
    filter: &Filter,
    before: Option<i64>,
    limit: u32,
) -> Result<Vec<Record>, Error> {
    let Filter {
        kind,
        object_id,
        actor_id,
        correlation_id,
        from,
        until,
    } = filter;
    let mut binds = Binds::new(tx.dialect());
    let before = binds.bind(before.unwrap_or(i64::MAX));
    let mut conditions = vec![format!("seq < {before}")];
    let mut oldest = String::new();
    if let Some(kind) = kind {
        conditions.push(format!("resource_type = {}", binds.bind(kind.path())));
    }
    if let Some(id) = object_id {
        conditions.push(format!("resource_id = {}", binds.bind(id)));
    }
    if let Some(id) = actor_id {
        conditions.push(format!("actor_id = {}", binds.bind(id)));
    }
    if let Some(id) = correlation_id {
        conditions.push(format!("correlation_id = {}", binds.bind(id)));
    }
    if let Some(from) = from {
        let from = format!("at >= {}", binds.bind(from.millis()));
        oldest = format!("WHERE {from}");
        conditions.push(from);
    }
    if let Some(until) = until {
        conditions.push(format!("at < {}", binds.bind(until.millis())));
    }
    let by_id = object_id.is_some() || correlation_id.is_some();
    let (bundles, among) = match tx.dialect() {
        // There the indexes of ids are kept in bundles of 256 records: each is looked into, the newest first.
        Dialect::Sqlite if by_id => (
            format!(
                "WITH RECURSIVE bundle (n) AS (SELECT min(max(seq), {before}) >> 8 FROM audit
                 UNION ALL SELECT n - 1 FROM bundle WHERE n > (SELECT min(seq) >> 8 FROM audit {oldest})) "
            ),
            "bundle CROSS JOIN audit ON audit.seq >> 8 = bundle.n",
        ),
        _ => (String::new(), "audit"),
    };
    let text = format!(
        "{bundles}SELECT seq, at, actor_kind, actor_id, actor_name, action, resource_type, resource_id, remote,
                correlation_id, outcome, detail
         FROM {among} WHERE {} ORDER BY seq DESC LIMIT {}",
        conditions.join(" AND "),
        binds.bind(limit),
    );
    let rows = tx.query(Arc::<str>::from(text), &binds.params()).await?;
    rows.into_iter()
        .map(|row| read(&mut Cells::new("audit", row)))
        .collect()
}

/// Removes records from before `before`, the oldest first, so many at most, and says how many. The database lets go of
/// them because this transaction says so, and of no younger one.
///
/// # Errors
/// The database's.
pub async fn expire(tx: &Tx<'_>, before: Time, limit: u32) -> Result<u64, Error> {
    let removable = async |before: i64| {
        tx.execute(
            "UPDATE audit_retention SET removable_before = $1 WHERE id = 1",
            &[&before],
        )
        .await
    };
    removable(before.millis()).await?;
    let gone = tx
        .execute(
            "DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE at < $1 ORDER BY at LIMIT $2)",
            &[&before.millis(), &limit],
        )
        .await?;
    removable(0).await?;
    Ok(gone)
}

/// When the last of those records was written that are beyond the newest `at_most`; nothing when there are not so many.
///
/// # Errors
/// The database's.
pub async fn beyond(tx: &Tx<'_>, at_most: u64) -> Result<Option<Time>, Error> {
    let row = tx
        .query_opt(
            "SELECT at FROM audit ORDER BY at DESC LIMIT 1 OFFSET $1",
            &[&i64::try_from(at_most).unwrap_or(i64::MAX)],
        )
        .await?;
    row.map(|row| Ok(Time(row.get(0)?))).transpose()
}

fn read(cells: &mut Cells) -> Result<Record, Error> {
    Ok(Record {
        seq: cells.take("seq")?,
        at: cells.time("at")?,
        actor_kind: cells.text("actor_kind")?,
        actor_id: cells.text("actor_id")?,
        actor_name: cells.text("actor_name")?,
        action: cells.text("action")?,
        resource_type: cells.text("resource_type")?,
        object_id: cells.text("resource_id")?,
        remote: cells.text("remote")?,
        correlation_id: cells.text("correlation_id")?,
        outcome: cells.word("outcome", Outcome::from_word)?,
        detail: cells.text("detail")?,
    })
}
