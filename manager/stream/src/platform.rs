//! The connected platforms, and the revision up to which they have been told. The follower tells them.
//!
//! The rule: both stand under one lock. Whoever joins learns the revision at which it joined and is offered
//! everything after it; so nothing falls between its catching up and its live messages, and nothing comes twice.
//! Nothing is awaited here: a full queue ends that one subscription and the next one's turn comes.

use crate::end::{End, Fate};
use crate::{Message, meter};
use qm_model::event::{Audience, Event};
use qm_model::id::PlatformId;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{mpsc, watch};

/// Everybody who is connected to this process.
#[derive(Debug)]
pub(crate) struct Platforms {
    inner: Mutex<Inner>,
    /// Turns true when the place in the outbox is known: before that nobody can join.
    ready: watch::Sender<bool>,
    queue: usize,
}

#[derive(Debug, Default)]
struct Inner {
    /// Everything up to here has been offered.
    told: i64,
    members: HashMap<PlatformId, Vec<Member>>,
    count: usize,
    next_id: u64,
    stopped: bool,
}

#[derive(Debug)]
struct Member {
    id: u64,
    queue: mpsc::Sender<Arc<Message>>,
    fate: Arc<Fate>,
}

/// What whoever joined holds.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) id: u64,
    /// Everything after this revision comes through the queue.
    pub(crate) at: i64,
    pub(crate) queue: mpsc::Receiver<Arc<Message>>,
    pub(crate) fate: Arc<Fate>,
}

impl Platforms {
    pub(crate) fn new(queue: usize) -> Self {
        Self {
            inner: Mutex::default(),
            ready: watch::Sender::new(false),
            queue: queue.max(1),
        }
    }

    /// Waits until the place in the outbox is known.
    pub(crate) async fn ready(&self) {
        // The sender lives in `self`, so this ends only by the value.
        let _ = self.ready.subscribe().wait_for(|ready| *ready).await;
    }

    pub(crate) fn is_ready(&self) -> bool {
        *self.ready.borrow()
    }

    /// Goes on after this revision, whatever was told before: for the start, and when the numbers have
    /// jumped. Nobody may be left who relies on the old place.
    pub(crate) fn begin(&self, last: i64) {
        let mut inner = self.lock();
        cut_all(&mut inner, End::Behind);
        inner.told = last;
        meter::revision(last);
        drop(inner);
        self.ready.send_replace(true);
    }

    /// Takes everything up to here as told, if there is nobody to tell.
    pub(crate) fn skip(&self, last: i64) -> bool {
        let mut inner = self.lock();
        if inner.count > 0 {
            return false;
        }
        inner.told = inner.told.max(last);
        meter::revision(inner.told);
        true
    }

    /// Everything up to here has been offered.
    pub(crate) fn told(&self) -> i64 {
        self.lock().told
    }

    /// Joins; `None` when the stream is stopped.
    pub(crate) fn join(&self, platform: &PlatformId) -> Option<Joined> {
        let (sender, queue) = mpsc::channel(self.queue);
        let fate = Arc::new(Fate::default());
        let mut inner = self.lock();
        if inner.stopped {
            return None;
        }
        let id = inner.next_id;
        inner.next_id += 1;
        inner.count += 1;
        meter::connected(inner.count);
        let at = inner.told;
        inner
            .members
            .entry(platform.clone())
            .or_default()
            .push(Member {
                id,
                queue: sender,
                fate: Arc::clone(&fate),
            });
        Some(Joined {
            id,
            at,
            queue,
            fate,
        })
    }

    /// Leaves, if it has not been cut already.
    pub(crate) fn leave(&self, platform: &PlatformId, id: u64) {
        let mut inner = self.lock();
        let Some(members) = inner.members.get_mut(platform) else {
            return;
        };
        let before = members.len();
        members.retain(|member| member.id != id);
        let gone = before - members.len();
        if members.is_empty() {
            inner.members.remove(platform);
        }
        inner.count -= gone;
        meter::connected(inner.count);
    }

    /// How many subscriptions there are.
    pub(crate) fn count(&self) -> usize {
        self.lock().count
    }

    /// How many of them are this platform's.
    pub(crate) fn count_of(&self, platform: &PlatformId) -> usize {
        self.lock().members.get(platform).map_or(0, Vec::len)
    }

    /// Ends all of one platform.
    pub(crate) fn cut(&self, platform: &PlatformId) {
        let mut inner = self.lock();
        let members = inner.members.remove(platform).unwrap_or_default();
        inner.count -= members.len();
        meter::connected(inner.count);
        for member in members {
            member.fate.seal(End::Removed);
            meter::cut(End::Removed);
        }
    }

    /// Ends all, for good.
    pub(crate) fn stop(&self) {
        let mut inner = self.lock();
        inner.stopped = true;
        cut_all(&mut inner, End::Stopped);
    }

    /// Offers the next event to everyone it is for; its message is made when there is anybody.
    ///
    /// # Errors
    /// It is not the next one: the caller has to find out where it stands.
    pub(crate) fn offer(
        &self,
        event: &Event,
        make: impl Fn() -> Arc<Message>,
    ) -> Result<(), OutOfStep> {
        let mut inner = self.lock();
        if event.revision != inner.told.saturating_add(1) {
            return Err(OutOfStep);
        }
        let mut made: Option<Arc<Message>> = None;
        let mut gone = 0;
        {
            let mut tell = |platform: &PlatformId, members: &mut Vec<Member>| {
                members.retain(|member| {
                    let message = made.get_or_insert_with(&make);
                    let stays = offer_one(platform, member, message);
                    gone += usize::from(!stays);
                    stays
                });
            };
            match &event.audience {
                Audience::Only(these) => {
                    for platform in these {
                        if let Some(members) = inner.members.get_mut(platform) {
                            tell(platform, members);
                        }
                    }
                }
                audience @ (Audience::Everyone | Audience::Except(_)) => {
                    for (platform, members) in &mut inner.members {
                        if audience.includes(platform) {
                            tell(platform, members);
                        }
                    }
                }
            }
        }
        if gone > 0 {
            inner.members.retain(|_, members| !members.is_empty());
            inner.count -= gone;
            meter::connected(inner.count);
        }
        inner.told = event.revision;
        meter::revision(inner.told);
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // Nothing in here panics half way; a poisoned lock would only hide the first fault behind others.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The event is not the one after the last that was offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OutOfStep;

/// Whether the member stays.
fn offer_one(platform: &PlatformId, member: &Member, message: &Arc<Message>) -> bool {
    match member.queue.try_send(Arc::clone(message)) {
        Ok(()) => true,
        Err(mpsc::error::TrySendError::Full(_)) => {
            tracing::warn!(%platform, revision = message.revision(), "a platform takes its notifications too slowly and is cut");
            member.fate.seal(End::Slow);
            meter::cut(End::Slow);
            false
        }
        // Its holder is just leaving.
        Err(mpsc::error::TrySendError::Closed(_)) => false,
    }
}

fn cut_all(inner: &mut Inner, reason: End) {
    for member in inner.members.drain().flat_map(|(_, members)| members) {
        member.fate.seal(reason);
        meter::cut(reason);
    }
    inner.count = 0;
    meter::connected(0);
}
