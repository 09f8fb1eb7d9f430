//! How often one caller may come. Each rule counts each caller by itself; the counts are of this process.
//!
//! The rule: a refusal says when to come again, and that moment is true: who waits for it is served.

mod budget;
mod distrust;
mod limiter;
mod rule;

pub(super) use budget::Budget;
pub(super) use distrust::Distrust;
pub(crate) use limiter::Limiter;
pub use rule::{BadRule, RateRule};

use crate::{App, Failure, meter};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use qm_model::{Caller, Ctx, Error};
use std::sync::Arc;
use std::time::Duration;

/// How often one caller may come. Nothing said: as often as it likes.
#[derive(Debug, Clone, Default)]
pub struct RateSettings {
    /// All of them hold.
    pub rules: Vec<RateRule>,
    /// Paths that are not counted, with all below them.
    pub excluded_paths: Vec<String>,
    /// Callers that are not counted: names or ids of platforms, names or subjects of people and programs.
    pub excluded_callers: Vec<String>,
}

pub(super) async fn run(
    State((app, limiter)): State<(App, Arc<Limiter>)>,
    request: Request,
    next: Next,
) -> Response {
    match check(&app, &limiter, &request) {
        Ok(budget) => shown(budget, next.run(request).await),
        Err(refused) => refused,
    }
}

/// Counts a request whose caller is known.
pub(super) fn check(
    app: &App,
    limiter: &Limiter,
    request: &Request,
) -> Result<Option<Budget>, Response> {
    if limiter.is_idle() {
        return Ok(None);
    }
    let ctx = request.extensions().get::<Ctx>();
    let Some(key) = ctx.and_then(|ctx| key(ctx, &app.settings.rate.excluded_callers)) else {
        return Ok(None);
    };
    limiter
        .check(&key, request.method(), request.uri().path())
        .map_err(|over| shown(Some(over), refusal(app, over.reset)))
}

/// The answer, with what its caller has left.
pub(super) fn shown(budget: Option<Budget>, mut response: Response) -> Response {
    if let Some(budget) = budget {
        budget.write(&mut response);
    }
    response
}

/// Come again when that much time has passed.
pub(super) fn refusal(app: &App, wait: Duration) -> Response {
    meter::throttled();
    let until = app.deeds.now().plus(wait);
    Failure::from(Error::Throttled { until }).into_response()
}

/// What a caller is counted under; `None` when it is not counted. Who says no name is their address.
fn key(ctx: &Ctx, excluded: &[String]) -> Option<String> {
    let names: &[&str] = match &ctx.caller {
        Caller::Anonymous => return Some(format!("address:{}", ctx.remote)),
        Caller::Platform(platform) => &[platform.id.as_str(), platform.name.as_str()],
        Caller::Person(person) => &[person.subject.as_str(), person.name.as_str()],
        Caller::System(_) => return None,
    };
    let free = excluded.iter().any(|free| names.contains(&free.as_str()));
    (!free).then(|| ctx.caller.key())
}
