//! Keeps what this process remembers of the registry as fresh as the outbox: what other replicas change is forgotten
//! here within one turn.
//!
//! The rule: if the outbox cannot be read for so long that somebody may rely on a password having been changed, nothing
//! that is remembered counts any more.

use crate::tasks::Kit;
use qm_lifecycle::views;
use qm_model::{Chain, Error};
use std::time::{Duration, Instant};

/// How long what is remembered may be relied on without news.
const TRUSTED: Duration = Duration::from_secs(30);
/// A turn that lasts longer has failed.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) async fn run(kit: Kit) {
    let mut good = Instant::now();
    let mut failing = false;
    loop {
        match turn(&kit).await {
            Ok(()) => {
                if failing {
                    tracing::info!("changes of the registry are followed again");
                }
                (good, failing) = (Instant::now(), false);
            }
            Err(error) => {
                if good.elapsed() > TRUSTED {
                    views::forget_all(&kit.deeds);
                }
                if !failing && good.elapsed() > PATIENCE {
                    failing = true;
                    tracing::warn!(error = %Chain(&error), "changes of the registry cannot be followed; it is tried again and again");
                }
            }
        }
        metrics::gauge!("qm_registry_behind_seconds").set(good.elapsed().as_secs_f64());
        tokio::select! {
            () = kit.stop.cancelled() => return,
            () = tokio::time::sleep(kit.settings.follow_every) => {}
        }
    }
}

async fn turn(kit: &Kit) -> Result<(), Error> {
    match tokio::time::timeout(PATIENCE, views::follow(&kit.deeds)).await {
        Ok(followed) => followed,
        Err(elapsed) => Err(Error::unavailable("the store does not answer", elapsed)),
    }
}
