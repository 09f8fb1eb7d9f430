//! `GET /v1/service_bindings/{id}/parameters`.

use crate::App;
use crate::decode::{Params, Path};
use crate::encode::answer;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::binding;
use qm_manager_api::{ErrorBody, Parameters};
use qm_model::Ctx;

/// The parameters of a service binding, as its broker says them; `null` when it says none.
#[utoipa::path(get, path = "/v1/service_bindings/{id}/parameters", tag = "bindings", operation_id = "get_binding_parameters",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Parameters, description = "The parameters"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
) -> Answer {
    params.not_async()?;
    let found = binding::parameters(&app.deeds, &ctx, &id).await?;
    Ok(answer::json(StatusCode::OK, &Parameters(found)))
}
