//! The way of a request, in order: who, where to, which version, what, and then its verb.
//!
//! Authentication comes before everything, so that a stranger learns nothing, not even which ids
//! exist (B3, T10). Mutating verbs run on a task of their own: a caller that hangs up cancels nothing.

use super::{Endpoint, Inner, MissingVersion, respond};
use crate::broker::call::Asked;
use crate::broker::failure::Failure;
use bytes::Bytes;
use http::request::Parts;
use http::{HeaderValue, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use quartermaster_osb::header::{self, ApiVersion};
use quartermaster_osb::{Answer, Call, ErrorBody, Route, RouteError, decode};
use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Instant;
use tracing::Instrument;

/// A verb at work.
type Deed = Pin<Box<dyn Future<Output = Result<Answer, Failure>> + Send>>;

/// The lowest version that is served.
const LOWEST: ApiVersion = ApiVersion::V2_11;

impl Endpoint {
    /// Answers one request.
    pub(crate) async fn answer<B>(self, request: http::Request<B>) -> http::Response<Bytes>
    where
        B: http_body::Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let started = Instant::now();
        let (head, body) = request.into_parts();
        let echo = header::request_identity(&head.headers).cloned();
        let route = Route::of(&head.method, head.uri.path());
        let span = tracing::info_span!(
            "osb",
            otel.kind = "server",
            verb = route.as_ref().map_or("none", |route| route.verb.as_str()),
            request.identity = echo.as_ref().and_then(|echo| echo.to_str().ok()),
            correlation.id = correlation(&head),
        );
        crate::telemetry::parent_of(&span, &head.headers);
        let listed = route.as_ref().ok().cloned();
        let mut response = self.pass(head, body, route).instrument(span.clone()).await;
        if let Some(echo) = echo {
            response
                .headers_mut()
                .insert(header::REQUEST_IDENTITY, echo);
        }
        span.in_scope(|| {
            crate::observe::answered(
                listed.as_ref(),
                response.status().as_u16(),
                started.elapsed(),
            );
        });
        response
    }

    async fn pass<B>(
        self,
        head: Parts,
        body: B,
        route: Result<Route, RouteError>,
    ) -> http::Response<Bytes>
    where
        B: http_body::Body + Send + 'static,
        B::Data: Send,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let caller = match self.inner.auth.authenticate(&head) {
            Ok(caller) => caller,
            Err(denied) => return unauthorized(denied.challenge, denied.description),
        };
        let route = match route {
            Ok(route) => route,
            Err(error) => return unroutable(&error),
        };
        let version = match self.inner.version(&head) {
            Ok(version) => version,
            Err(failure) => return respond::failed(failure).response(),
        };
        let call = match self.inner.read(route, &head, body).await {
            Ok(call) => call,
            Err(failure) => return respond::failed(failure).response(),
        };
        let identity = match header::originating_identity(&head.headers) {
            Ok(identity) => identity,
            Err(error) => {
                let text = format!("{}: {error}", header::ORIGINATING_IDENTITY);
                return respond::failed(Failure::bad_request(text)).response();
            }
        };
        let asked = Asked {
            caller: caller.name,
            identity,
            request_identity: header::request_identity(&head.headers)
                .and_then(|value| value.to_str().ok())
                .map(str::to_owned),
            api_version: version,
            platform: self.platform.to_string(),
            attempt: 1,
        };
        if let Call::Catalog { if_none_match } = &call {
            return self.inner.catalog(if_none_match.as_deref(), version);
        }
        let mutates = call.verb().mutates();
        let deed = self.inner.clone().act(&self.platform, call, asked);
        let answer = if mutates {
            let deed = deed.instrument(tracing::Span::current());
            // What a panic says may hold anything, so it goes no further.
            self.inner
                .engine
                .tasks
                .spawn(deed)
                .await
                .unwrap_or_else(|_| Err(Failure::broken("the broker met an error of its own")))
        } else {
            deed.await
        };
        answer
            .unwrap_or_else(respond::failed)
            .for_version(version)
            .response()
    }
}

