//! Removes audit records that are older than the operator keeps them, or more than it keeps. Nothing is removed when
//! neither is said. At start, and then steadily.

use crate::tasks::Kit;
use qm_model::Error;
use std::time::Duration;

/// Others get their turn between two steps.
const PAUSE: Duration = Duration::from_millis(10);

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    let (keep, at_most) = (kit.settings.keep_audit, kit.settings.audit_at_most);
    let mut all = 0;
    while !kit.stop.is_cancelled() {
        let (removed, more) = qm_lifecycle::audit::expire(&kit.deeds, keep, at_most).await?;
        all += removed;
        if !more {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    if all > 0 {
        tracing::info!(removed = all, "old audit records were removed");
    }
    Ok(())
}
