//! The handle. The executable starts it, the notification door subscribes, the executable stops it.

use crate::catch_up::{self, Claim};
use crate::platform::Platforms;
use crate::recent::Recent;
use crate::{Encode, StreamSettings, SubscribeError, Subscription, follow};
use qm_model::id::PlatformId;
use qm_store::Store;
use std::sync::Arc;
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// From the outbox to connected platforms. Cheap to clone.
#[derive(Clone)]
pub struct Stream(Arc<Shared>);

/// What the handle, the follower and the subscriptions share.
pub(crate) struct Shared {
    pub(crate) store: Store,
    pub(crate) settings: StreamSettings,
    pub(crate) encode: Box<dyn Encode>,
    pub(crate) platforms: Platforms,
    pub(crate) recent: Recent,
    /// Subscriptions that are still held, and the follower.
    pub(crate) held: TaskTracker,
    stopped: CancellationToken,
}

impl Stream {
    /// Starts to follow the outbox. Needs a runtime; does not wait for the store.
    pub fn start(store: Store, settings: StreamSettings, encode: impl Encode) -> Self {
        let shared = Arc::new(Shared {
            platforms: Platforms::new(settings.queue),
            recent: Recent::new(),
            held: TaskTracker::new(),
            stopped: CancellationToken::new(),
            encode: Box::new(encode),
            store,
            settings,
        });
        let follower = Arc::clone(&shared);
        shared.held.spawn(async move {
            tokio::select! {
                () = follower.stopped.cancelled() => {}
                () = follow::run(&follower) => {}
            }
        });
        Self(shared)
    }

    /// Subscribes a platform. With the last revision it has it gets everything after that; without, everything from
    /// now on.
    ///
    /// # Errors
    /// [`SubscribeError::Gone`] when what follows the revision cannot be given, the others when it cannot be said now.
    pub async fn subscribe(
        &self,
        platform: PlatformId,
        last: Option<i64>,
    ) -> Result<Subscription, SubscribeError> {
        match tokio::time::timeout(self.0.settings.patience, self.begin(platform, last)).await {
            Ok(begun) => begun,
            Err(_elapsed) => Err(SubscribeError::Unavailable(None)),
        }
    }

    async fn begin(
        &self,
        platform: PlatformId,
        revision: Option<i64>,
    ) -> Result<Subscription, SubscribeError> {
        let shared = &self.0;
        tokio::select! {
            biased;
            () = shared.stopped.cancelled() => return Err(SubscribeError::Stopping),
            () = shared.platforms.ready() => {}
        }
        // First join, then look: what is committed in between waits in the queue.
        let joined = shared
            .platforms
            .join(&platform)
            .ok_or(SubscribeError::Stopping)?;
        let claim = Claim {
            platform: platform.clone(),
            revision,
            at: joined.at,
            at_most: shared.settings.queue,
        };
        let mut subscription = Subscription::new(shared, platform, joined);
        subscription.begin(catch_up::beginning(&shared.store, claim).await?);
        Ok(subscription)
    }

    /// How many subscriptions there are in this process.
    pub fn connected(&self) -> usize {
        self.0.platforms.count()
    }

    /// How many of them are this platform's.
    pub fn connected_as(&self, platform: &PlatformId) -> usize {
        self.0.platforms.count_of(platform)
    }

    /// Ends the subscriptions of a platform that was removed. Other processes find out by its next sign of life.
    pub fn cut(&self, platform: &PlatformId) {
        self.0.platforms.cut(platform);
    }

    /// Ends all subscriptions and the following, and waits until their holders have let go, but not longer than
    /// this.
    pub async fn stop(&self, at_most: Duration) {
        self.0.stopped.cancel();
        self.0.platforms.stop();
        self.0.held.close();
        if tokio::time::timeout(at_most, self.0.held.wait())
            .await
            .is_err()
        {
            tracing::warn!("some notification connections did not end in time");
        }
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("connected", &self.connected())
            .finish_non_exhaustive()
    }
}
