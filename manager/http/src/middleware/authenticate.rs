//! Who calls. Reads the `Authorization` header, has it proved, and makes the [`Ctx`] that every handler
//! takes.
//!
//! The rule: a handler behind `required` never sees somebody unproved, and what is wrong with a proof is not
//! said more exactly than the identity deeds say it.

use crate::middleware::request::Circumstances;
use crate::{App, Failure, osb};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use percent_encoding::percent_decode_str;
use qm_lifecycle::identity;
use qm_model::{Caller, Ctx, Error};
use tracing::Span;

/// Somebody must call.
pub(super) async fn required(State(app): State<App>, request: Request, next: Next) -> Response {
    match caller(&app, request.headers()).await {
        Ok(caller) => next.run(with(request, caller)).await,
        Err(error) => Failure::from(error).into_response(),
    }
}

/// A platform must call, with its own pair or with the one of its registration of this broker.
pub(super) async fn platform(State(app): State<App>, request: Request, next: Next) -> Response {
    match at_door(&app, request.headers(), request.uri().path()).await {
        Ok(caller) => next.run(with(request, caller)).await,
        Err(error) => Failure::from(error).for_platforms().into_response(),
    }
}

/// Somebody may call. A proof that is not taken makes nobody of them: health must be told also when the
/// store, which knows the proofs, is away.
pub(super) async fn optional(State(app): State<App>, request: Request, next: Next) -> Response {
    let caller = if request.headers().contains_key(AUTHORIZATION) {
        let proved = caller(&app, request.headers()).await;
        proved.unwrap_or(Caller::Anonymous)
    } else {
        Caller::Anonymous
    };
    next.run(with(request, caller)).await
}

/// Nobody is asked. The token endpoint reads the header itself: it holds a client's secret there.
pub(super) async fn nobody(request: Request, next: Next) -> Response {
    next.run(with(request, Caller::Anonymous)).await
}

fn with(mut request: Request, caller: Caller) -> Request {
    if caller != Caller::Anonymous {
        Span::current().record("caller", caller.key());
    }
    if let Some(circumstances) = request.extensions_mut().remove::<Circumstances>() {
        let ctx: Ctx = circumstances.of(caller);
        request.extensions_mut().insert(ctx);
    }
    request
}

async fn at_door(app: &App, headers: &HeaderMap, path: &str) -> Result<Caller, Error> {
    let header = headers.get(AUTHORIZATION);
    let proof = header.and_then(|header| Proof::read(header.to_str().ok()?));
    let Some(Proof::Basic { username, password }) = proof else {
        return Err(unauthenticated(
            "No authenticated user found: this needs a platform's Basic credentials",
        ));
    };
    let (broker, _) = osb::split(path).unwrap_or_default();
    let broker = percent_decode_str(broker).decode_utf8_lossy();
    let proved = identity::door(&app.deeds, &broker, &username, &password).await;
    proved.map_err(with_cause)
}

async fn caller(app: &App, headers: &HeaderMap) -> Result<Caller, Error> {
    let Some(header) = headers.get(AUTHORIZATION) else {
        return Err(unauthenticated("No authenticated user found"));
    };
    let proof = header.to_str().ok().and_then(Proof::read);
    let proved = match proof {
        Some(Proof::Basic { username, password }) => {
            identity::basic(&app.deeds, &username, &password).await
        }
        Some(Proof::Bearer(token)) => identity::bearer(&app.deeds, token).await,
        None => Err(unauthenticated(
            "the Authorization header must be Basic with a platform's credentials, or Bearer with a token",
        )),
    };
    proved.map_err(with_cause)
}

fn with_cause(error: Error) -> Error {
    match error {
        Error::Unauthenticated { message } => {
            unauthenticated(&format!("No authenticated user found: Cause: {message}"))
        }
        other => other,
    }
}

fn unauthenticated(message: &str) -> Error {
    Error::Unauthenticated {
        message: message.to_owned(),
    }
}

/// What a caller brings. No `Debug`: it must not be printed.
enum Proof<'h> {
    Basic { username: String, password: String },
    Bearer(&'h str),
}

impl<'h> Proof<'h> {
    fn read(header: &'h str) -> Option<Self> {
        let (scheme, rest) = header.trim().split_once(' ')?;
        let rest = rest.trim();
        if scheme.eq_ignore_ascii_case("bearer") {
            return (!rest.is_empty()).then_some(Self::Bearer(rest));
        }
        if !scheme.eq_ignore_ascii_case("basic") {
            return None;
        }
        let pair = String::from_utf8(STANDARD.decode(rest).ok()?).ok()?;
        let (username, password) = pair.split_once(':')?;
        Some(Self::Basic {
            username: username.to_owned(),
            password: password.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(header: &str) -> Option<(String, String)> {
        Proof::read(header).map(|proof| match proof {
            Proof::Basic { username, password } => (username, password),
            Proof::Bearer(token) => ("bearer".to_owned(), token.to_owned()),
        })
    }

    #[test]
    fn both_schemes_are_read_in_any_case() {
        let pair = Some(("a".to_owned(), "b:c".to_owned()));
        assert_eq!(read("Basic YTpiOmM="), pair);
        assert_eq!(read("basic  YTpiOmM= "), pair);
        let token = Some(("bearer".to_owned(), "x.y.z".to_owned()));
        assert_eq!(read("Bearer x.y.z"), token);
        assert_eq!(read("BEARER x.y.z"), token);
    }

    #[test]
    fn anything_else_is_no_proof() {
        for header in [
            "",
            "Basic",
            "Basic !",
            "Basic YQ==",
            "Bearer ",
            "Digest x",
            "YTpi",
        ] {
            assert_eq!(read(header), None, "{header}");
        }
    }
}
