//! `/v1/visibilities`. Never asynchronous: clients in the field cannot take a 202 here.

use super::{Answer, chosen, list as page, matching, one, operation_of};
use crate::decode::{Body, Listing, Params, Path, label, removal};
use crate::encode::{Encode, answer};
use crate::{App, Failure};
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::visibility::{self, NewVisibility, VisibilityChange};
use qm_manager_api::{
    BulkDeleteQuery, Empty, ErrorBody, ListQuery, NewVisibility as NewShape, Operation, Page,
    Visibility as Shape, VisibilityPatch,
};
use qm_model::visibility::Visibility;
use qm_model::{Ctx, Kind};

/// Makes a plan visible to a platform, or to all of them.
#[utoipa::path(post, path = "/v1/visibilities", tag = "visibilities", operation_id = "create_visibility",
    request_body = NewShape, security(("bearer" = [])),
    responses((status = 201, body = Shape, description = "Made"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn create(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    params: Params,
    Body(new): Body<NewShape>,
) -> Answer {
    params.not_async()?;
    let new = decode(new)?;
    let shown = app
        .act(move |deeds| async move { visibility::create(&deeds, &ctx, new).await })
        .await?;
    Ok(answer::json(
        StatusCode::CREATED,
        &Visibility::encode(shown),
    ))
}

/// Lists visibilities. A platform gets its own and the public ones.
#[utoipa::path(get, path = "/v1/visibilities", tag = "visibilities", operation_id = "list_visibilities",
    params(ListQuery), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Page<Shape>, description = "A page"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    listing: Listing,
) -> Answer {
    page::<Visibility>(&app, &ctx, &listing).await
}

/// One visibility with its last operation.
#[utoipa::path(get, path = "/v1/visibilities/{id}", tag = "visibilities", operation_id = "get_visibility",
    params(("id" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Shape, description = "The visibility"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    one::<Visibility>(&app, &ctx, &id).await
}

/// Changes a visibility: its plan, its platform, its labels.
#[utoipa::path(patch, path = "/v1/visibilities/{id}", tag = "visibilities", operation_id = "update_visibility",
    params(("id" = String, Path)), request_body = VisibilityPatch, security(("bearer" = [])),
    responses((status = 200, body = Shape, description = "Changed"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn update(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
    Body(patch): Body<VisibilityPatch>,
) -> Answer {
    params.not_async()?;
    let change = decode_change(patch)?;
    let shown = app
        .act(move |deeds| async move { visibility::update(&deeds, &ctx, &id, change).await })
        .await?;
    Ok(answer::ok(shown))
}

/// Takes a visibility away.
#[utoipa::path(delete, path = "/v1/visibilities/{id}", tag = "visibilities", operation_id = "delete_visibility",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Empty, description = "Taken away"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn remove(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
) -> Answer {
    removal::of(&params, Kind::Visibility)?;
    params.not_async()?;
    app.act(move |deeds| async move { visibility::remove(&deeds, &ctx, &id).await })
        .await?;
    Ok(answer::empty())
}

/// Takes every visibility that matches away, or none.
#[utoipa::path(delete, path = "/v1/visibilities", tag = "visibilities", operation_id = "delete_visibilities",
    params(BulkDeleteQuery), security(("bearer" = [])),
    responses((status = 200, body = Empty, description = "Taken away"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn remove_many(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    params: Params,
) -> Answer {
    removal::many(&params)?;
    let query = matching::<Visibility>(&params)?;
    app.act(move |deeds| async move { visibility::remove_many(&deeds, &ctx, query).await })
        .await?;
    Ok(answer::empty())
}

/// One operation of a visibility.
#[utoipa::path(get, path = "/v1/visibilities/{id}/operations/{operation}", tag = "visibilities", operation_id = "get_visibility_operation",
    params(("id" = String, Path), ("operation" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Operation, description = "The operation"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn operation(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path((id, operation)): Path<(String, String)>,
) -> Answer {
    operation_of(&app, &ctx, Kind::Visibility, &id, &operation).await
}

fn decode(new: NewShape) -> Result<NewVisibility, Failure> {
    let NewShape {
        id,
        platform_id,
        service_plan_id,
        labels,
    } = new;
    Ok(NewVisibility {
        id: chosen(id),
        platform_id,
        plan_id: service_plan_id,
        labels: label::labels(labels)?,
    })
}

/// A platform of `null` is all of them; a plan of `null` leaves it as it is.
fn decode_change(patch: VisibilityPatch) -> Result<VisibilityChange, Failure> {
    let VisibilityPatch {
        platform_id,
        service_plan_id,
        labels,
    } = patch;
    Ok(VisibilityChange {
        platform_id: platform_id.into_nested().map(Option::unwrap_or_default),
        plan_id: service_plan_id.value(),
        labels: label::changes(labels)?,
    })
}
