//! Goes on with deeds whose process died: their lease has run out.

use crate::tasks::Kit;
use qm_model::{Chain, Error, Kind};

const AT_ONCE: u32 = 16;

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    loop {
        let now = kit.deeds.now();
        let until = now.plus(kit.settings.lease);
        let taken =
            qm_store::operation::claim(&kit.store, &kit.settings.replica, now, until, AT_ONCE)
                .await?;
        if taken.is_empty() || kit.stop.is_cancelled() {
            return Ok(());
        }
        for taken in taken {
            let id = taken.operation.id.clone();
            tracing::info!(operation = %id, resource = %taken.operation.resource_id, "taking up an operation that was left behind");
            let outcome = match taken.operation.resource_kind {
                Kind::Broker => qm_lifecycle::broker::resume(&kit.deeds, taken).await,
                // Only deeds about brokers outlive a request so far.
                other => Err(Error::invalid(format!(
                    "no task knows how to go on with a {other}"
                ))),
            };
            if let Err(error) = outcome {
                tracing::warn!(operation = %id, error = %Chain(&error), "the operation that was taken up failed");
            }
        }
    }
}
