//! `PUT .../service_instances/{id}`: makes an instance.

use crate::App;
use crate::decode::door::Knock;
use crate::encode::door;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::instance;
use qm_manager_api::ErrorBody;
use qm_model::Ctx;

/// Makes an instance at the broker.
#[utoipa::path(put, path = "/v1/osb/{broker_id}/v2/service_instances/{instance_id}",
    tag = "osb", operation_id = "osb_provision", security(("platform" = [])),
    request_body(content = Object, description = "The provision request of OSB 2.17"),
    params(("broker_id" = String, Path, description = "The manager's id of the broker"), ("instance_id" = String, Path), ("accepts_incomplete" = Option<bool>, Query, description = "Whether the answer may be 202")),
    responses((status = 201, body = Object, description = "Made"),
        (status = 200, body = Object, description = "It was there already, made with the same"),
        (status = 202, body = Object, description = "Under way"),
        (status = "default", body = ErrorBody, description = "Refused, by the manager or by the broker")))]
pub(crate) async fn provision(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Knock(asked): Knock,
) -> Answer {
    let reply = app
        .act(move |deeds| async move { instance::provision(&deeds, &ctx, asked).await })
        .await?;
    Ok(door::reply(reply))
}
