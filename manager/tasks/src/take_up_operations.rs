//! Goes on with deeds whose process died: their lease has run out.
//!
//! The rule: only as many are claimed as there is somebody to work on, so that no claimed one lies about until its lease
//! is over. A turn ends when nothing is due, not when everything is done: a broker that hangs keeps nobody
//! else waiting.

use crate::tasks::Kit;
use qm_model::{Chain, Error, Kind};
use qm_store::operation::{Phase, Taken};
use std::sync::Arc;
use std::time::Duration;

/// How many are worked on at the same time. Many more than one broker lets through at once: those beyond that are put
/// off, and there are hands left for the other brokers.
pub(crate) const AT_ONCE: usize = 1024;
/// How many are claimed in one statement at most.
const AT_A_TIME: usize = 32;
/// Nobody takes a lease for longer than this, nor for more than ten times our own or twice the longest call, whatever
/// the other replicas' settings.
const LONGEST: Duration = Duration::from_secs(15 * 60);

pub(crate) async fn run(kit: Kit) -> Result<(), Error> {
    let lease = kit.settings.lease;
    kit.deeds.set_lease_clock().await?;
    let now = kit.deeds.lease_now();
    let longest = LONGEST.max(lease * 10).max(kit.deeds.two_calls() * 2);
    let beyond = now.plus(longest);
    let void = qm_store::operation::void(&kit.store, now, beyond).await?;
    if void > 0 {
        tracing::warn!(
            void,
            "operations were held until a time that is far ahead: the clock was set back; they are taken up"
        );
    }
    let beyond = now.plus(kit.deeds.longest_wait());
    let late = qm_store::operation::hasten(&kit.store, now, beyond).await?;
    if late > 0 {
        tracing::warn!(
            late,
            "operations were put off until a time that is far ahead: the clock was set back; they are taken up"
        );
    }
    loop {
        let hand = tokio::select! {
            () = kit.stop.cancelled() => return Ok(()),
            hand = Arc::clone(&kit.hands).acquire_owned() => hand.map_err(Error::internal)?,
        };
        let mut hands = vec![hand];
        while hands.len() < AT_A_TIME {
            match Arc::clone(&kit.hands).try_acquire_owned() {
                Ok(hand) => hands.push(hand),
                Err(_) => break,
            }
        }
        let now = kit.deeds.lease_now();
        // Whoever goes on may call the broker twice.
        let until = now.plus(lease.max(kit.deeds.two_calls()));
        let (owner, many) = (&kit.settings.replica, hands.len());
        let limit = u32::try_from(many).unwrap_or(1);
        let taken = qm_store::operation::claim(&kit.store, owner, now, until, limit).await?;
        let last = taken.len() < many;
        for (taken, hand) in taken.into_iter().zip(hands) {
            let worker = kit.clone();
            kit.running.spawn(async move {
                go_on(worker, taken).await;
                drop(hand);
            });
        }
        if last {
            return Ok(());
        }
    }
}

async fn go_on(kit: Kit, taken: Taken) {
    let id = taken.operation.id.clone();
    tracing::debug!(operation = %id, resource = %taken.operation.resource_id, "taking up an operation");
    let outcome = match taken.operation.resource_kind {
        _ if taken.phase == Phase::Cascading => tokio::select! {
            // A turn lasts as long as it gets on; wherever it ends, the next one looks anew.
            () = kit.stop.cancelled() => Ok(()),
            outcome = qm_lifecycle::cascade::turn(&kit.deeds, taken) => outcome,
        },
        Kind::Broker => qm_lifecycle::broker::resume(&kit.deeds, taken).await,
        Kind::Instance | Kind::Binding => qm_lifecycle::resume(&kit.deeds, taken).await,
        other => Err(Error::invalid(format!(
            "no task knows how to go on with a {other}"
        ))),
    };
    if let Err(error) = outcome {
        tracing::warn!(operation = %id, error = %Chain(&error), "the operation that was taken up failed");
    }
}
