//! How an author tells people how far the work is.

use crate::record::{Key, Record};
use crate::store::Store;
use std::fmt;
use std::sync::Arc;

/// A line to whoever polls: `call.progress.say("restoring the backup").await`.
#[derive(Clone)]
pub struct Progress(Arc<Inner>);

struct Inner {
    store: Store,
    key: Key,
    fence: i64,
}

impl Progress {
    pub(crate) fn of(store: &Store, record: &Record) -> Self {
        Self(Arc::new(Inner {
            store: store.clone(),
            key: record.key.clone(),
            fence: record.fence,
        }))
    }

    /// Says how far the work is; last_operation shows it. It must hold no secret. A store that does not
    /// answer is no reason to stop working, so this never fails.
    pub async fn say(&self, text: impl AsRef<str>) {
        let Inner { store, key, fence } = &*self.0;
        match store.say(key, *fence, text.as_ref()).await {
            Ok(true) => {}
            Ok(false) => {
                tracing::debug!(instance.id = %key.instance, "progress of work that is no longer ours");
            }
            Err(error) => {
                tracing::warn!(instance.id = %key.instance, error = crate::observe::chain(&error), "progress was not stored");
            }
        }
    }
}

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Progress")
    }
}
