//! `/v1/service_bindings`. Reading is here, each change in a file of its own.
//!
//! The rule: credentials are shown to whom the deed gives them, and to nobody by another way.

pub(crate) mod change;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod parameters;

use super::{Answer, operation_of};
use crate::App;
use crate::decode::{Listing, Path};
use crate::encode::{answer, binding as encode, page, told};
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::read;
use qm_manager_api::{Binding as Shape, ErrorBody, ListQuery, Operation, Page};
use qm_model::{Ctx, Kind};

/// Lists service bindings, for developers with their credentials. A platform gets its own.
#[utoipa::path(get, path = "/v1/service_bindings", tag = "bindings", operation_id = "list_bindings",
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
    let found = read::bindings(&app.deeds, &ctx, field, label, *wanted, *attach).await?;
    let operations = found.items.iter();
    let operations = operations.filter_map(|(shown, _)| shown.last_operation.as_ref());
    let mut words = read::said(&app.deeds, &ctx, operations).await?;
    Ok(page::answer(&listing, found, |opened| {
        told::tell(encode::opened(opened), &mut words)
    }))
}

/// One binding with its last operation, for developers with its credentials.
#[utoipa::path(get, path = "/v1/service_bindings/{id}", tag = "bindings", operation_id = "get_binding",
    params(("id" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Shape, description = "The binding"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    let opened = read::binding(&app.deeds, &ctx, &id).await?;
    let mut words = read::said(&app.deeds, &ctx, &opened.0.last_operation).await?;
    let shape = told::tell(encode::opened(opened), &mut words);
    Ok(answer::json(StatusCode::OK, &shape))
}

/// One operation of a binding: its steps, attempts, when it is tried next, and what went wrong.
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
