//! The built-in issuer's doors: discovery, keys, tokens, revocation. smctl and any OAuth2 library log in here.
//!
//! The rule: errors are as RFC 6749 writes them and not as the rest of the API does, because libraries read
//! them.

use crate::App;
use crate::decode::form::Form;
use crate::decode::public_url::PublicUrl;
use crate::encode::answer;
use crate::encode::date;
use crate::rest::Answer;
use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use http::header::{AUTHORIZATION, CACHE_CONTROL, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderMap, HeaderValue, StatusCode};
use qm_lifecycle::identity::{self, Grant, Issued, OAuthError, Revocation};
use qm_manager_api::{
    Discovery, Empty, ErrorBody, Jwks, OAuthError as ErrorShape, TokenRequest, TokenResponse,
};
use qm_model::{Ctx, Error};

/// How long keys and addresses may be kept by whoever reads them.
const MAY_BE_KEPT: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// What the built-in issuer says of itself.
#[utoipa::path(get, path = "/.well-known/openid-configuration", tag = "login", operation_id = "discovery", security(()),
    responses((status = 200, body = Discovery, description = "The document"), (status = "default", body = ErrorBody, description = "There is no built-in issuer")))]
pub(crate) async fn discovery(State(app): State<App>, PublicUrl(url): PublicUrl) -> Answer {
    let document = identity::discovery(&app.deeds, &url)?;
    Ok(answer::json(StatusCode::OK, &document))
}

/// The public keys of the built-in issuer.
#[utoipa::path(get, path = "/oauth/jwks", tag = "login", operation_id = "jwks", security(()),
    responses((status = 200, body = Jwks, description = "The keys"), (status = "default", body = ErrorBody, description = "There is no built-in issuer")))]
pub(crate) async fn jwks(State(app): State<App>) -> Answer {
    let keys = identity::jwks(&app.deeds).await?;
    let mut response = answer::json(StatusCode::OK, &keys);
    response.headers_mut().insert(CACHE_CONTROL, MAY_BE_KEPT);
    Ok(response)
}

/// Gives a token for a password, a client's secret or a refresh token.
#[utoipa::path(post, path = "/oauth/token", tag = "login", operation_id = "token", security((), ("client" = [])),
    request_body(content = TokenRequest, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, body = TokenResponse, description = "A token"),
        (status = 400, body = ErrorShape, description = "Refused"),
        (status = 401, body = ErrorShape, description = "The client is not known"),
    ))]
pub(crate) async fn token(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    PublicUrl(url): PublicUrl,
    headers: HeaderMap,
    Form(form): Form,
) -> Answer {
    let grant = match Grant::read(form.as_slice(), authorization(&headers)) {
        Ok(grant) => grant,
        Err(error) => return Ok(refused(&error)),
    };
    let deeds = app.deeds.clone();
    let given = async move { Ok(identity::token(&deeds, &ctx, &url, grant).await) };
    Ok(match app.deeds.detach(given).await? {
        Ok(issued) => answer::json(StatusCode::OK, &shape(issued)),
        Err(error) => refused(&error),
    })
}

/// Makes a refresh token, and all that came from the same login, worthless.
#[utoipa::path(post, path = "/oauth/revoke", tag = "login", operation_id = "revoke", security((), ("client" = [])),
    request_body(content = String, content_type = "application/x-www-form-urlencoded", description = "`token`, and `client_id` with `client_secret` unless they stand in the header"),
    responses((status = 200, body = Empty, description = "Revoked, or never known"), (status = 400, body = ErrorShape, description = "Refused")))]
pub(crate) async fn revoke(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    headers: HeaderMap,
    Form(form): Form,
) -> Answer {
    let revocation = match Revocation::read(form.as_slice(), authorization(&headers)) {
        Ok(revocation) => revocation,
        Err(error) => return Ok(refused(&error)),
    };
    let deeds = app.deeds.clone();
    let revoked = async move { Ok(identity::revoke(&deeds, &ctx, revocation).await) };
    Ok(match app.deeds.detach(revoked).await? {
        Ok(()) => answer::empty(),
        Err(error) => refused(&error),
    })
}

fn authorization(headers: &HeaderMap) -> Option<&str> {
    // What is no text is no Basic either; the reader says so.
    let header = headers.get(AUTHORIZATION)?;
    Some(header.to_str().unwrap_or_default())
}

fn shape(issued: Issued) -> TokenResponse {
    let Issued {
        access_token,
        token_type,
        expires_in,
        refresh_token,
        scope,
    } = issued;
    TokenResponse {
        access_token,
        token_type: token_type.to_owned(),
        expires_in: Some(expires_in),
        refresh_token,
        scope: Some(scope),
    }
}

fn refused(error: &OAuthError) -> Response {
    let status = StatusCode::from_u16(error.status()).unwrap_or(StatusCode::BAD_REQUEST);
    if status.is_server_error() {
        tracing::error!(error = %qm_model::Chain(error), "no token could be given");
    }
    let body = ErrorShape {
        error: error.word().to_owned(),
        error_description: Some(error.to_string()),
    };
    let mut response = answer::json(status, &body);
    let headers = response.headers_mut();
    if status == StatusCode::UNAUTHORIZED {
        let basic = HeaderValue::from_static("Basic realm=\"quartermaster\"");
        headers.insert(WWW_AUTHENTICATE, basic);
    }
    if let OAuthError::Other(Error::Throttled { until }) = error
        && let Ok(moment) = HeaderValue::from_str(&date::http(*until))
    {
        headers.insert(RETRY_AFTER, moment);
    }
    response
}
