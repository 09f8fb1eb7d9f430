//! Faults of judging the answers to creations: what counts as success, what is cleaned up.

use super::{Got, Kind, Mutant, Poll, Ruling, malformed, mutant, polls, rules, takes};

pub(super) const MUTANTS: &[Mutant] = &[
    takes!(
        "200 is no success",
        "provision.exists",
        Provision,
        200,
        Failed
    ),
    rules!(
        "null is no dashboard",
        "provision.null-dashboard",
        |_, got, ruling| {
            let null = got
                .object()
                .and_then(|body| body.get("dashboard_url"))
                .is_some_and(serde_json::Value::is_null);
            if null { Ruling::Failed } else { ruling }
        }
    ),
    rules!(
        "unknown fields in answers",
        "provision.unknown-fields",
        |_, got, ruling| {
            let strange = got
                .object()
                .is_some_and(|body| body.get("x_vendor").is_some());
            if strange { Ruling::Failed } else { ruling }
        }
    ),
    rules!(
        "unknown fields in answers to updates",
        "update.unknown-fields",
        |_, got, ruling| {
            let strange = got
                .object()
                .is_some_and(|body| body.get("x_vendor").is_some());
            if strange { Ruling::Failed } else { ruling }
        }
    ),
    takes!(
        "200 malformed is cleaned up",
        "provision.200-malformed",
        Provision,
        200,
        Orphaned
    ),
    takes!(
        "201 is always a success",
        "provision.201-malformed",
        Provision,
        201,
        Done
    ),
    rules!(
        "201 with a list is a success",
        "provision.201-not-object",
        |_, got, ruling| {
            match got {
                Got::Answer(201, _, Some(_)) => Ruling::Done,
                _ => ruling,
            }
        }
    ),
    takes!(
        "202 is always accepted",
        "provision.202-malformed",
        Provision,
        202,
        Accepted
    ),
    takes!("204 is a success", "provision.204", Provision, 204, Done),
    takes!(
        "206 is not cleaned up",
        "provision.206",
        Provision,
        206,
        Failed
    ),
    takes!(
        "400 is cleaned up",
        "provision.400",
        Provision,
        400,
        Orphaned
    ),
    takes!(
        "403 is cleaned up",
        "provision.403",
        Provision,
        403,
        Orphaned
    ),
    takes!(
        "404 is cleaned up",
        "provision.404",
        Provision,
        404,
        Orphaned
    ),
    takes!(
        "408 is cleaned up",
        "provision.408",
        Provision,
        408,
        Orphaned
    ),
    takes!(
        "409 is cleaned up",
        "provision.409",
        Provision,
        409,
        Orphaned
    ),
    takes!("409 is a success", "provision.409", Provision, 409, Done),
    takes!(
        "422 is cleaned up",
        "provision.422",
        Provision,
        422,
        Orphaned
    ),
    takes!(
        "500 is not cleaned up",
        "provision.500",
        Provision,
        500,
        Failed
    ),
    rules!(
        "only JSON is cleaned up",
        "provision.500-not-json",
        |_, got, ruling| {
            if malformed(got) {
                Ruling::Failed
            } else {
                ruling
            }
        }
    ),
    takes!(
        "503 is not cleaned up",
        "provision.503",
        Provision,
        503,
        Failed
    ),
    rules!(
        "a cut is not cleaned up",
        "provision.cut",
        |_, got, ruling| {
            if matches!(got, Got::Cut) {
                Ruling::Failed
            } else {
                ruling
            }
        }
    ),
    rules!(
        "a timeout is not cleaned up",
        "provision.timeout",
        |_, got, ruling| {
            if matches!(got, Got::Timeout) {
                Ruling::Failed
            } else {
                ruling
            }
        }
    ),
    polls!(
        "a failed creation is a success",
        "provision.poll-failed",
        |_, _, poll| {
            if poll == Poll::Failed {
                Poll::Succeeded
            } else {
                poll
            }
        }
    ),
    takes!(
        "200 for a bind is no success",
        "bind.exists",
        Bind,
        200,
        Failed
    ),
    takes!(
        "200 malformed for a bind is cleaned up",
        "bind.200-malformed",
        Bind,
        200,
        Orphaned
    ),
    takes!(
        "201 for a bind is always a success",
        "bind.201-malformed",
        Bind,
        201,
        Done
    ),
    rules!(
        "202 for a bind is not cleaned up",
        "bind.202-malformed",
        |kind, got, ruling| {
            if kind == Kind::Bind && malformed(got) {
                Ruling::Failed
            } else {
                ruling
            }
        }
    ),
    takes!("204 for a bind is a success", "bind.204", Bind, 204, Done),
    takes!(
        "206 for a bind is not cleaned up",
        "bind.206",
        Bind,
        206,
        Failed
    ),
    takes!(
        "400 for a bind is cleaned up",
        "bind.400",
        Bind,
        400,
        Orphaned
    ),
    takes!(
        "404 for a bind is cleaned up",
        "bind.404",
        Bind,
        404,
        Orphaned
    ),
    takes!(
        "408 for a bind is cleaned up",
        "bind.408",
        Bind,
        408,
        Orphaned
    ),
    takes!(
        "409 for a bind is cleaned up",
        "bind.409",
        Bind,
        409,
        Orphaned
    ),
    takes!(
        "RequiresApp is cleaned up",
        "bind.requires-app",
        Bind,
        422,
        Orphaned
    ),
    takes!(
        "500 for a bind is not cleaned up",
        "bind.500",
        Bind,
        500,
        Failed
    ),
    takes!(
        "503 for a bind is not cleaned up",
        "bind.503",
        Bind,
        503,
        Failed
    ),
    rules!(
        "a cut bind is not cleaned up",
        "bind.cut",
        |kind, got, ruling| {
            if kind == Kind::Bind && matches!(got, Got::Cut) {
                Ruling::Failed
            } else {
                ruling
            }
        }
    ),
    rules!(
        "a bind without an answer is not cleaned up",
        "bind.timeout",
        |kind, got, ruling| {
            if kind == Kind::Bind && matches!(got, Got::Timeout) {
                Ruling::Failed
            } else {
                ruling
            }
        }
    ),
    polls!(
        "a failed bind is a success",
        "bind.poll-failed",
        |kind, _, poll| {
            if kind == Kind::Bind && poll == Poll::Failed {
                Poll::Succeeded
            } else {
                poll
            }
        }
    ),
    mutant("202 is a success of a bind", "bind.async", |habits| {
        habits.ruling = |kind, got, ruling| match (kind, got.status()) {
            (Kind::Bind, 202) => Ruling::Done,
            _ => ruling,
        };
    }),
];
