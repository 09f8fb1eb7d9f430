//! Claims one particular operation, when a caller comes back to it before a worker does.

use crate::operation::Taken;
use crate::{Error, Store};
use qm_model::Time;
use qm_model::id::OperationId;

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
    let _ = (store, id, fence, owner, now, until);
    Err(super::not_yet())
}
