//! Removes records of operations that ended long ago, or of which there are too many: never the last one of a living
//! resource, and nothing of a cascade that goes on. At start, and then steadily.
//!
//! The rule: a little at a time, so that whoever writes meanwhile hardly waits, and no more in one turn than anybody
//! can have wanted to lose at once.

use crate::tasks::Kit;
use qm_model::Error;
use qm_store::operation::{Expired, ExpiryPlace, Keep, expire};
use std::time::Duration;

/// No more are removed in one turn.
const MOST: u64 = 250_000;
/// Others get their turn between two steps.
const PAUSE: Duration = Duration::from_millis(10);

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    let now = kit.deeds.now();
    let settings = &kit.settings;
    let keep = Keep {
        before: now.minus(settings.keep_operations),
        gone_before: now.minus(settings.keep_operations_of_gone),
        at_most: settings.operations_at_most,
    };
    let mut all = 0;
    let mut from = Some(ExpiryPlace::START);
    while let Some(place) = from.filter(|_| all < MOST && !kit.stop.is_cancelled()) {
        let Expired { removed, next } = expire(&kit.store, keep, place).await?;
        all += removed;
        from = next;
        if removed > 0 {
            tokio::time::sleep(PAUSE).await;
        }
    }
    if all > 0 {
        tracing::info!(removed = all, "old records of operations were removed");
    }
    Ok(())
}
