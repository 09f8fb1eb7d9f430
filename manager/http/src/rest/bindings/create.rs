//! `POST /v1/service_bindings`.

use crate::App;
use crate::decode::{Asked, Body, binding as decode};
use crate::encode::{Encode as _, answer, binding as encode};
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::{Done, Mode, binding, read};
use qm_manager_api::{AsyncQuery, Binding as Shape, Empty, ErrorBody, NewBinding as NewShape};
use qm_model::Ctx;
use qm_model::binding::Binding;

/// Makes a service binding. The answer holds its credentials.
#[utoipa::path(post, path = "/v1/service_bindings", tag = "bindings", operation_id = "create_binding",
    params(AsyncQuery, ("X-Originating-Identity" = Option<String>, Header, description = "Who asked the caller: a JSON object, for the broker")),
    request_body = NewShape, security(("bearer" = [])),
    responses(
        (status = 201, body = Shape, description = "Made; with its credentials"),
        (status = 202, body = Empty, description = "Under way", headers(("Location" = String, description = "Path of the operation"))),
        (status = 502, body = ErrorBody, description = "The broker refused or broke; with its own words"),
        (status = "default", body = ErrorBody, description = "Refused"),
    ))]
pub(crate) async fn create(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Asked(how): Asked,
    Body(new): Body<NewShape>,
) -> Answer {
    let mode = how.mode;
    let new = decode::new(new)?;
    let by = ctx.clone();
    let done = app
        .act(move |deeds| async move { binding::create(&deeds, &by, new, how).await })
        .await?;
    let shown = match done {
        Done::Later(operation) => return Ok(answer::accepted(&operation)),
        Done::Now(shown) => shown,
    };
    if let (Mode::Async, Some(operation)) = (mode, &shown.last_operation) {
        return Ok(answer::accepted(operation));
    }
    let opened = read::binding(&app.deeds, &ctx, shown.resource.id.as_str()).await;
    Ok(match (opened, &shown.last_operation) {
        (Ok(opened), _) => answer::json(StatusCode::CREATED, &encode::opened(opened)),
        // It is made. Whoever cannot be shown it now is told where to look; nobody should make it twice.
        (Err(_), Some(operation)) => answer::accepted(operation),
        (Err(_), None) => answer::json(StatusCode::CREATED, &Binding::encode(shown)),
    })
}
