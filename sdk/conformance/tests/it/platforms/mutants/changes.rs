//! Faults of judging the answers to updates and deletions, and to requests that come too early.

use super::{Got, Kind, Mutant, Poll, Ruling, mutant, polls, rules, takes};

pub(super) const MUTANTS: &[Mutant] = &[
    takes!(
        "200 malformed for an update is a success",
        "update.200-malformed",
        Update,
        200,
        Done
    ),
    takes!(
        "204 for an update is a success",
        "update.204",
        Update,
        204,
        Done
    ),
    takes!(
        "206 for an update deletes",
        "update.206",
        Update,
        206,
        Orphaned
    ),
    takes!(
        "400 for an update deletes",
        "update.400",
        Update,
        400,
        Orphaned
    ),
    takes!(
        "408 for an update deletes",
        "update.408",
        Update,
        408,
        Orphaned
    ),
    takes!(
        "422 for an update is a success",
        "update.422",
        Update,
        422,
        Done
    ),
    takes!(
        "500 for an update deletes",
        "update.500",
        Update,
        500,
        Orphaned
    ),
    rules!(
        "an update without an answer deletes",
        "update.timeout",
        |kind, got, ruling| {
            if kind == Kind::Update && matches!(got, Got::Timeout) {
                Ruling::Orphaned
            } else {
                ruling
            }
        }
    ),
    polls!(
        "a failed update is a success",
        "update.poll-failed",
        |kind, _, poll| {
            if kind == Kind::Update && poll == Poll::Failed {
                Poll::Succeeded
            } else {
                poll
            }
        }
    ),
    takes!(
        "410 is no success of an unbind",
        "unbind.gone",
        Unbind,
        410,
        Failed
    ),
    takes!(
        "200 malformed is a success of an unbind",
        "unbind.200-malformed",
        Unbind,
        200,
        Done
    ),
    takes!(
        "206 for an unbind is not repeated",
        "unbind.206",
        Unbind,
        206,
        Failed
    ),
    takes!(
        "400 is a success of an unbind",
        "unbind.400",
        Unbind,
        400,
        Done
    ),
    takes!(
        "408 for an unbind is a success",
        "unbind.408",
        Unbind,
        408,
        Done
    ),
    takes!(
        "500 for an unbind is a success",
        "unbind.500",
        Unbind,
        500,
        Done
    ),
    rules!(
        "an unbind without an answer is a success",
        "unbind.timeout",
        |kind, got, ruling| {
            if kind == Kind::Unbind && matches!(got, Got::Timeout) {
                Ruling::Done
            } else {
                ruling
            }
        }
    ),
    polls!(
        "a failed unbind is a success",
        "unbind.poll-failed",
        |kind, _, poll| {
            if kind == Kind::Unbind && poll == Poll::Failed {
                Poll::Succeeded
            } else {
                poll
            }
        }
    ),
    takes!(
        "410 is no success of a deprovision",
        "deprovision.gone",
        Deprovision,
        410,
        Failed
    ),
    takes!(
        "200 malformed is a success of a deprovision",
        "deprovision.200-malformed",
        Deprovision,
        200,
        Done
    ),
    takes!(
        "204 is a success of a deprovision",
        "deprovision.204",
        Deprovision,
        204,
        Done
    ),
    takes!(
        "206 for a deprovision is not repeated",
        "deprovision.206",
        Deprovision,
        206,
        Failed
    ),
    takes!(
        "400 is a success of a deprovision",
        "deprovision.400",
        Deprovision,
        400,
        Done
    ),
    takes!(
        "403 is a success of a deprovision",
        "deprovision.403",
        Deprovision,
        403,
        Done
    ),
    takes!(
        "408 is a success of a deprovision",
        "deprovision.408",
        Deprovision,
        408,
        Done
    ),
    takes!(
        "422 is a success of a deprovision",
        "deprovision.422",
        Deprovision,
        422,
        Done
    ),
    takes!(
        "500 for a deprovision is not repeated",
        "deprovision.500",
        Deprovision,
        500,
        Failed
    ),
    rules!(
        "a deprovision without an answer is a success",
        "deprovision.timeout",
        |kind, got, ruling| {
            if kind == Kind::Deprovision && matches!(got, Got::Timeout) {
                Ruling::Done
            } else {
                ruling
            }
        }
    ),
    polls!(
        "a failed deprovision is a success",
        "deprovision.poll-failed",
        |kind, _, poll| {
            if kind == Kind::Deprovision && poll == Poll::Failed {
                Poll::Succeeded
            } else {
                poll
            }
        }
    ),
    takes!(
        "ConcurrencyError fails an update",
        "concurrency.update",
        Update,
        422,
        Failed
    ),
    takes!(
        "ConcurrencyError of a bind is cleaned up",
        "concurrency.bind",
        Bind,
        422,
        Orphaned
    ),
    takes!(
        "ConcurrencyError is a success of an unbind",
        "concurrency.unbind",
        Unbind,
        422,
        Done
    ),
    takes!(
        "ConcurrencyError fails a deprovision",
        "concurrency.deprovision",
        Deprovision,
        422,
        Failed
    ),
    takes!(
        "a conflict of versions is cleaned up",
        "maintenance.conflict",
        Provision,
        422,
        Orphaned
    ),
];
