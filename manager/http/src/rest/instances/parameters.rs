//! `GET /v1/service_instances/{id}/parameters`.

use crate::App;
use crate::decode::{Params, Path};
use crate::encode::answer;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::instance;
use qm_manager_api::{ErrorBody, Parameters};
use qm_model::Ctx;

/// The parameters of a service instance, as its broker says them; `null` when it says none.
#[utoipa::path(get, path = "/v1/service_instances/{id}/parameters", tag = "instances", operation_id = "get_instance_parameters",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Parameters, description = "The parameters"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
) -> Answer {
    params.not_async()?;
    let found = instance::parameters(&app.deeds, &ctx, &id).await?;
    Ok(answer::json(StatusCode::OK, &Parameters(found)))
}
