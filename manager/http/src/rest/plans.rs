//! `/v1/service_plans`. They come from catalogs; only their labels can be changed here.

use super::{Answer, list as page, one, operation_of};
use crate::App;
use crate::decode::{Body, Listing, Params, Path, disabled, label};
use crate::encode::answer;
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::catalog;
use qm_manager_api::{ErrorBody, ListQuery, Operation, Page, Plan as Shape, PlanPatch as Patch};
use qm_model::plan::Plan;
use qm_model::{Ctx, Kind};

/// Lists plans. A Kubernetes platform gets those that are visible to it.
#[utoipa::path(get, path = "/v1/service_plans", tag = "plans", operation_id = "list_plans",
    params(ListQuery), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Page<Shape>, description = "A page"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    params: Params,
    listing: Listing,
) -> Answer {
    disabled::check(&app, &params)?;
    page::<Plan>(&app, &ctx, &listing).await
}

/// One plan with its last operation.
#[utoipa::path(get, path = "/v1/service_plans/{id}", tag = "plans", operation_id = "get_plan",
    params(("id" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Shape, description = "The plan"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    one::<Plan>(&app, &ctx, &id).await
}

/// Changes the labels of a plan. Everything else is the broker's to say.
#[utoipa::path(patch, path = "/v1/service_plans/{id}", tag = "plans", operation_id = "label_plan",
    params(("id" = String, Path)), request_body = Patch, security(("bearer" = [])),
    responses((status = 200, body = Shape, description = "Changed"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn update(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
    Body(patch): Body<Patch>,
) -> Answer {
    params.not_async()?;
    let Patch { labels } = patch;
    let changes = label::changes(labels)?;
    let shown = app
        .act(move |deeds| async move { catalog::label_plan(&deeds, &ctx, &id, changes).await })
        .await?;
    Ok(answer::ok(shown))
}

/// One operation of a plan.
#[utoipa::path(get, path = "/v1/service_plans/{id}/operations/{operation}", tag = "plans", operation_id = "get_plan_operation",
    params(("id" = String, Path), ("operation" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Operation, description = "The operation"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn operation(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path((id, operation)): Path<(String, String)>,
) -> Answer {
    operation_of(&app, &ctx, Kind::Plan, &id, &operation).await
}
