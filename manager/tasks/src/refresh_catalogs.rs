//! Looks at every broker's catalog from time to time. Replicas share the brokers: whoever moves a broker's due
//! time forward looks at it.

use crate::tasks::Kit;
use qm_lifecycle::broker::refresh_catalog;
use qm_model::id::BrokerId;
use qm_model::{Chain, Error};
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;
use tokio::task::JoinSet;

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    let interval = kit.settings.catalog_interval;
    let mut looks = JoinSet::new();
    while !kit.stop.is_cancelled() {
        if looks.len() >= kit.settings.catalogs_at_once.max(1) {
            looks.join_next().await;
        }
        let now = kit.deeds.lease_now();
        // Each by itself: brokers registered together shall not be asked together for ever.
        let next = now.plus(interval + jitter(interval));
        let due = qm_store::broker::claim_due(&kit.store, now, next, 1).await?;
        let Some(id) = due.into_iter().next() else {
            break;
        };
        looks.spawn(look(kit.clone(), id));
    }
    looks.join_all().await;
    Ok(())
}

async fn look(kit: Kit, id: BrokerId) {
    match refresh_catalog(&kit.deeds, &id).await {
        Ok(found) => tracing::debug!(broker = %id, ?found, "looked at the catalog"),
        Err(error) => {
            tracing::warn!(broker = %id, error = %Chain(&error), "the catalog could not be looked at");
        }
    }
}

/// Up to a tenth of the interval.
fn jitter(interval: Duration) -> Duration {
    let tenth = u64::try_from(interval.as_millis() / 10)
        .unwrap_or(u64::MAX)
        .max(1);
    Duration::from_millis(RandomState::new().hash_one(0) % tenth)
}
