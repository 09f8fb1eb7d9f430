//! So many requests at a time and no more. Above it the answer is 503 at once: a queue would only make
//! everybody wait for what they will have given up by then.

use crate::{App, Failure};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use tokio::sync::Semaphore;

#[derive(Clone)]
pub(super) struct Busy(Arc<Semaphore>);

impl Busy {
    pub(super) fn new(app: &App) -> Self {
        let places = app.settings.max_in_flight.min(Semaphore::MAX_PERMITS);
        Self(Arc::new(Semaphore::new(places)))
    }
}

/// Who asks whether we live must hear it most of all when there is much to do.
const ALWAYS: [&str; 2] = [
    qm_manager_api::health::LIVENESS_PATH,
    qm_manager_api::health::READINESS_PATH,
];

pub(super) async fn run(State(busy): State<Busy>, request: Request, next: Next) -> Response {
    if ALWAYS.contains(&request.uri().path()) {
        return next.run(request).await;
    }
    match busy.0.try_acquire() {
        Ok(_place) => next.run(request).await,
        Err(_) => Failure::too_busy().into_response(),
    }
}
