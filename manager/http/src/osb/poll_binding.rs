//! `GET .../service_bindings/{id}/last_operation`: how it does.

use crate::App;
use crate::decode::door::Knock;
use crate::encode::door;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::binding;
use qm_manager_api::ErrorBody;
use qm_model::Ctx;

/// How a binding's last operation does.
#[utoipa::path(get, path = "/v1/osb/{broker_id}/v2/service_instances/{instance_id}/service_bindings/{binding_id}/last_operation",
    tag = "osb", operation_id = "osb_poll_binding", security(("platform" = [])),
    params(("broker_id" = String, Path, description = "The manager's id of the broker"), ("instance_id" = String, Path), ("binding_id" = String, Path), ("service_id" = Option<String>, Query), ("plan_id" = Option<String>, Query), ("operation" = Option<String>, Query, description = "As the answer 202 named it")),
    responses((status = 200, body = Object, description = "The state: in progress, succeeded or failed"),
        (status = 410, body = Object, description = "It is removed"),
        (status = "default", body = ErrorBody, description = "Refused, by the manager or by the broker")))]
pub(crate) async fn poll_binding(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Knock(asked): Knock,
) -> Answer {
    let reply = app
        .act(move |deeds| async move { binding::poll(&deeds, &ctx, asked).await })
        .await?;
    Ok(door::reply(reply))
}
