//! So many requests at a time and no more. Above it the answer is 503 at once: a queue would only make
//! everybody wait for what they will have given up by then.

use crate::Failure;
use axum::extract::Request;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

pub(super) struct Busy(Arc<Semaphore>);

impl Busy {
    pub(super) fn new(places: usize) -> Self {
        Self(Arc::new(Semaphore::new(places.min(Semaphore::MAX_PERMITS))))
    }

    /// A place for as long as it is held; none is needed at the doors of [`ALWAYS`].
    pub(super) fn enter(
        &self,
        request: &Request,
    ) -> Result<Option<OwnedSemaphorePermit>, Response> {
        if ALWAYS.contains(&request.uri().path()) {
            return Ok(None);
        }
        let place = Arc::clone(&self.0).try_acquire_owned();
        place
            .map(Some)
            .map_err(|_| Failure::too_busy().into_response())
    }
}

/// Who asks whether we live must hear it most of all when there is much to do.
const ALWAYS: [&str; 2] = [
    qm_manager_api::health::LIVENESS_PATH,
    qm_manager_api::health::READINESS_PATH,
];
