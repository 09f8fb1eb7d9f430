//! `/v1/service_instances`. Reading is here, each change in a file of its own.

pub(crate) mod change;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod grants;
pub(crate) mod parameters;
pub(crate) mod repair;

use super::{Answer, operation_of};
use crate::App;
use crate::decode::{Listing, Path};
use crate::encode::{Encode as _, answer, page, told};
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::read;
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
    let Listing {
        field,
        label,
        page: wanted,
        attach,
        ..
    } = &listing;
    let (field, label) = (field.as_deref(), label.as_deref());
    let found = read::list::<Instance>(&app.deeds, &ctx, field, label, *wanted, *attach).await?;
    let operations = found.items.iter();
    let operations = operations.filter_map(|shown| shown.last_operation.as_ref());
    let mut words = read::said(&app.deeds, &ctx, operations).await?;
    Ok(page::answer(&listing, found, |shown| {
        let mut shape = told::tell(Instance::encode(shown), &mut words);
        // Without the last operation nobody can say.
        if !attach {
            shape.state = None;
            shape.message = None;
        }
        shape
    }))
}

/// One instance: how it does, and its last operation.
#[utoipa::path(get, path = "/v1/service_instances/{id}", tag = "instances", operation_id = "get_instance",
    params(("id" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Shape, description = "The instance"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    let shown = read::one::<Instance>(&app.deeds, &ctx, &id).await?;
    let mut words = read::said(&app.deeds, &ctx, &shown.last_operation).await?;
    let shape = told::tell(Instance::encode(shown), &mut words);
    Ok(answer::json(StatusCode::OK, &shape))
}

/// One operation of an instance: its steps, attempts, when it is tried next, and what went wrong.
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
