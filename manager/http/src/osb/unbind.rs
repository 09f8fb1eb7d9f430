//! `DELETE .../service_bindings/{id}`: removes a binding.

use crate::App;
use crate::decode::door::Knock;
use crate::encode::door;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::binding;
use qm_manager_api::ErrorBody;
use qm_model::Ctx;

/// Removes a binding at the broker.
#[utoipa::path(delete, path = "/v1/osb/{broker_id}/v2/service_instances/{instance_id}/service_bindings/{binding_id}",
    tag = "osb", operation_id = "osb_unbind", security(("platform" = [])),
    params(("broker_id" = String, Path, description = "The manager's id of the broker"), ("instance_id" = String, Path), ("binding_id" = String, Path), ("service_id" = String, Query), ("plan_id" = String, Query), ("accepts_incomplete" = Option<bool>, Query, description = "Whether the answer may be 202")),
    responses((status = 200, body = Object, description = "Removed"),
        (status = 202, body = Object, description = "Under way"),
        (status = 410, body = Object, description = "There is none"),
        (status = "default", body = ErrorBody, description = "Refused, by the manager or by the broker")))]
pub(crate) async fn unbind(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Knock(asked): Knock,
) -> Answer {
    let reply = app
        .act(move |deeds| async move { binding::unbind(&deeds, &ctx, asked).await })
        .await?;
    Ok(door::reply(reply))
}
