//! `PATCH /v1/service_bindings/{id}`. Always done at once: the broker is not asked.

use crate::App;
use crate::decode::{Body, Params, Path, binding as decode};
use crate::encode::answer;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::binding;
use qm_manager_api::{Binding as Shape, BindingPatch, ErrorBody};
use qm_model::Ctx;

/// Changes the name and the labels of a service binding. The answer does not repeat its credentials.
#[utoipa::path(patch, path = "/v1/service_bindings/{id}", tag = "bindings", operation_id = "update_binding",
    params(("id" = String, Path)), request_body = BindingPatch, security(("bearer" = [])),
    responses((status = 200, body = Shape, description = "Changed"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn change(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
    Body(patch): Body<BindingPatch>,
) -> Answer {
    params.not_async()?;
    let change = decode::change(patch)?;
    let shown = app
        .act(move |deeds| async move { binding::change(&deeds, &ctx, &id, change).await })
        .await?;
    Ok(answer::ok(shown))
}
