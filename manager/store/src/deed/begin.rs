//! Stores an intent.

use super::{Begun, Intent};
use crate::{Error, Store};
use qm_policy::{Door, Permit};

/// Stores what is going to be done, if nothing is in the way. Nothing is written unless it may begin.
///
/// # Errors
/// The database's; a foreign key when there is no such plan or platform.
pub async fn begin(store: &Store, _permit: &Permit<Door>, intent: Intent) -> Result<Begun, Error> {
    let _ = (store, intent);
    Err(super::not_yet())
}
