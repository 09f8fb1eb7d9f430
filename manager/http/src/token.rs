//! The built-in issuer's doors: discovery, keys, tokens, revocation. smctl and any OAuth2 library log in here.
//!
//! The rule: errors are as RFC 6749 writes them and not as the rest of the API does, because libraries read
//! them.

use crate::decode::Params;
use crate::decode::form::Form;
use crate::decode::public_url::PublicUrl;
use crate::encode::answer;
use crate::encode::date;
use crate::rest::Answer;
use crate::{App, Failure};
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
pub(crate) async fn discovery(State(app): State<App>, public: PublicUrl) -> Answer {
    let document = identity::discovery(&app.deeds, &public.seen, &public.issuer)?;
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

/// Says that there is no page to log in at. Discovery names this door because clients want one to be named.
#[utoipa::path(get, path = "/oauth/authorize", tag = "login", operation_id = "authorize", security(()),
    responses((status = 400, body = ErrorShape, description = "Always: use the token endpoint")))]
pub(crate) async fn authorize() -> Response {
    refused(&OAuthError::UnsupportedResponseType(
        "there is no page to log in at; POST /oauth/token with a password, a client's secret or a refresh token",
    ))
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
    public: PublicUrl,
    headers: HeaderMap,
    form: Result<Form, Failure>,
) -> Answer {
    let form = match understood(form)? {
        Ok(form) => form,
        Err(refused) => return Ok(refused),
    };
    let grant = match Grant::read(form.as_slice(), authorization(&headers)) {
        Ok(grant) => grant,
        Err(error) => return Ok(refused(&error)),
    };
    let deeds = app.deeds.clone();
    let given = async move { Ok(identity::token(&deeds, &ctx, &public.issuer, grant).await) };
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
    form: Result<Form, Failure>,
) -> Answer {
    let form = match understood(form)? {
        Ok(form) => form,
        Err(refused) => return Ok(refused),
    };
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

/// A form that cannot be read is refused in the words of this protocol too.
fn understood(form: Result<Form, Failure>) -> Result<Result<Params, Response>, Failure> {
    match form {
        Ok(Form(params)) => Ok(Ok(params)),
        Err(failure) if failure.status == StatusCode::BAD_REQUEST => {
            let error = OAuthError::InvalidRequest(failure.description);
            Ok(Err(refused(&error)))
        }
        Err(failure) => Err(failure),
    }
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
