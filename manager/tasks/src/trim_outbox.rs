//! Removes events that are older than they are kept. At start, and then steadily.

use crate::tasks::Kit;
use qm_model::Error;

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    let before = kit.deeds.now().minus(kit.settings.keep_events);
    let removed = qm_store::outbox::trim(&kit.store, before).await?;
    if removed > 0 {
        tracing::info!(removed, "old events were removed");
    }
    Ok(())
}
