//! `POST .../service_bindings/{id}/adapt_credentials`: lets the broker rewrite credentials for where they are used.

use crate::App;
use crate::decode::door::Knock;
use crate::encode::door;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::binding;
use qm_manager_api::ErrorBody;
use qm_model::Ctx;

/// Lets the broker rewrite credentials for where they are used.
#[utoipa::path(post, path = "/v1/osb/{broker_id}/v2/service_instances/{instance_id}/service_bindings/{binding_id}/adapt_credentials",
    tag = "osb", operation_id = "osb_adapt_credentials", security(("platform" = [])),
    request_body(content = Object, description = "What the broker takes; not part of OSB"),
    params(("broker_id" = String, Path, description = "The manager's id of the broker"), ("instance_id" = String, Path), ("binding_id" = String, Path)),
    responses((status = 200, body = Object, description = "The credentials"),
        (status = "default", body = ErrorBody, description = "Refused, by the manager or by the broker")))]
pub(crate) async fn adapt_credentials(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Knock(asked): Knock,
) -> Answer {
    let reply = app
        .act(move |deeds| async move { binding::adapt(&deeds, &ctx, asked).await })
        .await?;
    Ok(door::reply(reply))
}
