//! `GET /v1/notifications`: the handshake of the notification stream. `rest::notifications` calls it; who calls
//! is known by then.
//!
//! The rule: everything that can be refused is refused before the connection changes hands, in the order in which
//! clients rely on it: who calls (401), no WebSocket (400), no number (400), a revision that cannot be gone on from
//! (410 with the body `null`: the client forgets its revision and comes back at once). What follows is in `connection`.

mod activity;
mod connection;
mod duration;
mod feed;
mod handshake;

use crate::decode::Params;
use crate::{App, Failure, Place};
use activity::Activity;
use axum::Extension;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use connection::Limits;
use handshake::Opening;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use qm_model::{Ctx, Error};
use qm_stream::{SubscribeError, Subscription};

/// The query parameter and the header of the answer.
const REVISION: HeaderName = HeaderName::from_static("last_notification_revision");
/// Clients ping more often than this.
const PING_PERIOD: HeaderName = HeaderName::from_static("max_ping_period");
/// What an agent calls itself.
const AGENT_VERSION: HeaderName = HeaderName::from_static("x-peripli-agent-version");
/// What is kept of that.
const MAX_VERSION: usize = 250;
/// Streams of one platform in one process: an agent has one, and may be replaced by others while it lingers.
const MOST_STREAMS: usize = 32;

/// Answers 101 and begins to send, or refuses.
pub(crate) async fn notifications(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    mut request: Request,
) -> Result<Response, Failure> {
    let Some(platform) = ctx.caller.platform().map(|caller| caller.id.clone()) else {
        return Err(only_platforms().into());
    };
    let (mut response, opening) =
        handshake::look(&mut request).map_err(|why| no_websocket(&why))?;
    let revision = revision(request.uri().query())?;
    if app.stream.connected_as(&platform) >= MOST_STREAMS {
        return Err(too_many().into());
    }
    let subscription = match app.stream.subscribe(platform, revision).await {
        Ok(subscription) => subscription,
        Err(SubscribeError::Gone) => return Ok(gone()),
        Err(error) => return Err(Error::from(error).into()),
    };

    let answer = response.headers_mut();
    if let Some(last) = subscription.revision() {
        answer.insert(REVISION, HeaderValue::from(last));
    }
    let limits = Limits::from(&*app.settings);
    if let Ok(period) = HeaderValue::from_str(&duration::go(limits.ping)) {
        answer.insert(PING_PERIOD, period);
    }
    let version = version(request.headers());
    let place = request.extensions_mut().remove::<Place>();
    // Not in the request's span: that one ends with the answer.
    tokio::spawn(async move {
        attend(app, ctx, version, opening, subscription, limits).await;
        drop(place);
    });
    Ok(response)
}

fn too_many() -> Error {
    Error::Unprocessable {
        word: "TooManyStreams",
        message: format!("this platform has {MOST_STREAMS} notification streams open; close some"),
    }
}

/// The connection's life, on a task of its own.
async fn attend(
    app: App,
    ctx: Ctx,
    version: Option<String>,
    opening: Opening,
    mut subscription: Subscription,
    limits: Limits,
) {
    let Some(socket) = opening.open().await else {
        return;
    };
    let (caller, correlation_id) = (ctx.caller.to_string(), ctx.correlation_id.clone());
    tracing::debug!(caller, correlation_id, "a notification connection begins");
    let mut activity = Activity::begin(&app, ctx, version);
    let cause = connection::serve(socket, &mut subscription, &mut activity, limits).await;
    if let Some(reason) = cause.cut() {
        qm_stream::count_cut(reason);
    }
    tracing::debug!(
        caller,
        correlation_id,
        ?cause,
        "a notification connection ends"
    );
    activity.end(&mut subscription).await;
}

/// The revision that the client has, if it says.
fn revision(query: Option<&str>) -> Result<Option<i64>, Failure> {
    let params = Params::read(query.unwrap_or_default())?;
    let Some(text) = params.first(REVISION.as_str()) else {
        return Ok(None);
    };
    match text.parse() {
        Ok(revision) => Ok(Some(revision)),
        Err(_) => Err(Failure::bad_request(format!(
            "{REVISION} must be a whole number, the revision of the last notification that was received"
        ))),
    }
}

fn version(headers: &HeaderMap) -> Option<String> {
    let text = headers.get(AGENT_VERSION)?.to_str().ok()?.trim();
    // Visible ASCII, so every byte is a character.
    (!text.is_empty()).then(|| text[..text.len().min(MAX_VERSION)].to_owned())
}

fn only_platforms() -> Error {
    Error::Unauthenticated {
        message: "No authenticated user found: notifications need a platform's Basic credentials"
            .to_owned(),
    }
}

fn no_websocket(why: &str) -> Failure {
    Failure::new(
        StatusCode::BAD_REQUEST,
        "WebsocketUpgradeError",
        format!(
            "notifications are sent over a WebSocket, and this request does not open one: {why}"
        ),
    )
}

/// The body is what clients have always seen.
fn gone() -> Response {
    let json = [(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json"),
    )];
    (StatusCode::GONE, json, Body::from("null")).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_revision_counts_and_must_be_a_number() {
        assert_eq!(revision(None).unwrap(), None);
        assert_eq!(revision(Some("a=1&b=2")).unwrap(), None);
        assert_eq!(
            revision(Some("last_notification_revision=311")).unwrap(),
            Some(311)
        );
        assert_eq!(
            revision(Some(
                "x&last_notification_revision=-1&last_notification_revision=5"
            ))
            .unwrap(),
            Some(-1)
        );
        for bad in ["abc", "1.5", "9223372036854775808", "+1", "1,2"] {
            let refused = revision(Some(&format!("last_notification_revision={bad}"))).unwrap_err();
            assert_eq!(refused.status, 400, "{bad}");
        }
        assert_eq!(revision(Some("last_notification_revision=")).unwrap(), None);
    }

    #[test]
    fn a_version_is_kept_up_to_its_bound() {
        let of = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(AGENT_VERSION, HeaderValue::from_str(text).unwrap());
            version(&headers)
        };
        assert_eq!(version(&HeaderMap::new()), None);
        assert_eq!(of(" ").as_deref(), None);
        assert_eq!(of(" v0.11.25 ").as_deref(), Some("v0.11.25"));
        assert_eq!(
            of(&"v".repeat(1000)).map(|version| version.len()),
            Some(MAX_VERSION)
        );
    }

    #[test]
    fn gone_has_the_body_null() {
        let response = gone();
        assert_eq!(response.status(), StatusCode::GONE);
        assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
    }
}
