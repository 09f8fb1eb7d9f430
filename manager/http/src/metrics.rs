//! `/metrics` in Prometheus' text form. What there is stands in `docs/metrics.md`.

use crate::App;
use crate::Failure;
use axum::Extension;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::CONTENT_TYPE;
use qm_model::{Caller, Ctx, Error};

/// Figures about the process, in Prometheus' text form.
#[utoipa::path(get, path = "/metrics", tag = "operating", operation_id = "metrics", security((), ("bearer" = [])),
    responses((status = 200, body = String, content_type = "text/plain", description = "The figures")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
) -> Result<Response, Failure> {
    let open = app.settings.open_metrics;
    let reads = matches!(&ctx.caller, Caller::Person(person) if !person.roles.is_empty());
    if !open && !reads {
        return Err(Failure::from(Error::Unauthenticated {
            message: "No authenticated user found: this needs a Bearer token".to_owned(),
        }));
    }
    let text = (app.outside.metrics)();
    Ok((
        [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")],
        text,
    )
        .into_response())
}
