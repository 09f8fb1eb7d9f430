//! Removes records of operations that ended long ago, never the last one of a living resource.

use crate::tasks::Kit;
use qm_model::Error;

const AT_ONCE: u32 = 1_000;

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    let before = kit.deeds.now().minus(kit.settings.keep_operations);
    loop {
        let removed = qm_store::operation::expire(&kit.store, before, AT_ONCE).await?;
        if removed < u64::from(AT_ONCE) || kit.stop.is_cancelled() {
            return Ok(());
        }
    }
}
