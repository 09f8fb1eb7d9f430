//! From what the engine says to what the protocol answers.

use super::Inner;
use crate::broker::failure::Failure;
use crate::life;
use crate::record::Op;
use http::StatusCode;
use quartermaster_osb::{Accepted, Answer, ErrorBody, ErrorWord};

/// 422 `MaintenanceInfoConflict`.
pub(super) fn maintenance_conflict(description: &str) -> Failure {
    Failure::with(
        StatusCode::UNPROCESSABLE_ENTITY,
        ErrorBody::word(ErrorWord::MaintenanceInfoConflict, description),
    )
}

/// A failure as an answer. `instance_usable` and `update_repeatable` stay where they belong (B8).
pub(super) fn failed(failure: Failure) -> Answer {
    let Failure {
        status,
        body,
        cause,
    } = failure;
    if let Some(error) = cause {
        // Failures of the author's functions were logged with their call; this is the store's or a hook's.
        tracing::error!(error = crate::observe::chain(&*error), "the request failed");
    }
    Answer::Error { status, body }
}

/// 202 with the operation's id.
pub(super) fn accepted(op: &Op, dashboard_url: Option<String>) -> Answer {
    Answer::Accepted(Accepted {
        operation: Some(op.id.clone()),
        dashboard_url,
        ..Accepted::default()
    })
}

impl Inner {
    /// The same is under way: 202 with the same operation, if the platform can wait.
    pub(super) fn under_way(
        &self,
        op: &Op,
        accepts_incomplete: bool,
        dashboard_url: Option<String>,
    ) -> Result<Answer, Failure> {
        match (accepts_incomplete, op.asynchronous) {
            (true, _) => Ok(accepted(op, dashboard_url)),
            (false, true) => Err(life::async_required()),
            (false, false) => Err(Failure::busy("the same request is being worked on")),
        }
    }
}
