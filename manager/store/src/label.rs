//! The label table: what label queries go through. Every table that has labels writes them here as well.
//!
//! The rule: the rows here and the `labels` column say the same, because both are written by one transaction.
//! They go with their object by a trigger.

use crate::{Error, Tx};
use qm_model::{Kind, Labels};
use std::collections::BTreeSet;

/// Stores the labels of an object that has none yet.
pub(crate) async fn insert(
    tx: &Tx<'_>,
    kind: Kind,
    seq: i64,
    id: &str,
    labels: &Labels,
) -> Result<(), Error> {
    for (key, value) in labels.pairs() {
        add(tx, kind, seq, id, key, value).await?;
    }
    Ok(())
}

/// Brings what is stored to `labels`.
pub(crate) async fn update(
    tx: &Tx<'_>,
    kind: Kind,
    seq: i64,
    id: &str,
    labels: &Labels,
) -> Result<(), Error> {
    let rows = tx
        .query(
            "SELECT key, value FROM label WHERE kind = $1 AND object_id = $2",
            &[&kind.noun(), &id],
        )
        .await?;
    let mut stored: BTreeSet<(String, String)> = BTreeSet::new();
    for row in rows {
        stored.insert((row.get(0)?, row.get(1)?));
    }
    for (key, value) in labels.pairs() {
        if !stored.remove(&(key.to_owned(), value.to_owned())) {
            add(tx, kind, seq, id, key, value).await?;
        }
    }
    for (key, value) in &stored {
        tx.execute(
            "DELETE FROM label WHERE kind = $1 AND key = $2 AND value = $3 AND seq = $4",
            &[&kind.noun(), key, value, &seq],
        )
        .await?;
    }
    Ok(())
}

async fn add(
    tx: &Tx<'_>,
    kind: Kind,
    seq: i64,
    id: &str,
    key: &str,
    value: &str,
) -> Result<(), Error> {
    tx.execute(
        "INSERT INTO label (kind, key, value, seq, object_id) VALUES ($1, $2, $3, $4, $5)",
        &[&kind.noun(), &key, &value, &seq, &id],
    )
    .await
    .map(drop)
}
