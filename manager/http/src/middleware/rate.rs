//! How often one caller may come. Each rule counts each caller by itself; the counts are of this process.
//!
//! The rule: a refusal says when to come again, and that moment is true: who waits for it is served.

mod limiter;
mod rule;

pub(crate) use limiter::Limiter;
pub use rule::{BadRule, RateRule};

use crate::{App, Failure, meter};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use qm_model::{Caller, Ctx, Error};
use std::sync::Arc;

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
    let ctx = request.extensions().get::<Ctx>();
    let key = ctx.and_then(|ctx| key(ctx, &app.settings.rate.excluded_callers));
    let path = request.uri().path();
    let waited = key.map(|key| limiter.check(&key, request.method(), path));
    match waited {
        None | Some(Ok(())) => next.run(request).await,
        Some(Err(wait)) => {
            meter::throttled();
            let until = app.deeds.now().plus(wait);
            Failure::from(Error::Throttled { until }).into_response()
        }
    }
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
