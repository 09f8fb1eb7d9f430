//! `POST /v1/service_instances`.

use crate::App;
use crate::decode::{Asked, Body, instance as decode};
use crate::encode::{Encode as _, answer};
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::instance;
use qm_manager_api::{AsyncQuery, Empty, ErrorBody, Instance as Shape, NewInstance as NewShape};
use qm_model::Ctx;
use qm_model::instance::Instance;

/// Makes a service instance at the manager itself: the broker of its plan is asked for it.
#[utoipa::path(post, path = "/v1/service_instances", tag = "instances", operation_id = "create_instance",
    params(AsyncQuery, ("X-Originating-Identity" = Option<String>, Header, description = "Who asked the caller: a JSON object, for the broker")),
    request_body = NewShape, security(("bearer" = [])),
    responses(
        (status = 201, body = Shape, description = "Made"),
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
    let done = app
        .act(move |deeds| async move { instance::create(&deeds, &ctx, new, how).await })
        .await?;
    Ok(answer::done(mode, done, |shown| {
        answer::json(StatusCode::CREATED, &Instance::encode(shown))
    }))
}
