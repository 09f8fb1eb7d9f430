//! Decides what a subscriber has missed, or that it must read everything anew. Called once per subscription,
//! after it has joined.
//!
//! The rule: only what is needed to decide is read here, who each event is for; the texts come later and as
//! fast as the subscriber takes them. One reading sees one state of the store, so what is decided fits together.

use crate::SubscribeError;
use qm_model::id::PlatformId;
use qm_store::outbox::{self, Position};
use qm_store::{Store, Tx};
use std::collections::VecDeque;

/// How many headers are read at a time.
const PAGE: u32 = 500;

/// Where a subscriber begins.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Beginning {
    /// The last revision there is; `None` when nothing was ever told.
    pub(crate) last: Option<i64>,
    /// What it has missed, in order: to be sent before anything from its queue.
    pub(crate) missed: VecDeque<i64>,
    /// What it already has: messages up to here are not for it, even if they come through its queue.
    pub(crate) has: i64,
}

/// Who asks, and what it says it has.
#[derive(Debug, Clone)]
pub(crate) struct Claim {
    pub(crate) platform: PlatformId,
    /// The last revision it has, if it says.
    pub(crate) revision: Option<i64>,
    /// Everything after this revision reaches it through its queue.
    pub(crate) at: i64,
    /// It may have missed so many.
    pub(crate) at_most: usize,
}

pub(crate) async fn beginning(store: &Store, claim: Claim) -> Result<Beginning, SubscribeError> {
    let decided = store
        .read::<_, qm_store::Error, _>(async move |tx| decide(tx, &claim).await)
        .await;
    match decided {
        Ok(Some(beginning)) => Ok(beginning),
        Ok(None) => Err(SubscribeError::Gone),
        Err(error) => Err(SubscribeError::Unavailable(Some(error))),
    }
}

/// `None`: it must read everything anew.
async fn decide(tx: &Tx<'_>, claim: &Claim) -> Result<Option<Beginning>, qm_store::Error> {
    let position = outbox::position(tx).await?;
    let last = (position.last > 0).then_some(position.last);
    let Some(revision) = claim.revision else {
        // It is going to read everything and will see what is committed by now, so it has all up to here.
        return Ok(Some(Beginning {
            last,
            missed: VecDeque::new(),
            has: position.last,
        }));
    };
    if !is_kept(revision, position) {
        return Ok(None);
    }
    let Some(mut missed) = missed(tx, claim, revision).await? else {
        return Ok(None);
    };
    // What comes after the place where it joined is in its queue or will be.
    missed.retain(|missed| *missed <= claim.at);
    Ok(Some(Beginning {
        last,
        missed,
        has: revision,
    }))
}

/// Whether the revision was given once and everything after it is still there.
fn is_kept(revision: i64, position: Position) -> bool {
    revision > 0 && revision <= position.last && revision >= position.trimmed
}

/// What is for the platform after the revision, or `None` when that is too much.
async fn missed(
    tx: &Tx<'_>,
    claim: &Claim,
    revision: i64,
) -> Result<Option<VecDeque<i64>>, qm_store::Error> {
    let mut missed = VecDeque::new();
    let mut after = revision;
    loop {
        let page = outbox::headers_after(tx, after, PAGE).await?;
        let Some((end, _)) = page.last() else { break };
        after = *end;
        let is_last = page.len() < PAGE as usize;
        for (revision, audience) in page {
            if audience.includes(&claim.platform) {
                missed.push_back(revision);
                if missed.len() > claim.at_most {
                    return Ok(None);
                }
            }
        }
        if is_last {
            break;
        }
    }
    Ok(Some(missed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_revision_is_kept_when_all_that_follows_it_is() {
        let position = Position {
            last: 10,
            trimmed: 4,
        };
        let kept: Vec<i64> = (-1..13)
            .filter(|revision| is_kept(*revision, position))
            .collect();
        assert_eq!(kept, [4, 5, 6, 7, 8, 9, 10]);
        let empty = Position {
            last: 0,
            trimmed: 0,
        };
        assert!(!is_kept(0, empty) && !is_kept(1, empty));
    }
}
