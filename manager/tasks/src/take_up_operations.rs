//! Goes on with deeds whose process died: their lease has run out.
//!
//! The rule: one at a time is claimed, when there is somebody to work on it, so that a broker that hangs keeps
//! nobody else waiting and no claimed one lies about until its lease is over.

use crate::tasks::Kit;
use qm_model::{Chain, Error, Kind};
use qm_store::operation::Taken;
use std::time::Duration;
use tokio::task::JoinSet;

const AT_ONCE: usize = 64;
/// Nobody takes a lease for longer than this, nor for more than ten times our own, whatever the other replicas' settings.
const LONGEST: Duration = Duration::from_secs(15 * 60);

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    let lease = kit.settings.lease;
    kit.deeds.set_lease_clock().await?;
    let now = kit.deeds.lease_now();
    let beyond = now.plus(LONGEST.max(lease * 10));
    let void = qm_store::operation::void(&kit.store, now, beyond).await?;
    if void > 0 {
        tracing::warn!(
            void,
            "operations were held until a time that is far ahead: the clock was set back; they are taken up"
        );
    }
    let mut working = JoinSet::new();
    while !kit.stop.is_cancelled() {
        if working.len() >= AT_ONCE {
            working.join_next().await;
        }
        let now = kit.deeds.lease_now();
        // Whoever goes on may call a broker twice.
        let until = now.plus(lease.max(kit.deeds.two_calls()));
        let taken =
            qm_store::operation::claim(&kit.store, &kit.settings.replica, now, until, 1).await?;
        let Some(taken) = taken.into_iter().next() else {
            break;
        };
        working.spawn(go_on(kit.clone(), taken));
    }
    working.join_all().await;
    Ok(())
}

async fn go_on(kit: Kit, taken: Taken) {
    let id = taken.operation.id.clone();
    tracing::debug!(operation = %id, resource = %taken.operation.resource_id, "taking up an operation");
    let outcome = match taken.operation.resource_kind {
        Kind::Broker => qm_lifecycle::broker::resume(&kit.deeds, taken).await,
        Kind::Instance | Kind::Binding => qm_lifecycle::resume(&kit.deeds, taken).await,
        other => Err(Error::invalid(format!(
            "no task knows how to go on with a {other}"
        ))),
    };
    if let Err(error) = outcome {
        tracing::warn!(operation = %id, error = %Chain(&error), "the operation that was taken up failed");
    }
}
