//! Who calls. Reads the `Authorization` header, has it proved, and makes the [`Ctx`] that every handler
//! takes.
//!
//! The rule: a handler behind `required` never sees somebody unproved, and what is wrong with a proof is not
//! said more exactly than the identity deeds say it.

use crate::middleware::rate::{self, Distrust};
use crate::middleware::request::Circumstances;
use crate::{App, Failure, osb};
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderValue;
use http::header::AUTHORIZATION;
use percent_encoding::percent_decode_str;
use qm_lifecycle::identity;
use qm_model::{Caller, Ctx, Error};
use std::sync::Arc;
use tracing::Span;

/// Somebody must call.
pub(super) async fn required(
    app: &App,
    distrust: &Distrust,
    request: Request,
) -> Result<Request, Response> {
    let refused = |error| Failure::from(error).into_response();
    let Some(proof) = request.headers().get(AUTHORIZATION) else {
        return Err(refused(unauthenticated("No authenticated user found")));
    };
    let from = address(&request);
    distrust
        .may_try(from, proof)
        .map_err(|wait| rate::refusal(app, wait))?;
    let proved = caller(app, proof).await;
    match judge(app, distrust, from, proof, proved) {
        Ok(caller) => Ok(with(request, caller)),
        Err(Verdict::Wait(response)) => Err(response),
        Err(Verdict::Wrong(error)) => Err(refused(error)),
    }
}

/// A platform must call, with its own pair or with the one of its registration of this broker.
pub(super) async fn platform(
    app: &App,
    distrust: &Distrust,
    request: Request,
) -> Result<Request, Response> {
    let refused = |error| Failure::from(error).for_platforms().into_response();
    let Some(proof) = request.headers().get(AUTHORIZATION) else {
        return Err(refused(unauthenticated(PLATFORMS)));
    };
    let from = address(&request);
    distrust
        .may_try(from, proof)
        .map_err(|wait| rate::refusal(app, wait))?;
    let proved = at_door(app, proof, request.uri().path()).await;
    match judge(app, distrust, from, proof, proved) {
        Ok(caller) => Ok(with(request, caller)),
        Err(Verdict::Wait(response)) => Err(response),
        Err(Verdict::Wrong(error)) => Err(refused(error)),
    }
}

const PLATFORMS: &str = "No authenticated user found: this needs a platform's Basic credentials";

/// Why somebody is not let in.
enum Verdict {
    Wrong(Error),
    Wait(Response),
}

/// Counts what a proof came to. It was looked at first, so that nobody with a right one pays for a neighbour with wrong
/// ones.
fn judge(
    app: &App,
    distrust: &Distrust,
    from: &str,
    proof: &HeaderValue,
    proved: Result<Caller, Error>,
) -> Result<Caller, Verdict> {
    match proved {
        Ok(caller) => {
            distrust.right(from, proof);
            Ok(caller)
        }
        Err(error @ Error::Unauthenticated { .. }) => Err(match distrust.wrong(from) {
            Some(wait) => Verdict::Wait(rate::refusal(app, wait)),
            None => Verdict::Wrong(error),
        }),
        Err(error) => Err(Verdict::Wrong(error)),
    }
}

/// Somebody may call. A proof that is not taken makes nobody of them: health must be told also when the
/// store, which knows the proofs, is away.
pub(super) async fn optional(
    State((app, distrust)): State<(App, Arc<Distrust>)>,
    request: Request,
    next: Next,
) -> Response {
    let caller = match request.headers().get(AUTHORIZATION) {
        Some(proof) if distrust.may_try(address(&request), proof).is_ok() => {
            let proved = caller(&app, proof).await;
            if let Err(Error::Unauthenticated { .. }) = &proved {
                distrust.wrong(address(&request));
            }
            proved.unwrap_or(Caller::Anonymous)
        }
        _ => Caller::Anonymous,
    };
    next.run(with(request, caller)).await
}

/// Nobody is asked. The token endpoint reads the header itself: it holds a client's secret there.
pub(super) async fn nobody(request: Request, next: Next) -> Response {
    next.run(with(request, Caller::Anonymous)).await
}

/// Where a request came from; empty when unknown.
fn address(request: &Request) -> &str {
    let circumstances = request.extensions().get::<Circumstances>();
    circumstances.map_or("", |circumstances| circumstances.remote.as_str())
}

fn with(mut request: Request, caller: Caller) -> Request {
    if caller != Caller::Anonymous {
        let span = Span::current();
        if !span.is_disabled() {
            span.record("caller", caller.key());
        }
    }
    if let Some(circumstances) = request.extensions_mut().remove::<Circumstances>() {
        let ctx: Ctx = circumstances.of(caller);
        request.extensions_mut().insert(ctx);
    }
    request
}

async fn at_door(app: &App, header: &HeaderValue, path: &str) -> Result<Caller, Error> {
    let Some(Proof::Basic { username, password }) = header.to_str().ok().and_then(Proof::read)
    else {
        return Err(unauthenticated(PLATFORMS));
    };
    let (broker, _) = osb::split(path).unwrap_or_default();
    let broker = percent_decode_str(broker).decode_utf8_lossy();
    let proved = identity::door(&app.deeds, &broker, &username, &password).await;
    proved.map_err(with_cause)
}

async fn caller(app: &App, header: &HeaderValue) -> Result<Caller, Error> {
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
