//! `/v1/operations`: what was and is being done, to everything.

use super::{Answer, whole};
use crate::App;
use crate::decode::{Listing, Params, Path, removal};
use crate::encode::{Encode as _, answer, page, told};
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::{operation, read};
use qm_manager_api::{Empty, ErrorBody, ListQuery, Operation as Shape, Page};
use qm_model::operation::Operation;
use qm_model::{Ctx, Kind};

/// Lists operations.
#[utoipa::path(get, path = "/v1/operations", tag = "operations", operation_id = "list_operations",
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
        // An operation has none itself.
        attach: _,
        ..
    } = &listing;
    let (field, label) = (field.as_deref(), label.as_deref());
    let found = read::list::<Operation>(&app.deeds, &ctx, field, label, *wanted, false).await?;
    let operations = found.items.iter().map(|shown| &shown.resource);
    let mut words = read::said(&app.deeds, &ctx, operations).await?;
    Ok(page::answer(&listing, found, |shown| {
        told::tell(Operation::encode(shown), &mut words)
    }))
}

/// One operation.
#[utoipa::path(get, path = "/v1/operations/{id}", tag = "operations", operation_id = "get_operation",
    params(("id" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Shape, description = "The operation"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    let found = read::one::<Operation>(&app.deeds, &ctx, &id).await?;
    whole(&app, &ctx, found.resource).await
}

/// Removes the record of an operation that has ended.
#[utoipa::path(delete, path = "/v1/operations/{id}", tag = "operations", operation_id = "delete_operation",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Empty, description = "Removed"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn remove(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
) -> Answer {
    removal::of(&params, Kind::Operation)?;
    params.not_async()?;
    app.act(move |deeds| async move { operation::remove(&deeds, &ctx, &id).await })
        .await?;
    Ok(answer::empty())
}
