//! `/v1/platforms`. Never asynchronous, except for a cascade: clients in the field cannot take a 202 here.

use super::{Answer, cascade, chosen, list as page, matching, one, operation_of};
use crate::decode::removal::{self, Removal};
use crate::decode::{Body, Listing, Params, Path, label};
use crate::encode::{Encode, answer, platform as shape};
use crate::{App, Failure};
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::Shown;
use qm_lifecycle::platform::{self, NewPlatform, PlatformChange, WithCredentials};
use qm_manager_api::{
    BulkDeleteQuery, DeleteQuery, Empty, ErrorBody, ListQuery, NewPlatform as NewShape, Operation,
    Page, Platform as Shape, PlatformPatch, PlatformPatchQuery,
};
use qm_model::id::PlatformId;
use qm_model::platform::Platform;
use qm_model::{Ctx, Kind};

/// Registers a platform. The answer holds what it logs in with, this once.
#[utoipa::path(post, path = "/v1/platforms", tag = "platforms", operation_id = "register_platform",
    request_body = NewShape, security(("bearer" = [])),
    responses((status = 201, body = Shape, description = "Registered; with its credentials"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn register(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    params: Params,
    Body(new): Body<NewShape>,
) -> Answer {
    params.not_async()?;
    let new = decode(new)?;
    let shown = app
        .act(move |deeds| async move { platform::register(&deeds, &ctx, new).await })
        .await?;
    Ok(answer::json(StatusCode::CREATED, &encode(shown)))
}

/// Lists platforms.
#[utoipa::path(get, path = "/v1/platforms", tag = "platforms", operation_id = "list_platforms",
    params(ListQuery), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Page<Shape>, description = "A page"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    listing: Listing,
) -> Answer {
    page::<Platform>(&app, &ctx, &listing).await
}

/// One platform with its last operation.
#[utoipa::path(get, path = "/v1/platforms/{id}", tag = "platforms", operation_id = "get_platform",
    params(("id" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Shape, description = "The platform"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    one::<Platform>(&app, &ctx, &id).await
}

/// Changes a platform, and gives it a new pair when asked to.
#[utoipa::path(patch, path = "/v1/platforms/{id}", tag = "platforms", operation_id = "update_platform",
    params(("id" = String, Path), PlatformPatchQuery), request_body = PlatformPatch, security(("bearer" = [])),
    responses((status = 200, body = Shape, description = "Changed; with its credentials if they are new"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn update(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
    Body(patch): Body<PlatformPatch>,
) -> Answer {
    params.not_async()?;
    let change = decode_change(patch, params.flag("regenerateCredentials"))?;
    let shown = app
        .act(move |deeds| async move { platform::update(&deeds, &ctx, &id, change).await })
        .await?;
    Ok(answer::json(StatusCode::OK, &encode(shown)))
}

/// Removes a platform that has no instances; with `cascade=true` what it has goes first.
#[utoipa::path(delete, path = "/v1/platforms/{id}", tag = "platforms", operation_id = "delete_platform",
    params(("id" = String, Path), DeleteQuery), security(("bearer" = [])),
    responses(
        (status = 200, body = Empty, description = "Removed"),
        (status = 202, body = Empty, description = "With cascade=true", headers(("Location" = String, description = "Path of the operation"))),
        (status = "default", body = ErrorBody, description = "Refused"),
    ))]
pub(crate) async fn remove(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
) -> Answer {
    let removal = removal::of(&params, Kind::Platform)?;
    let removed = id.clone();
    let answer = match removal {
        Removal::Alone => {
            params.not_async()?;
            app.act(move |deeds| async move { platform::remove(&deeds, &ctx, &id).await })
                .await?;
            answer::empty()
        }
        // Answered as one that lasts, however short it is.
        Removal::Cascade { force } => cascade(&app, ctx, Kind::Platform, id, force).await?,
    };
    if let Ok(removed) = PlatformId::new(removed) {
        app.stream.cut(&removed);
    }
    Ok(answer)
}

/// Removes every platform that matches, or none.
#[utoipa::path(delete, path = "/v1/platforms", tag = "platforms", operation_id = "delete_platforms",
    params(BulkDeleteQuery), security(("bearer" = [])),
    responses((status = 200, body = Empty, description = "Removed"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn remove_many(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    params: Params,
) -> Answer {
    removal::many(&params)?;
    let query = matching::<Platform>(&params)?;
    app.act(move |deeds| async move { platform::remove_many(&deeds, &ctx, query).await })
        .await?;
    Ok(answer::empty())
}

/// One operation of a platform.
#[utoipa::path(get, path = "/v1/platforms/{id}/operations/{operation}", tag = "platforms", operation_id = "get_platform_operation",
    params(("id" = String, Path), ("operation" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Operation, description = "The operation"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn operation(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path((id, operation)): Path<(String, String)>,
) -> Answer {
    operation_of(&app, &ctx, Kind::Platform, &id, &operation).await
}

fn encode(shown: Shown<WithCredentials>) -> Shape {
    let Shown {
        resource: WithCredentials {
            platform,
            credentials,
        },
        last_operation,
    } = shown;
    let mut answer = Platform::encode(Shown {
        resource: platform,
        last_operation,
    });
    answer.credentials = credentials.map(shape::credentials);
    answer
}

fn decode(new: NewShape) -> Result<NewPlatform, Failure> {
    let NewShape {
        id,
        name,
        kind,
        description,
        technical,
        suspended,
        labels,
    } = new;
    Ok(NewPlatform {
        id: chosen(id),
        name,
        platform_type: kind,
        description: description.unwrap_or_default(),
        technical,
        suspended,
        labels: label::labels(labels)?,
    })
}

/// `null` leaves a field as it is, as with the old server.
fn decode_change(patch: PlatformPatch, regenerate: bool) -> Result<PlatformChange, Failure> {
    let PlatformPatch {
        name,
        kind,
        description,
        technical,
        suspended,
        labels,
    } = patch;
    // A platform that logs in would lose its credentials. Who can be seen and changed is not technical, so
    // `false` says nothing new.
    if technical.value() == Some(true) {
        return Err(Failure::bad_request(
            "technical: a platform cannot become technical; register another one",
        ));
    }
    Ok(PlatformChange {
        name: name.value(),
        platform_type: kind.value(),
        description: description.value(),
        suspended: suspended.value(),
        labels: label::changes(labels)?,
        regenerate,
    })
}