impl Inner {
    /// The verb itself. Each on the heap by itself: the largest would make every request large, and what
    /// a task is made of is moved a few times before it starts.
    fn act(self: Arc<Self>, platform: &Arc<str>, call: Call, asked: Asked) -> Deed {
        match call {
            Call::Catalog { .. } => Box::pin(ready(Err(Failure::broken(
                "the catalog is answered elsewhere",
            )))),
            Call::Provision {
                instance,
                accepts_incomplete,
                body,
            } => {
                let key = self.key(platform, instance, None);
                Box::pin(self.provision(key, accepts_incomplete, body, asked))
            }
            Call::FetchInstance { instance, hints: _ } => {
                let key = self.key(platform, instance, None);
                Box::pin(self.fetch_instance(key, asked))
            }
            Call::Update {
                instance,
                accepts_incomplete,
                body,
            } => {
                let key = self.key(platform, instance, None);
                Box::pin(self.update(key, accepts_incomplete, *body, asked))
            }
            Call::Deprovision {
                instance,
                accepts_incomplete,
                hints,
            } => {
                let key = self.key(platform, instance, None);
                Box::pin(self.deprovision(key, accepts_incomplete, hints, asked))
            }
            Call::PollInstance { instance, poll } => {
                let key = self.key(platform, instance, None);
                Box::pin(self.poll(key, poll))
            }
            Call::Bind {
                instance,
                binding,
                accepts_incomplete,
                body,
            } => {
                let key = self.key(platform, instance, Some(binding));
                Box::pin(self.bind(key, accepts_incomplete, *body, asked))
            }
            Call::Rotate {
                instance,
                binding,
                accepts_incomplete,
                body,
            } => {
                let key = self.key(platform, instance, Some(binding));
                Box::pin(self.rotate(key, accepts_incomplete, *body, asked))
            }
            Call::FetchBinding {
                instance,
                binding,
                hints: _,
            } => {
                let key = self.key(platform, instance, Some(binding));
                Box::pin(self.fetch_binding(key, asked))
            }
            Call::Unbind {
                instance,
                binding,
                accepts_incomplete,
                hints,
            } => {
                let key = self.key(platform, instance, Some(binding));
                Box::pin(self.unbind(key, accepts_incomplete, hints, asked))
            }
            Call::PollBinding {
                instance,
                binding,
                poll,
            } => {
                let key = self.key(platform, instance, Some(binding));
                Box::pin(self.poll(key, poll))
            }
        }
    }

    /// The caller's version (B2, T1). A higher minor is always welcome.
    fn version(&self, head: &Parts) -> Result<ApiVersion, Failure> {
        let name = header::API_VERSION;
        match header::api_version(&head.headers) {
            Ok(Some(version)) if version.major == LOWEST.major && version >= LOWEST => Ok(version),
            Ok(Some(version)) => Err(Failure::status(
                StatusCode::PRECONDITION_FAILED,
                format!(
                    "{name} is {version}; this broker speaks {LOWEST} to {}",
                    ApiVersion::CURRENT
                ),
            )),
            Ok(None) => {
                let status = match self.knobs.missing_version {
                    MissingVersion::PreconditionFailed => StatusCode::PRECONDITION_FAILED,
                    MissingVersion::BadRequest => StatusCode::BAD_REQUEST,
                };
                let text = format!("send the header {name}: {}", ApiVersion::CURRENT);
                Err(Failure::status(status, text))
            }
            Err(error) => Err(Failure::bad_request(format!("{name}: {error}"))),
        }
    }

    /// Reads the body, within limits, and decodes the call.
    async fn read<B>(&self, route: Route, head: &Parts, body: B) -> Result<Call, Failure>
    where
        B: http_body::Body,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let limited = Limited::new(body, self.knobs.body_limit);
        let read = tokio::time::timeout(self.knobs.body_timeout, limited.collect());
        let bytes = match read.await {
            Ok(Ok(collected)) => collected.to_bytes(),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                return Err(Failure::status(
                    StatusCode::PAYLOAD_TOO_LARGE,
                    format!("the body is larger than {} bytes", self.knobs.body_limit),
                ));
            }
            Ok(Err(_)) => return Err(Failure::bad_request("the body was cut short")),
            Err(_) => {
                return Err(Failure::status(
                    StatusCode::REQUEST_TIMEOUT,
                    "the body did not arrive in time",
                ));
            }
        };
        decode(route, head.uri.query(), &head.headers, &bytes)
            .map_err(|error| Failure::bad_request(error.message()))
    }
}

fn unauthorized(challenge: Option<HeaderValue>, description: String) -> http::Response<Bytes> {
    let status = StatusCode::UNAUTHORIZED;
    let mut response = Answer::Error {
        status,
        body: ErrorBody::new(description),
    }
    .response();
    if let Some(challenge) = challenge {
        response
            .headers_mut()
            .insert(http::header::WWW_AUTHENTICATE, challenge);
    }
    response
}

fn unroutable(error: &RouteError) -> http::Response<Bytes> {
    let status = match error {
        RouteError::NotFound => StatusCode::NOT_FOUND,
        RouteError::MethodNotAllowed { .. } => StatusCode::METHOD_NOT_ALLOWED,
        RouteError::BadId(_) => StatusCode::BAD_REQUEST,
    };
    let mut response = Answer::Error {
        status,
        body: ErrorBody::new(error.message()),
    }
    .response();
    if let RouteError::MethodNotAllowed { allow } = error {
        response
            .headers_mut()
            .insert(http::header::ALLOW, HeaderValue::from_static(allow));
    }
    response
}

/// The id that this deed has in other logs, under the names in use.
fn correlation(head: &Parts) -> Option<&str> {
    [
        "x-correlation-id",
        "x-correlationid",
        "x-forrequest-id",
        "x-request-id",
        "x-vcap-request-id",
    ]
    .iter()
    .find_map(|name| head.headers.get(*name))
    .and_then(|value| value.to_str().ok())
}
