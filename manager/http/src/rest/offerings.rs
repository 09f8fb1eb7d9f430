//! `/v1/service_offerings`. They come from catalogs; only their labels can be changed here.

use super::{Answer, list as page, one, operation_of};
use crate::App;
use crate::decode::{Body, Listing, Params, Path, disabled, label};
use crate::encode::offering::with_plans;
use crate::encode::{self, Encode as _, answer};
use axum::Extension;
use axum::extract::State;
use qm_lifecycle::{Shown, catalog, read};
use qm_manager_api::{
    ErrorBody, ListQuery, Offering as Shape, OfferingPatch as Patch, Operation, Page,
};
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::{Ctx, Kind};

/// Lists offerings. A Kubernetes platform gets those with a plan that is visible to it.
#[utoipa::path(get, path = "/v1/service_offerings", tag = "offerings", operation_id = "list_offerings",
    params(ListQuery, ("attach_plans" = Option<bool>, Query, description = "Show each offering's plans in it")), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Page<Shape>, description = "A page"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    params: Params,
    listing: Listing,
) -> Answer {
    disabled::check(&app, &params)?;
    if !params.flag("attach_plans") {
        return page::<Offering>(&app, &ctx, &listing).await;
    }
    let (field, label) = (listing.field.as_deref(), listing.label.as_deref());
    let (wanted, attach) = (listing.page, listing.attach);
    let found = read::offered(&app.deeds, &ctx, field, label, wanted, attach).await?;
    Ok(encode::page::answer(&listing, found, |(shown, plans)| {
        let plans = plans.into_iter().map(|resource| {
            Plan::encode(Shown {
                resource,
                last_operation: None,
            })
        });
        with_plans(shown, plans.collect())
    }))
}

/// One offering with its last operation.
#[utoipa::path(get, path = "/v1/service_offerings/{id}", tag = "offerings", operation_id = "get_offering",
    params(("id" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Shape, description = "The offering"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    one::<Offering>(&app, &ctx, &id).await
}

/// Changes the labels of an offering. Everything else is the broker's to say.
#[utoipa::path(patch, path = "/v1/service_offerings/{id}", tag = "offerings", operation_id = "label_offering",
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
        .act(move |deeds| async move { catalog::label_offering(&deeds, &ctx, &id, changes).await })
        .await?;
    Ok(answer::ok(shown))
}

/// One operation of an offering.
#[utoipa::path(get, path = "/v1/service_offerings/{id}/operations/{operation}", tag = "offerings", operation_id = "get_offering_operation",
    params(("id" = String, Path), ("operation" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Operation, description = "The operation"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn operation(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path((id, operation)): Path<(String, String)>,
) -> Answer {
    operation_of(&app, &ctx, Kind::Offering, &id, &operation).await
}
