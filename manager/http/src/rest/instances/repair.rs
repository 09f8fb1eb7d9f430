//! The ways out of what failed: `POST /v1/service_instances/{id}/undelete`, `/retry` and `/rollback`. None takes a body.

use crate::App;
use crate::decode::{Asked, Params, Path};
use crate::encode::answer;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::instance;
use qm_manager_api::{AsyncQuery, Empty, ErrorBody, Instance as Shape};
use qm_model::Ctx;

/// Keeps an instance whose deletion failed: takes back that it was to be deleted. The broker is asked whether it has it.
#[utoipa::path(post, path = "/v1/service_instances/{id}/undelete", tag = "instances", operation_id = "undelete_instance",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Shape, description = "Kept"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn undelete(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
) -> Answer {
    params.not_async()?;
    let shown = app
        .act(move |deeds| async move { instance::undelete(&deeds, &ctx, &id).await })
        .await?;
    Ok(answer::ok(shown))
}

/// Does the last operation once more, which failed. Always goes on in the background.
#[utoipa::path(post, path = "/v1/service_instances/{id}/retry", tag = "instances", operation_id = "retry_instance",
    params(("id" = String, Path), ("X-Originating-Identity" = Option<String>, Header, description = "Who asked the caller: a JSON object, for the broker")),
    security(("bearer" = [])),
    responses(
        (status = 202, body = Empty, description = "Under way", headers(("Location" = String, description = "Path of the operation"))),
        (status = "default", body = ErrorBody, description = "Refused"),
    ))]
pub(crate) async fn retry(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    Asked(how): Asked,
) -> Answer {
    let operation = app
        .act(move |deeds| async move { instance::retry(&deeds, &ctx, &id, how).await })
        .await?;
    Ok(answer::accepted(&operation))
}

/// Goes back to the last good values after a change that failed.
#[utoipa::path(post, path = "/v1/service_instances/{id}/rollback", tag = "instances", operation_id = "rollback_instance",
    params(("id" = String, Path), AsyncQuery, ("X-Originating-Identity" = Option<String>, Header, description = "Who asked the caller: a JSON object, for the broker")),
    security(("bearer" = [])),
    responses(
        (status = 200, body = Shape, description = "As it was"),
        (status = 202, body = Empty, description = "Under way", headers(("Location" = String, description = "Path of the operation"))),
        (status = 502, body = ErrorBody, description = "The broker refused or broke; with its own words"),
        (status = "default", body = ErrorBody, description = "Refused"),
    ))]
pub(crate) async fn rollback(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    Asked(how): Asked,
) -> Answer {
    let mode = how.mode;
    let done = app
        .act(move |deeds| async move { instance::rollback(&deeds, &ctx, &id, how).await })
        .await?;
    Ok(answer::done(mode, done, answer::ok))
}
