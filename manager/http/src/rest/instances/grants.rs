//! `/v1/service_instances/{id}/grants`: who may refer to a shared instance beside its own tenant.

use crate::App;
use crate::decode::{Body, Params, Path, grant as decode};
use crate::encode::{answer, grant as encode};
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::instance::grant as deed;
use qm_manager_api::{Empty, ErrorBody, Grant as Shape, NewGrant, Page};
use qm_model::Ctx;

/// Lets a tenant or a platform refer to a shared instance.
#[utoipa::path(post, path = "/v1/service_instances/{id}/grants", tag = "instances", operation_id = "grant_instance",
    params(("id" = String, Path)), request_body = NewGrant, security(("bearer" = [])),
    responses((status = 201, body = Shape, description = "Granted"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn grant(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
    Body(new): Body<NewGrant>,
) -> Answer {
    params.not_async()?;
    let grantee = decode::grantee(new)?;
    let share = app
        .act(move |deeds| async move { deed::grant(&deeds, &ctx, &id, grantee).await })
        .await?;
    Ok(answer::json(StatusCode::CREATED, &encode::shape(share)))
}

/// Lists who may refer to an instance. All of them, on one page.
#[utoipa::path(get, path = "/v1/service_instances/{id}/grants", tag = "instances", operation_id = "list_instance_grants",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Page<Shape>, description = "All of them"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    let shares = deed::list(&app.deeds, &ctx, &id).await?;
    let items: Vec<Shape> = shares.into_iter().map(encode::shape).collect();
    let number = items.len() as u64;
    Ok(answer::json(
        StatusCode::OK,
        &Page::new(items, number, None),
    ))
}

/// Takes a grant back.
#[utoipa::path(delete, path = "/v1/service_instances/{id}/grants/{grant}", tag = "instances", operation_id = "revoke_instance_grant",
    params(("id" = String, Path), ("grant" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Empty, description = "Taken back"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn revoke(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path((id, grant)): Path<(String, String)>,
    params: Params,
) -> Answer {
    params.not_async()?;
    app.act(move |deeds| async move { deed::revoke(&deeds, &ctx, &id, &grant).await })
        .await?;
    Ok(answer::empty())
}
