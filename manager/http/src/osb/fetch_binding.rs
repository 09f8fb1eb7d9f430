//! `GET .../service_bindings/{id}`: what the broker says of a binding.
//!
//! Nothing is recorded, so who hangs up takes the question back.

use crate::App;
use crate::decode::door::Knock;
use crate::encode::door;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::binding;
use qm_manager_api::ErrorBody;
use qm_model::Ctx;

/// What the broker says of a binding.
#[utoipa::path(get, path = "/v1/osb/{broker_id}/v2/service_instances/{instance_id}/service_bindings/{binding_id}",
    tag = "osb", operation_id = "osb_fetch_binding", security(("platform" = [])),
    params(("broker_id" = String, Path, description = "The manager's id of the broker"), ("instance_id" = String, Path), ("binding_id" = String, Path), ("service_id" = Option<String>, Query), ("plan_id" = Option<String>, Query)),
    responses((status = 200, body = Object, description = "The binding, with its credentials"),
        (status = "default", body = ErrorBody, description = "Refused, by the manager or by the broker")))]
pub(crate) async fn fetch_binding(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Knock(asked): Knock,
) -> Answer {
    Ok(door::reply(binding::fetch(&app.deeds, &ctx, asked).await?))
}
