//! Removes operations that ended long ago. A task calls it now and then.
//!
//! The rule: the last operation of a resource that is still there stays, because clients are shown it. What
//! may go is looked for outside of any writing transaction and looked at again inside the one that removes it.

use crate::{Error, Store, Tx};
use qm_db::Dialect;
use qm_model::{Kind, Time};
use std::fmt::Write as _;
use std::sync::Arc;

/// Rows that are looked at in one go.
const STEP: i64 = 1_000;

/// Kinds whose rows an operation can be about.
const LIVING: [Kind; 7] = [
    Kind::Broker,
    Kind::Platform,
    Kind::Visibility,
    Kind::Offering,
    Kind::Plan,
    Kind::Instance,
    Kind::Binding,
];

/// Removes up to `limit` operations that ended before `before`, and says how many it removed.
///
/// # Errors
/// The database's.
pub async fn expire(store: &Store, before: Time, limit: u32) -> Result<u64, Error> {
    let mut removed = 0;
    let mut from = (i64::MIN, i64::MIN);
    while removed < u64::from(limit) {
        let seen = store
            .read(async move |tx: &Tx<'_>| look(tx, before, from).await)
            .await?;
        let Some(last) = seen.last else { break };
        let left = usize::try_from(u64::from(limit) - removed).unwrap_or(usize::MAX);
        let mut gone = seen.gone;
        gone.truncate(left);
        if !gone.is_empty() {
            removed += store
                .keep_house(async move |tx: &Tx<'_>| remove(tx, &gone).await)
                .await?;
        }
        from = last;
    }
    Ok(removed)
}

/// One step: where it ended, and what may go.
struct Seen {
    last: Option<(i64, i64)>,
    gone: Vec<i64>,
}

async fn look(tx: &Tx<'_>, before: Time, from: (i64, i64)) -> Result<Seen, Error> {
    let text = format!(
        "SELECT t.updated_at, t.seq, {} FROM operation t
         WHERE t.phase = 'done' AND t.updated_at < $1 AND (t.updated_at, t.seq) > ($2, $3)
         ORDER BY t.updated_at, t.seq LIMIT $4",
        stays()
    );
    let rows = tx
        .query(
            Arc::<str>::from(text),
            &[&before.millis(), &from.0, &from.1, &STEP],
        )
        .await?;
    let mut seen = Seen {
        last: None,
        gone: Vec::new(),
    };
    for row in rows {
        let (updated_at, seq): (i64, i64) = (row.get(0)?, row.get(1)?);
        seen.last = Some((updated_at, seq));
        if !row.get::<bool>(2)? {
            seen.gone.push(seq);
        }
    }
    Ok(seen)
}

async fn remove(tx: &Tx<'_>, seqs: &[i64]) -> Result<u64, Error> {
    let list = serde_json::Value::from(seqs).to_string();
    let among = match tx.dialect() {
        Dialect::Sqlite => "SELECT e.value FROM json_each($1) e",
        Dialect::Postgres => "SELECT e::bigint FROM jsonb_array_elements_text($1::jsonb) e",
    };
    let text = format!(
        "DELETE FROM operation WHERE seq IN (SELECT t.seq FROM operation t WHERE t.seq IN ({among}) AND NOT {})",
        stays()
    );
    tx.execute(Arc::<str>::from(text), &[&list]).await
}

/// Whether `t` is the last operation of a resource that is still there.
fn stays() -> String {
    let mut there = String::new();
    for (n, kind) in LIVING.into_iter().enumerate() {
        let or = if n == 0 { "" } else { " OR " };
        let _ = write!(
            there,
            "{or}(t.resource_type = '{}' AND EXISTS (SELECT 1 FROM {} r WHERE r.id = t.resource_id))",
            kind.path(),
            kind.noun(),
        );
    }
    format!(
        "(({there}) AND NOT EXISTS (SELECT 1 FROM operation n WHERE {} = t.resource_type \
         AND n.resource_id = t.resource_id AND n.seq > t.seq))",
        super::of_kind("n")
    )
}
