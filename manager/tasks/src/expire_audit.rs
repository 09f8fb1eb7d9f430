//! Removes audit records that are older than the operator keeps them. Nothing is removed when that is not said.

use crate::tasks::Kit;
use qm_model::Error;

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    let Some(keep) = kit.settings.keep_audit else {
        return Ok(());
    };
    let removed = qm_lifecycle::audit::expire(&kit.deeds, kit.deeds.now().minus(keep)).await?;
    if removed > 0 {
        tracing::info!(removed, "old audit records were removed");
    }
    Ok(())
}
