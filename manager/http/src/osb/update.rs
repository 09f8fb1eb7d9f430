//! `PATCH .../service_instances/{id}`: changes an instance.

use crate::App;
use crate::decode::door::Knock;
use crate::encode::door;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::instance;
use qm_manager_api::ErrorBody;
use qm_model::Ctx;

/// Changes an instance at the broker.
#[utoipa::path(patch, path = "/v1/osb/{broker_id}/v2/service_instances/{instance_id}",
    tag = "osb", operation_id = "osb_update", security(("platform" = [])),
    request_body(content = Object, description = "The update request of OSB 2.17"),
    params(("broker_id" = String, Path, description = "The manager's id of the broker"), ("instance_id" = String, Path), ("accepts_incomplete" = Option<bool>, Query, description = "Whether the answer may be 202")),
    responses((status = 200, body = Object, description = "Changed"),
        (status = 202, body = Object, description = "Under way"),
        (status = "default", body = ErrorBody, description = "Refused, by the manager or by the broker")))]
pub(crate) async fn update(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Knock(asked): Knock,
) -> Answer {
    let reply = app
        .act(move |deeds| async move { instance::update(&deeds, &ctx, asked).await })
        .await?;
    Ok(door::reply(reply))
}
