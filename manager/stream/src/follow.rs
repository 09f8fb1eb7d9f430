//! The one task that reads the outbox for everybody. [`Stream`](crate::Stream) starts it.
//!
//! The rule: it goes on exactly after the last revision it has offered. Revisions are given after the commit and
//! without gaps, so however long the store was away, reading on from there misses nothing and repeats nothing; that
//! is why subscribers may stay connected meanwhile. A gap can only mean that retention was faster or that the
//! database was replaced: then everybody is cut and comes back to hear `Gone`.

use crate::stream::Shared;
use crate::{Message, meter};
use qm_model::event::Event;
use qm_model::{Chain, Time};
use qm_store::outbox::{self, Position};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How many events are read at a time.
const BATCH: u32 = 32;
/// The longest pause between two attempts while the store is away.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);
/// So many failures in a row are more than two replicas that were in each other's way.
const WORTH_SAYING: u32 = 3;

/// Runs until the stream is stopped.
pub(crate) async fn run(shared: &Shared) {
    let mut appended = shared.store.appended();
    let mut good = Instant::now();
    let mut failures: u32 = 0;
    loop {
        let pause = match round(shared).await {
            Ok(()) => {
                if failures >= WORTH_SAYING {
                    tracing::info!("the outbox is followed again");
                }
                failures = 0;
                good = Instant::now();
                shared.settings.poll
            }
            Err(error) => {
                failures = failures.saturating_add(1);
                if failures == WORTH_SAYING {
                    tracing::warn!(error = %Chain(&error), "the outbox cannot be read; it is tried again and again");
                }
                meter::lag(good.elapsed());
                shared
                    .settings
                    .poll
                    .saturating_mul(failures.min(32))
                    .min(LONGEST_PAUSE.max(shared.settings.poll))
            }
        };
        let news = async {
            // While the store is away, news of our own would only make us ask it more often.
            if failures > 0 || appended.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = news => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// Numbers what was committed and offers all that is new.
async fn round(shared: &Shared) -> Result<(), qm_store::Error> {
    let last = outbox::sequence(&shared.store).await?.unwrap_or(0);
    if !shared.platforms.is_ready() {
        shared.platforms.begin(last);
    }
    if last == shared.platforms.told() {
        // As it is nearly always.
        meter::lag(Duration::ZERO);
        return Ok(());
    }
    let mut lag = Duration::ZERO;
    loop {
        let told = shared.platforms.told();
        let nobody = shared.platforms.count() == 0;
        let (position, events) = shared
            .store
            .read::<_, qm_store::Error, _>(async move |tx| {
                let position = outbox::position(tx).await?;
                let events = if nobody || position.last <= told {
                    Vec::new()
                } else {
                    outbox::after(tx, told, BATCH).await?
                };
                Ok((position, events))
            })
            .await?;
        let rewound = position.last < told;
        if !rewound && (position.last == told || shared.platforms.skip(position.last)) {
            break;
        }
        if nobody && !rewound {
            // Somebody came just now.
            continue;
        }
        if let Some(first) = events.first() {
            lag = lag.max(age(first));
        }
        if rewound || !offer_all(shared, &events) {
            start_over(shared, position);
            break;
        }
    }
    meter::lag(lag);
    Ok(())
}

/// Whether they were the next ones.
fn offer_all(shared: &Shared, events: &[Event]) -> bool {
    let made = |event: &Event| {
        let message = Arc::new(Message::new(event, &*shared.encode));
        shared.recent.keep(Arc::clone(&message));
        message
    };
    let mut in_step = events
        .iter()
        .map(|event| shared.platforms.offer(event, || made(event)).is_ok());
    !events.is_empty() && in_step.all(|in_step| in_step)
}

fn start_over(shared: &Shared, position: Position) {
    tracing::warn!(
        told = shared.platforms.told(),
        last = position.last,
        trimmed = position.trimmed,
        "events are missing from the outbox; connected platforms are cut and will read everything anew"
    );
    shared.recent.clear();
    shared.platforms.begin(position.last);
}

/// How long ago the event was stored, by this machine's clock.
fn age(event: &Event) -> Duration {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Time(i64::try_from(now.as_millis()).unwrap_or(i64::MAX)).since(event.created_at)
}
