//! Stores an outcome.

use super::Settlement;
use crate::{Error, Store};
use qm_model::operation::Operation;
use qm_policy::{Door, Permit};

/// Stores what came of it, and gives the operation as it is then.
///
/// # Errors
/// [`Error::Fenced`] when the lease is lost: then nothing is written.
pub async fn settle(
    store: &Store,
    _permit: &Permit<Door>,
    settlement: Settlement,
) -> Result<Operation, Error> {
    let _ = (store, settlement);
    Err(super::not_yet())
}
