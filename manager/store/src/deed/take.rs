//! Claims one particular operation, when a caller comes back to it before a worker does.
//!
//! The rule: the caller names the fence of the facts on which it decided; whoever claimed the operation since has
//! raised it.

use crate::operation::{TAKEN, Taken};
use crate::{Error, Store};
use qm_model::Time;
use qm_model::id::OperationId;
use std::sync::{Arc, LazyLock};

static TAKE: LazyLock<Arc<str>> = LazyLock::new(|| {
    Arc::from(format!(
        "UPDATE operation SET lease_owner = $3, lease_until = $4, fence = fence + 1
         WHERE id = $1 AND fence = $2 AND phase <> 'done'
           AND (lease_owner IS NULL OR lease_until IS NULL OR lease_until <= $5)
         RETURNING {}",
        TAKEN.join(", ")
    ))
});

/// Claims an operation that has not ended and that nobody works on, if its fence is still this one.
///
/// # Errors
/// The database's, or the keys do not fit.
pub async fn take(
    store: &Store,
    id: &OperationId,
    fence: i64,
    owner: &str,
    now: Time,
    until: Time,
) -> Result<Option<Taken>, Error> {
    let values = vec![
        id.as_str().into(),
        fence.into(),
        owner.into(),
        until.millis().into(),
        now.millis().into(),
    ];
    let rows = store.db.write_returning(Arc::clone(&TAKE), values).await?;
    rows.into_iter()
        .next()
        .map(|row| Taken::read(&store.keys(), row, fence + 1, owner.to_owned()))
        .transpose()
}
