//! Forgets platforms that were connected to a process that died: nobody said that they left.

use crate::tasks::Kit;
use qm_model::Error;
use std::time::Duration;

/// An agent that is there is noted at least every 30 seconds and a ping.
const SILENCE: Duration = Duration::from_secs(180);

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    let before = kit.deeds.now().minus(SILENCE);
    let gone = qm_store::platform::expire_active(&kit.store, before).await?;
    if gone > 0 {
        tracing::info!(gone, "platforms that were connected are no longer heard of");
    }
    Ok(())
}
