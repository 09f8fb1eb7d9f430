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
    let at_once = kit.settings.catalogs_at_once.max(1);
    loop {
        let now = kit.deeds.now();
        let next = now.plus(kit.settings.catalog_interval + jitter(kit.settings.catalog_interval));
        let due = qm_store::broker::claim_due(
            &kit.store,
            now,
            next,
            u32::try_from(at_once).unwrap_or(16),
        )
        .await?;
        if due.is_empty() || kit.stop.is_cancelled() {
            return Ok(());
        }
        let mut looks = JoinSet::new();
        for id in due {
            looks.spawn(look(kit.clone(), id));
        }
        looks.join_all().await;
    }
}

async fn look(kit: Kit, id: BrokerId) {
    match refresh_catalog(&kit.deeds, &id).await {
        Ok(found) => tracing::debug!(broker = %id, ?found, "looked at the catalog"),
        Err(error) => {
            tracing::warn!(broker = %id, error = %Chain(&error), "the catalog could not be looked at");
        }
    }
}

/// Up to a tenth of the interval, so that brokers registered together are not asked together for ever.
fn jitter(interval: Duration) -> Duration {
    let tenth = u64::try_from(interval.as_millis() / 10)
        .unwrap_or(u64::MAX)
        .max(1);
    Duration::from_millis(RandomState::new().hash_one(0) % tenth)
}
