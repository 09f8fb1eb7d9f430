//! Messages that were made lately, and the reading of those that were not. Subscriptions that catch up ask here.
//!
//! The rule: one reading at a time. When a thousand platforms come back at once and miss the same events, the
//! first reads them and the others find them here. What is kept is bounded by bytes.

use crate::{Encode, Message};
use qm_store::{Store, outbox};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

/// So many bytes of text are kept at most.
const KEEP_BYTES: usize = 4 << 20;

/// Messages by revision.
pub(crate) struct Recent {
    kept: Mutex<Kept>,
    reading: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Kept {
    messages: BTreeMap<i64, Arc<Message>>,
    bytes: usize,
}

impl Recent {
    pub(crate) fn new() -> Self {
        Self {
            kept: Mutex::default(),
            reading: tokio::sync::Mutex::new(()),
        }
    }

    /// Keeps a message; the oldest go when there are too many.
    pub(crate) fn keep(&self, message: Arc<Message>) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.bytes += message.text().len();
        if let Some(same) = kept.messages.insert(message.revision(), message) {
            kept.bytes -= same.text().len();
        }
        while kept.bytes > KEEP_BYTES {
            let Some((_, oldest)) = kept.messages.pop_first() else {
                break;
            };
            kept.bytes -= oldest.text().len();
        }
    }

    /// Forgets everything: the numbers mean something else now.
    pub(crate) fn clear(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Kept::default();
    }

    /// The messages with these revisions, in this order; `None` when one of them is no longer stored.
    ///
    /// # Errors
    /// The store does not answer.
    pub(crate) async fn get(
        &self,
        store: &Store,
        encode: &dyn Encode,
        revisions: &[i64],
    ) -> Result<Option<Vec<Arc<Message>>>, qm_store::Error> {
        if let Some(all) = self.all(revisions) {
            return Ok(Some(all));
        }
        let _turn = self.reading.lock().await;
        let mut found = self.some(revisions);
        let wanted: Vec<i64> = revisions
            .iter()
            .copied()
            .filter(|revision| !found.contains_key(revision))
            .collect();
        if !wanted.is_empty() {
            let events = store
                .read::<_, qm_store::Error, _>(async move |tx| {
                    outbox::by_revisions(tx, &wanted).await
                })
                .await?;
            for event in events {
                let message = Arc::new(Message::new(&event, encode));
                self.keep(Arc::clone(&message));
                found.insert(message.revision(), message);
            }
        }
        Ok(revisions
            .iter()
            .map(|revision| found.remove(revision))
            .collect())
    }

    fn all(&self, revisions: &[i64]) -> Option<Vec<Arc<Message>>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        revisions
            .iter()
            .map(|revision| kept.messages.get(revision).cloned())
            .collect()
    }

    fn some(&self, revisions: &[i64]) -> HashMap<i64, Arc<Message>> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        revisions
            .iter()
            .filter_map(|revision| Some((*revision, Arc::clone(kept.messages.get(revision)?))))
            .collect()
    }
}
