//! Hears of what other replicas have changed. A task calls it steadily.
//!
//! The rule: revisions are read in order and without gaps, so nothing is missed; where rows are missing, or the numbers
//! have gone back, everything is forgotten. What this process changed itself comes by here as well: that covers a
//! commit of which nobody could say whether it happened. The numbers are given by the stream, which runs on every
//! replica.

use crate::Lifecycle;
use qm_model::Error;
use qm_store::outbox;
use std::sync::PoisonError;

/// With more than so many at once it is simpler to forget everything.
const MANY: u32 = 1_000;

/// Forgets what was changed since the last call. The first call forgets everything: what was loaded before it may have
/// been outdated meanwhile.
///
/// # Errors
/// The store does not answer; call again.
pub async fn follow(deeds: &Lifecycle) -> Result<(), Error> {
    let seen = *lock(deeds);
    let (last, touched) = deeds
        .store
        .read(async move |tx| {
            let last = outbox::position(tx).await?.last;
            let touched = match seen {
                Some(seen) => outbox::touched_after(tx, seen, last, MANY).await?,
                None => None,
            };
            Ok::<_, Error>((last, touched))
        })
        .await?;
    match touched {
        Some(touched) => touched
            .iter()
            .for_each(|touched| deeds.memory.forget(touched)),
        None => deeds.memory.forget_all(),
    }
    *lock(deeds) = Some(last);
    Ok(())
}

/// Forgets everything: whoever follows could not for so long that nothing can be relied on.
pub fn forget_all(deeds: &Lifecycle) {
    deeds.memory.forget_all();
}

fn lock(deeds: &Lifecycle) -> std::sync::MutexGuard<'_, Option<i64>> {
    let seen = &deeds.memory.seen;
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}
