//! Reads the key file again when it has changed, so that `keys rotate` needs no restart.
//!
//! Runs beside a manager. The rule: a file that cannot be read, or that lacks a key that is in use,
//! changes nothing; the keys at hand go on opening what they have sealed.

use super::{Source, ids};
use qm_store::Store;
use std::path::Path;
use std::time::{Duration, SystemTime};
use tokio_util::sync::CancellationToken;

/// How often to look. `keys rotate` waits for longer than this between its steps.
pub(super) const LOOK: Duration = Duration::from_secs(1);

pub(crate) async fn watch(store: Store, source: Source, stopping: CancellationToken) {
    let Some(file) = source.file() else { return };
    let mut seen = stamp(file);
    loop {
        tokio::select! {
            () = stopping.cancelled() => return,
            () = tokio::time::sleep(LOOK) => {}
        }
        let now = stamp(file);
        if now == seen {
            continue;
        }
        seen = now;
        match source.read(false) {
            Ok(ring) => {
                let (old, new) = (ids(&store.keys()), ids(&ring));
                if let Some(missing) = old.iter().find(|id| !new.contains(id)) {
                    tracing::warn!(
                        key = missing,
                        "the key file has changed and lacks a key that is in use; it is not taken until the next start"
                    );
                } else if old != new {
                    tracing::info!(
                        seals = new.first(),
                        keys = new.len(),
                        "the keys have changed"
                    );
                    store.replace_keys(ring);
                }
            }
            Err(error) => tracing::warn!(
                error = format!("{error:#}"),
                "the key file has changed and cannot be read; the keys at hand stay"
            ),
        }
    }
}

/// Tells one state of the file from the next.
fn stamp(file: &Path) -> Option<(SystemTime, u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let seen = std::fs::metadata(file).ok()?;
    Some((seen.modified().ok()?, seen.len(), seen.ino()))
}
