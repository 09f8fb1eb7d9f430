//! One connection's share of the stream. Doors hold it for as long as they are connected.
//!
//! The rule: what it hands out goes strictly upwards and leaves out nothing that is for its platform. First what was
//! missed, from the store; then what waits in the queue, which begins where the missed part ends.

use crate::catch_up::Beginning;
use crate::end::{End, Fate};
use crate::platform::Joined;
use crate::stream::Shared;
use crate::{Message, meter};
use qm_model::Chain;
use qm_model::id::PlatformId;
use std::collections::VecDeque;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio_util::task::task_tracker::TaskTrackerToken;

/// How many missed messages are fetched at a time.
const FETCH: usize = 8;
/// How long to wait before asking a store again that did not answer.
const AGAIN: Duration = Duration::from_millis(250);

/// A platform's place in the stream. Dropping it leaves.
pub struct Subscription {
    shared: Arc<Shared>,
    platform: PlatformId,
    id: u64,
    fate: Arc<Fate>,
    queue: mpsc::Receiver<Arc<Message>>,
    /// Not fetched yet.
    missed: VecDeque<i64>,
    /// Fetched, not handed out yet.
    fetched: VecDeque<Arc<Message>>,
    /// The platform has everything up to here.
    has: i64,
    last: Option<i64>,
    _held: TaskTrackerToken,
}

impl Subscription {
    pub(crate) fn new(shared: &Arc<Shared>, platform: PlatformId, joined: Joined) -> Self {
        let Joined {
            id,
            at: _,
            queue,
            fate,
        } = joined;
        Self {
            shared: Arc::clone(shared),
            platform,
            id,
            fate,
            queue,
            missed: VecDeque::new(),
            fetched: VecDeque::new(),
            has: 0,
            last: None,
            _held: shared.held.token(),
        }
    }

    pub(crate) fn begin(&mut self, beginning: Beginning) {
        let Beginning { last, missed, has } = beginning;
        self.last = last;
        self.missed = missed;
        self.has = has;
    }

    /// The last revision there was when it began; `None` when nothing had ever been told. Whoever reads everything
    /// after subscribing has all up to here.
    pub fn revision(&self) -> Option<i64> {
        self.last
    }

    /// The next message; `None` when the subscription is over. Waits without end otherwise.
    ///
    /// May be dropped and called again at any time: no message is lost by that.
    pub async fn next(&mut self) -> Option<Arc<Message>> {
        loop {
            if self.fate.reason().is_some() {
                return None;
            }
            let message = if let Some(message) = self.fetched.pop_front() {
                message
            } else if self.missed.is_empty() {
                tokio::select! {
                    biased;
                    () = self.fate.over() => return None,
                    message = self.queue.recv() => message?,
                }
            } else {
                tokio::select! {
                    biased;
                    () = self.fate.over() => return None,
                    () = fetch(&self.shared, &self.fate, &mut self.missed, &mut self.fetched) => continue,
                }
            };
            if message.revision() > self.has {
                self.has = message.revision();
                meter::delivered();
                return Some(message);
            }
        }
    }

    /// Why it is over, if it is.
    pub fn end(&self) -> Option<End> {
        self.fate.reason()
    }

    /// Done as soon as it is over: for a door that is in the middle of sending.
    pub fn over(&self) -> impl Future<Output = ()> + Send + 'static {
        self.fate.over()
    }

    /// Leaves the stream but is still waited for by [`Stream::stop`](crate::Stream::stop) until dropped. True when the
    /// platform has no other connection to this process.
    pub fn leave(&mut self) -> bool {
        self.shared.platforms.leave(&self.platform, self.id);
        self.shared.platforms.count_of(&self.platform) == 0
    }
}

/// Fetches some of what was missed. Takes it off the list only when it is there, so it may be dropped.
async fn fetch(
    shared: &Shared,
    fate: &Fate,
    missed: &mut VecDeque<i64>,
    fetched: &mut VecDeque<Arc<Message>>,
) {
    let wanted: Vec<i64> = missed.iter().copied().take(FETCH).collect();
    match shared
        .recent
        .get(&shared.store, &*shared.encode, &wanted)
        .await
    {
        Ok(Some(messages)) => {
            missed.drain(..wanted.len());
            fetched.extend(messages);
        }
        Ok(None) => {
            fate.seal(End::Behind);
            meter::cut(End::Behind);
        }
        Err(error) => {
            // The platform stays: nothing is lost, it only waits.
            tracing::debug!(error = %Chain(&error), "missed events cannot be read; it is tried again");
            tokio::time::sleep(AGAIN).await;
        }
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.shared.platforms.leave(&self.platform, self.id);
    }
}

impl std::fmt::Debug for Subscription {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subscription")
            .field("platform", &self.platform)
            .field("has", &self.has)
            .field("missed", &self.missed.len())
            .field("end", &self.end())
            .finish_non_exhaustive()
    }
}
