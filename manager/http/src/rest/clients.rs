//! `/v1/clients`: programs that log in at the built-in issuer. Their secrets are made here and shown once.

use super::{Answer, chosen};
use crate::decode::{Body, Params, Path, identity as decode};
use crate::encode::{answer, identity as shape};
use crate::{App, Failure};
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::identity::{self, AddedClient, ClientChange, NewClient};
use qm_manager_api::{
    Client as Shape, ClientPatch, Empty, ErrorBody, NewClient as NewShape, Page, PlatformPatchQuery,
};
use qm_model::{Ctx, Error};

/// Who may choose a secret chooses a weak one.
const NOT_CHOSEN: &str =
    "secret: is made by the manager; leave it out, and renew it with regenerateCredentials=true";

/// Adds a client. The answer holds its secret, this once.
#[utoipa::path(post, path = "/v1/clients", tag = "login", operation_id = "add_client",
    request_body = NewShape, security(("bearer" = [])),
    responses((status = 201, body = Shape, description = "Added; with its secret"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn add(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Body(new): Body<NewShape>,
) -> Answer {
    let NewShape {
        id,
        description,
        secret,
        roles,
        tenant,
    } = new;
    if secret.is_some() {
        return Err(Failure::bad_request(NOT_CHOSEN));
    }
    let id = chosen(id).map(qm_model::id::ClientId::new).transpose();
    let new = NewClient {
        id: id.map_err(Error::from)?,
        description: description.unwrap_or_default(),
        roles: decode::roles(roles),
        tenant,
    };
    let added = app
        .act(move |deeds| async move { identity::add_client(&deeds, &ctx, new).await })
        .await?;
    Ok(answer::json(StatusCode::CREATED, &with_secret(added)))
}

/// Lists clients by id, all on one page.
#[utoipa::path(get, path = "/v1/clients", tag = "login", operation_id = "list_clients", security(("bearer" = [])),
    responses((status = 200, body = Page<Shape>, description = "All of them"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(State(app): State<App>, Extension(ctx): Extension<Ctx>) -> Answer {
    let clients = identity::list_clients(&app.deeds, &ctx).await?;
    let items: Vec<Shape> = clients.into_iter().map(shape::client).collect();
    let number = items.len() as u64;
    Ok(answer::json(
        StatusCode::OK,
        &Page::new(items, number, None),
    ))
}

/// One client.
#[utoipa::path(get, path = "/v1/clients/{id}", tag = "login", operation_id = "get_client",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Shape, description = "The client"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    let client = identity::get_client(&app.deeds, &ctx, &decode::client(id)?).await?;
    Ok(answer::json(StatusCode::OK, &shape::client(client)))
}

/// Changes a client, and gives it a new secret when asked to.
#[utoipa::path(patch, path = "/v1/clients/{id}", tag = "login", operation_id = "update_client",
    params(("id" = String, Path), PlatformPatchQuery), request_body = ClientPatch, security(("bearer" = [])),
    responses((status = 200, body = Shape, description = "Changed; with its secret if that is new"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn update(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
    Body(patch): Body<ClientPatch>,
) -> Answer {
    let id = decode::client(id)?;
    let change = decode_change(patch)?;
    let regenerate = params.flag("regenerateCredentials");
    let done = app.act(move |deeds| async move {
        let client = identity::change_client(&deeds, &ctx, &id, change).await?;
        if regenerate {
            let renewed = identity::rotate_client(&deeds, &ctx, &id).await?;
            return Ok(with_secret(renewed));
        }
        Ok(shape::client(client))
    });
    Ok(answer::json(StatusCode::OK, &done.await?))
}

/// Removes a client.
#[utoipa::path(delete, path = "/v1/clients/{id}", tag = "login", operation_id = "delete_client",
    params(("id" = String, Path)), security(("bearer" = [])),
    responses((status = 200, body = Empty, description = "Removed"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn remove(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    let id = decode::client(id)?;
    app.act(move |deeds| async move { identity::remove_client(&deeds, &ctx, &id).await })
        .await?;
    Ok(answer::empty())
}

fn decode_change(patch: ClientPatch) -> Result<ClientChange, Failure> {
    let ClientPatch {
        description,
        secret,
        roles,
        tenant,
    } = patch;
    if secret.value().is_some() {
        return Err(Failure::bad_request(NOT_CHOSEN));
    }
    Ok(ClientChange {
        description: description.value(),
        roles: roles.value().map(decode::roles),
        tenant: tenant.into_nested(),
    })
}

fn with_secret(added: AddedClient) -> Shape {
    let AddedClient { client, secret } = added;
    let mut shape = shape::client(client);
    shape.secret = Some(secret);
    shape
}
