//! Waits for the end of an operation, and tells it to whoever waited.

use super::super::judge::Fault;
use super::Course;
use crate::Lifecycle;
use qm_model::id::OperationId;
use qm_model::operation::{Operation, State};
use qm_model::{Error, Kind};
use qm_policy::Scope;
use qm_store::resource;
use std::time::Duration;

/// How long somebody who wants to wait for the end is kept waiting.
const PATIENCE: Duration = Duration::from_secs(600);
/// The first and the longest pause between two looks of who waits.
const LOOKS: (Duration, Duration) = (Duration::from_millis(20), Duration::from_millis(500));

/// Waits for the end of an operation.
pub(in crate::engine) async fn end(deeds: &Lifecycle, id: &OperationId) -> Result<Course, Error> {
    let began = std::time::Instant::now();
    let (mut pause, longest) = LOOKS;
    loop {
        tokio::time::sleep(pause).await;
        pause = (pause * 2).min(longest);
        let operation = operation(deeds, id).await?;
        match operation.state {
            State::Succeeded => return Ok(Course::Done),
            State::Failed => return Err(ended_badly(deeds, operation).await?),
            State::Pending | State::InProgress if began.elapsed() > PATIENCE => {
                return Ok(Course::Later(Box::new(operation)));
            }
            State::Pending | State::InProgress => {}
        }
    }
}

/// The operation as it is.
pub(crate) async fn operation(deeds: &Lifecycle, id: &OperationId) -> Result<Operation, Error> {
    let id = id.as_str().to_owned();
    deeds
        .store
        .look_up(async move |tx| {
            resource::get::<Operation>(tx, &Scope::All, &id)
                .await?
                .ok_or(Error::Missing(Kind::Operation))
        })
        .await
}

/// What whoever waited for it is told.
async fn ended_badly(deeds: &Lifecycle, operation: Operation) -> Result<Error, Error> {
    let id = operation.id.clone();
    let said = deeds
        .store
        .look_up(async move |tx| Ok::<_, Error>(qm_store::operation::said(tx, &id).await?))
        .await?;
    let fault = Fault {
        said,
        ..Fault::new("BrokerError", operation.description)
    };
    Ok(failed(fault, ""))
}

pub(super) fn failed(fault: Fault, more: &str) -> Error {
    let message = format!("{}{more}", fault.description);
    Error::BrokerSaid {
        message,
        said: fault.said,
    }
}
