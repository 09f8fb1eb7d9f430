//! `/v1/service_brokers`.

use super::{Answer, chosen, list as page, matching, one, operation_of};
use crate::App;
use crate::Failure;
use crate::decode::access::access;
use crate::decode::{Body, Listing, Params, Path, label, removal};
use crate::encode::{Encode, answer};
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::broker::{self, BrokerChange, NewBroker};
use qm_manager_api::{
    AsyncQuery, Broker as Shape, BrokerPatch, BulkDeleteQuery, Empty, ErrorBody, ListQuery,
    NewBroker as NewShape, Operation, Page,
};
use qm_model::broker::Broker;
use qm_model::{Ctx, Kind};

/// Registers a broker and fetches its catalog.
#[utoipa::path(post, path = "/v1/service_brokers", tag = "brokers", operation_id = "register_broker",
    params(AsyncQuery), request_body = NewShape, security(("bearer" = [])),
    responses(
        (status = 201, body = Shape, description = "Registered; with the credentials that were sent"),
        (status = 202, body = Empty, description = "Under way", headers(("Location" = String, description = "Path of the operation"))),
        (status = "default", body = ErrorBody, description = "Refused"),
    ))]
pub(crate) async fn register(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    params: Params,
    Body(new): Body<NewShape>,
) -> Answer {
    let mode = params.mode();
    let credentials = new.credentials.clone();
    let new = decode(new)?;
    let done = app
        .act(move |deeds| async move { broker::register(&deeds, &ctx, new, mode).await })
        .await?;
    Ok(answer::done(mode, done, |shown| {
        let mut shape = Broker::encode(shown);
        shape.credentials = credentials;
        answer::json(StatusCode::CREATED, &shape)
    }))
}

/// Lists brokers.
#[utoipa::path(get, path = "/v1/service_brokers", tag = "brokers", operation_id = "list_brokers",
    params(ListQuery), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Page<Shape>, description = "A page"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn list(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    listing: Listing,
) -> Answer {
    page::<Broker>(&app, &ctx, &listing).await
}

/// One broker with its last operation and the state of its catalog.
#[utoipa::path(get, path = "/v1/service_brokers/{id}", tag = "brokers", operation_id = "get_broker",
    params(("id" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Shape, description = "The broker"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn get(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    one::<Broker>(&app, &ctx, &id).await
}

/// Changes a broker and fetches its catalog again. An empty change is a refresh.
#[utoipa::path(patch, path = "/v1/service_brokers/{id}", tag = "brokers", operation_id = "update_broker",
    params(("id" = String, Path), AsyncQuery), request_body = BrokerPatch, security(("bearer" = [])),
    responses(
        (status = 200, body = Shape, description = "Changed"),
        (status = 202, body = Empty, description = "Under way", headers(("Location" = String, description = "Path of the operation"))),
        (status = "default", body = ErrorBody, description = "Refused"),
    ))]
pub(crate) async fn update(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
    Body(patch): Body<BrokerPatch>,
) -> Answer {
    let mode = params.mode();
    let change = decode_change(patch)?;
    let done = app
        .act(move |deeds| async move { broker::update(&deeds, &ctx, &id, change, mode).await })
        .await?;
    Ok(answer::done(mode, done, answer::ok))
}

/// Removes a broker that has no instances.
#[utoipa::path(delete, path = "/v1/service_brokers/{id}", tag = "brokers", operation_id = "delete_broker",
    params(("id" = String, Path), AsyncQuery), security(("bearer" = [])),
    responses(
        (status = 200, body = Empty, description = "Removed"),
        (status = 202, body = Empty, description = "Under way", headers(("Location" = String, description = "Path of the operation"))),
        (status = "default", body = ErrorBody, description = "Refused"),
    ))]
pub(crate) async fn remove(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
    params: Params,
) -> Answer {
    removal::of(&params, Kind::Broker)?;
    let done = app
        .act(move |deeds| async move { broker::remove(&deeds, &ctx, &id).await })
        .await?;
    Ok(answer::done(params.mode(), done, |_| answer::empty()))
}

/// Removes every broker that matches, or none.
#[utoipa::path(delete, path = "/v1/service_brokers", tag = "brokers", operation_id = "delete_brokers",
    params(BulkDeleteQuery), security(("bearer" = [])),
    responses((status = 200, body = Empty, description = "Removed"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn remove_many(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    params: Params,
) -> Answer {
    removal::many(&params)?;
    let query = matching::<Broker>(&params)?;
    app.act(move |deeds| async move { broker::remove_many(&deeds, &ctx, query).await })
        .await?;
    Ok(answer::empty())
}

/// One operation of a broker.
#[utoipa::path(get, path = "/v1/service_brokers/{id}/operations/{operation}", tag = "brokers", operation_id = "get_broker_operation",
    params(("id" = String, Path), ("operation" = String, Path)), security(("bearer" = []), ("platform" = [])),
    responses((status = 200, body = Operation, description = "The operation"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn operation(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path((id, operation)): Path<(String, String)>,
) -> Answer {
    operation_of(&app, &ctx, Kind::Broker, &id, &operation).await
}

fn decode(new: NewShape) -> Result<NewBroker, Failure> {
    let NewShape {
        id,
        name,
        broker_url,
        description,
        credentials,
        labels,
    } = new;
    let credentials =
        credentials.ok_or_else(|| Failure::bad_request("credentials: is required"))?;
    Ok(NewBroker {
        id: chosen(id),
        name,
        description: description.unwrap_or_default(),
        url: broker_url,
        access: access(credentials)?,
        labels: label::labels(labels)?,
    })
}

/// `null` leaves a field as it is, as with the old server.
fn decode_change(patch: BrokerPatch) -> Result<BrokerChange, Failure> {
    let BrokerPatch {
        name,
        broker_url,
        description,
        credentials,
        labels,
    } = patch;
    Ok(BrokerChange {
        name: name.value(),
        description: description.value(),
        url: broker_url.value(),
        access: credentials.value().map(access).transpose()?,
        labels: label::changes(labels)?,
    })
}
