//! Faults of judging polls: what ends polling, and how.

use super::{Got, Kind, Mutant, Poll, malformed, mutant, polls};

/// This meaning for a status of a poll.
macro_rules! hears {
    ($name:literal, $case:literal, $status:pat, $poll:ident) => {
        polls!($name, $case, |_, got, poll| {
            match (got.status(), poll) {
                ($status, Poll::GoOn) => Poll::$poll,
                _ => poll,
            }
        })
    };
}

pub(super) const MUTANTS: &[Mutant] = &[
    polls!(
        "an unknown state is a failure",
        "poll.unknown-state",
        |_, got, poll| {
            let state = got
                .object()
                .and_then(|body| body["state"].as_str())
                .unwrap_or_default();
            if state == "pondering" {
                Poll::Failed
            } else {
                poll
            }
        }
    ),
    polls!(
        "a malformed poll is a failure",
        "poll.malformed",
        |_, got, poll| { if malformed(got) { Poll::Failed } else { poll } }
    ),
    hears!("500 ends polling", "poll.500", 500, Failed),
    hears!("503 ends polling", "poll.503-binding", 503, Failed),
    hears!("404 ends polling", "poll.404", 404, Failed),
    hears!("400 ends polling", "poll.400", 400, Failed),
    hears!(
        "410 is a success of a creation",
        "poll.410-create",
        410,
        Succeeded
    ),
    hears!(
        "410 ends polling of an update",
        "poll.410-update",
        410,
        Failed
    ),
    polls!("a cut poll is a failure", "poll.cut", |_, got, poll| {
        if matches!(got, Got::Cut) {
            Poll::Failed
        } else {
            poll
        }
    }),
    polls!(
        "410 is no success of a deletion",
        "poll.410-deprovision",
        |kind, got, poll| {
            if kind == Kind::Deprovision && got.status() == 410 {
                Poll::GoOn
            } else {
                poll
            }
        }
    ),
    polls!(
        "410 is no success of an unbind",
        "poll.410-unbind",
        |kind, got, poll| {
            if kind == Kind::Unbind && got.status() == 410 {
                Poll::GoOn
            } else {
                poll
            }
        }
    ),
    polls!(
        "in progress is a success of a creation",
        "poll.provision",
        |kind, _, poll| {
            if kind == Kind::Provision {
                Poll::Succeeded
            } else {
                poll
            }
        }
    ),
    polls!(
        "in progress is a success of an update",
        "poll.update",
        |kind, _, poll| {
            if kind == Kind::Update {
                Poll::Succeeded
            } else {
                poll
            }
        }
    ),
    polls!(
        "in progress is a success of a deletion",
        "poll.deprovision",
        |kind, _, poll| {
            if kind == Kind::Deprovision {
                Poll::Succeeded
            } else {
                poll
            }
        }
    ),
    polls!(
        "in progress is a success of a bind",
        "poll.bind",
        |kind, _, poll| {
            if kind == Kind::Bind {
                Poll::Succeeded
            } else {
                poll
            }
        }
    ),
    polls!(
        "in progress is a success of an unbind",
        "poll.unbind",
        |kind, _, poll| {
            if kind == Kind::Unbind {
                Poll::Succeeded
            } else {
                poll
            }
        }
    ),
];
