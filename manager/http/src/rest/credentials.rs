//! `/v1/credentials`: what a platform's registrations of brokers log in with. Called by the proxies.

use super::Answer;
use crate::App;
use crate::decode::{Body, Params, Path};
use crate::encode::{answer, credential as shape};
use axum::Extension;
use axum::extract::State;
use http::StatusCode;
use qm_lifecycle::credential::{self, NewCredential};
use qm_manager_api::{Credential as Shape, CredentialQuery, ErrorBody, NewCredential as NewShape};
use qm_model::Ctx;

/// Puts a new pair for a broker on the calling platform. The pair before it stays valid until activation.
#[utoipa::path(put, path = "/v1/credentials", tag = "credentials", operation_id = "put_credential",
    params(CredentialQuery), request_body = NewShape, security(("platform" = [])),
    responses((status = 200, body = Shape, description = "Put"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn put(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    params: Params,
    Body(new): Body<NewShape>,
) -> Answer {
    let NewShape {
        broker_id,
        username,
        password_hash,
        notification_id,
    } = new;
    let new = NewCredential {
        broker_id,
        username,
        password_hash,
        notification_id: (!notification_id.is_empty()).then_some(notification_id),
        force: params.flag("force"),
    };
    let put = app
        .act(move |deeds| async move { credential::put(&deeds, &ctx, new).await })
        .await?;
    Ok(answer::json(StatusCode::OK, &shape::shape(put)))
}

/// Says that the platform uses the new pair: the old one is no longer valid. The body means nothing.
#[utoipa::path(put, path = "/v1/credentials/{id}/activate", tag = "credentials", operation_id = "activate_credential",
    params(("id" = String, Path)), security(("platform" = [])),
    responses((status = 200, body = Shape, description = "Activated"), (status = "default", body = ErrorBody, description = "Refused")))]
pub(crate) async fn activate(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    Path(id): Path<String>,
) -> Answer {
    let active = app
        .act(move |deeds| async move { credential::activate(&deeds, &ctx, &id).await })
        .await?;
    Ok(answer::json(StatusCode::OK, &shape::shape(active)))
}
