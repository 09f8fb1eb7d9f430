//! What an answer means where the manager itself is the platform.
//!
//! The rule: the table of the specification, to the letter. A success that cannot be read is none, and a deletion that
//! broke is sent again, because nothing else is behind the manager that could.

use super::{Answered, Fault, SILENCE, Verdict, answered, lost, said};
use bytes::Bytes;
use http::{Response, StatusCode};
use qm_relay::RelayError;
use quartermaster_osb::mitigation::{self, Meaning};
use quartermaster_osb::{Answer, ErrorBody, ErrorWord, Outcome, Verb};

/// What a direct answer means where the manager is the platform: by the table of the specification, to the letter.
pub(crate) fn judge_own(verb: Verb, result: &Result<Response<Bytes>, RelayError>) -> Verdict {
    let (outcome, fault) = match result {
        Ok(response) => {
            let outcome = Outcome::parse(verb, response);
            let fault = own_fault(response.status(), &outcome);
            (outcome, fault)
        }
        Err(error) => (error.outcome(), Fault::new(SILENCE, error.to_string())),
    };
    if let Err(RelayError::Busy { .. }) = result {
        return Verdict::Later(Fault {
            word: "ServiceUnavailable".to_owned(),
            ..fault
        });
    }
    match (mitigation::meaning(verb, &outcome), result) {
        (Meaning::Success, Ok(response)) => Verdict::Done(Answered {
            binding: match outcome {
                Outcome::Success(Answer::Bound { body, .. }) => Some(body),
                _ => None,
            },
            ..answered(verb, response)
        }),
        (Meaning::Pending, Ok(response)) => Verdict::Pending(answered(verb, response)),
        _ if is_busy(&outcome) => Verdict::Later(Fault {
            word: "ConcurrencyError".to_owned(),
            ..fault
        }),
        // No answer in time is a failure of anything but a creation.
        _ if matches!(outcome, Outcome::Lost) && deletes(verb) => Verdict::Failed(fault),
        _ => match mitigation::decide(verb, &outcome) {
            decision if decision.repeats(verb) => Verdict::Unknown(fault),
            _ => lost(verb, &outcome, fault),
        },
    }
}

fn deletes(verb: Verb) -> bool {
    matches!(verb, Verb::Deprovision | Verb::Unbind)
}

/// 422 with the word that asks to come back (P12).
fn is_busy(outcome: &Outcome) -> bool {
    outcome
        .error_body()
        .is_some_and(|body| body.error == Some(ErrorWord::ConcurrencyError))
}

fn own_fault(status: StatusCode, outcome: &Outcome) -> Fault {
    let empty = ErrorBody::default();
    let body = outcome.error_body().unwrap_or(&empty);
    let word = match &body.error {
        None | Some(ErrorWord::Other(_)) => String::new(),
        Some(known) => format!(" ({known})"),
    };
    let why = match outcome {
        Outcome::Malformed { reason, .. } => format!(", and its answer is none: {reason}"),
        Outcome::Unexpected { .. } => ", which means nothing here".to_owned(),
        _ => String::new(),
    };
    Fault {
        word: "BrokerError".to_owned(),
        description: format!("the broker answered {status}{word}{why}"),
        usable: body.instance_usable,
        repeatable: body.update_repeatable,
        said: said(status, body),
        wait: None,
    }
}
