//! `/v1/service_instances`. Only reading so far.

use super::{Answer, list as page, one, operation_of};
use crate::App;
use crate::decode::{Listing, Path};
use axum::Extension;
use axum::extract::State;
use qm_manager_api::{ErrorBody, Instance as Shape, ListQuery, Operation, Page};
use qm_model::instance::Instance;
use qm_model::{Ctx, Kind};

/// Lists service instances. A platform gets its own.
#[utoipa::path(get, path = "/v1/service_instances", tag = "instances", operation_id = "list_instances",
    params(ListQuery), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Page<Shape>, description = "A page"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    listing: Listing,
) -> Answer {
    page::<Instance>(&app, &ctx, &listing).await
}

/// One instance with its last operation.
#[utoipa::path(get, path = "/v1/service_instances/{id}", tag = "instances", operation_id = "get_instance",
    params(("id" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Shape, description = "The instance"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    one::<Instance>(&app, &ctx, &id).await
}

/// One operation of an instance.
#[utoipa::path(get, path = "/v1/service_instances/{id}/operations/{operation}", tag = "instances", operation_id = "get_instance_operation",
    params(("id" = String, Path), ("operation" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Operation, description = "The operation"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn operation(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path((id, operation)): Path<(String, String)>,
) -> Answer {
    operation_of(&app, &ctx, Kind::Instance, &id, &operation).await
}
