//! Removes refresh tokens that are no longer valid, and signing keys that verify nothing any more.

use crate::tasks::Kit;
use qm_model::Error;

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    qm_lifecycle::identity::tidy(&kit.deeds).await
}
