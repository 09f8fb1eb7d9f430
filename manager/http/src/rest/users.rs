//! `/v1/users`: people who log in at the built-in issuer.

use super::Answer;
use crate::decode::{Body, Path, identity as decode};
use crate::encode::{answer, identity as shape};
use crate::{App, Failure};
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::identity::{self, NewUser, UserChange};
use qm_manager_api::{
    Empty, ErrorBody, NewUser as NewShape, Page, Secret, User as Shape, UserPatch,
};
use qm_model::Ctx;

/// Another password for oneself.
#[derive(Debug, serde::Deserialize, utoipa::ToSchema)]
pub(crate) struct OwnPassword {
    /// The one that is valid now.
    #[schema(value_type = String, format = Password)]
    old_password: Secret<String>,
    /// The one that is valid from then on.
    #[schema(value_type = String, format = Password)]
    password: Secret<String>,
}

/// Adds a user.
#[utoipa::path(post, path = "/v1/users", tag = "login", operation_id = "add_user",
    request_body = NewShape, security(("bearer" = [])),
    responses((status = 201, body = Shape, description = "Added"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn add(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Body(new): Body<NewShape>,
) -> Answer {
    let NewShape {
        name,
        password,
        roles,
        tenant,
    } = new;
    let new = NewUser {
        name,
        password: Some(password),
        roles: decode::roles(roles),
        tenant,
    };
    let added = app
        .act(move |deeds| async move { identity::add_user(&deeds, &ctx, new).await })
        .await?;
    Ok(answer::json(StatusCode::CREATED, &shape::user(added.user)))
}

/// Lists users by name, all on one page.
#[utoipa::path(get, path = "/v1/users", tag = "login", operation_id = "list_users", security(("bearer" = [])),
    responses((status = 200, body = Page<Shape>, description = "All of them"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(State(app): State<App>, Extension(ctx): Extension<Ctx>) -> Answer {
    let users = identity::list_users(&app.deeds, &ctx).await?;
    let items: Vec<Shape> = users.into_iter().map(shape::user).collect();
    let number = items.len() as u64;
    Ok(answer::json(
        StatusCode::OK,
        &Page::new(items, number, None),
    ))
}

/// One user.
#[utoipa::path(get, path = "/v1/users/{id}", tag = "login", operation_id = "get_user",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Shape, description = "The user"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    let user = identity::get_user(&app.deeds, &ctx, &decode::user(id)?).await?;
    Ok(answer::json(StatusCode::OK, &shape::user(user)))
}

/// Changes a user: password, roles, tenant.
#[utoipa::path(patch, path = "/v1/users/{id}", tag = "login", operation_id = "update_user",
    params(("id" = String, Path)), request_body = UserPatch, security(("bearer" = [])),
    responses((status = 200, body = Shape, description = "Changed"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn update(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    Body(patch): Body<UserPatch>,
) -> Answer {
    let id = decode::user(id)?;
    let UserPatch {
        name,
        password,
        roles,
        tenant,
    } = patch;
    if name.value().is_some() {
        return Err(Failure::bad_request(
            "name: cannot be changed; add another user",
        ));
    }
    let change = UserChange {
        password: password.value(),
        roles: roles.value().map(decode::roles),
        tenant: tenant.into_nested(),
    };
    let user = app
        .act(move |deeds| async move { identity::change_user(&deeds, &ctx, &id, change).await })
        .await?;
    Ok(answer::json(StatusCode::OK, &shape::user(user)))
}

/// Removes a user. The last administrator stays.
#[utoipa::path(delete, path = "/v1/users/{id}", tag = "login", operation_id = "delete_user",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Empty, description = "Removed"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn remove(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    let id = decode::user(id)?;
    app.act(move |deeds| async move { identity::remove_user(&deeds, &ctx, &id).await })
        .await?;
    Ok(answer::empty())
}

/// Changes one's own password.
#[utoipa::path(put, path = "/v1/users/me/password", tag = "login", operation_id = "change_own_password",
    request_body = OwnPassword, security(("bearer" = [])),
    responses((status = 200, body = Empty, description = "Changed"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn own_password(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Body(body): Body<OwnPassword>,
) -> Answer {
    let OwnPassword {
        old_password,
        password,
    } = body;
    app.act(move |deeds| async move {
        identity::change_own_password(&deeds, &ctx, old_password, password).await
    })
    .await?;
    Ok(answer::empty())
}
