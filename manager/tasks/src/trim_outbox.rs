//! Removes events that are older than they are kept, or that are too many. At start, and then steadily.

use crate::tasks::Kit;
use qm_model::Error;
use qm_store::outbox::{Trimmed, trim};
use std::time::Duration;

/// Others get their turn between two steps.
const PAUSE: Duration = Duration::from_millis(10);

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    let before = kit.deeds.now().minus(kit.settings.keep_events);
    let mut all = 0;
    while !kit.stop.is_cancelled() {
        let Trimmed { removed, more } =
            trim(&kit.store, before, kit.settings.events_at_most).await?;
        all += removed;
        if !more {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    if all > 0 {
        tracing::info!(removed = all, "old events were removed");
    }
    Ok(())
}
