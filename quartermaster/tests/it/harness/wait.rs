//! Waiting for what comes by itself. The limit is for hung managers on slow machines, not a promise.

use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(180);
const STEP: Duration = Duration::from_millis(50);

/// Asks again until there is something; fails with `what` after three minutes.
pub(crate) async fn eventually<T>(what: &str, ask: impl AsyncFnMut() -> Option<T>) -> T {
    within(PATIENCE, what, ask).await
}

/// The same with another limit, for what takes its time by design.
pub(crate) async fn within<T>(
    limit: Duration,
    what: &str,
    mut ask: impl AsyncFnMut() -> Option<T>,
) -> T {
    let asking = async {
        loop {
            if let Some(found) = ask().await {
                return found;
            }
            tokio::time::sleep(STEP).await;
        }
    };
    match tokio::time::timeout(limit, asking).await {
        Ok(found) => found,
        Err(_) => panic!("still not: {what}"),
    }
}
