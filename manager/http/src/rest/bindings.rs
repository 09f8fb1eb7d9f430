//! `/v1/service_bindings`. Only reading so far.

use super::{Answer, list as page, one, operation_of};
use crate::App;
use crate::decode::{Listing, Path};
use axum::Extension;
use axum::extract::State;
use qm_manager_api::{Binding as Shape, ErrorBody, ListQuery, Operation, Page};
use qm_model::binding::Binding;
use qm_model::{Ctx, Kind};

/// Lists service bindings. A platform gets its own.
#[utoipa::path(get, path = "/v1/service_bindings", tag = "bindings", operation_id = "list_bindings",
    params(ListQuery), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Page<Shape>, description = "A page"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    listing: Listing,
) -> Answer {
    page::<Binding>(&app, &ctx, &listing).await
}

/// One binding with its last operation.
#[utoipa::path(get, path = "/v1/service_bindings/{id}", tag = "bindings", operation_id = "get_binding",
    params(("id" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Shape, description = "The binding"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    one::<Binding>(&app, &ctx, &id).await
}

/// One operation of a binding.
#[utoipa::path(get, path = "/v1/service_bindings/{id}/operations/{operation}", tag = "bindings", operation_id = "get_binding_operation",
    params(("id" = String, Path), ("operation" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Operation, description = "The operation"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn operation(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path((id, operation)): Path<(String, String)>,
) -> Answer {
    operation_of(&app, &ctx, Kind::Binding, &id, &operation).await
}
