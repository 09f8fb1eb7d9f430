//! What a request tries, known before anything that was sent is looked at: whether the caller may at all, and, when a
//! change is not possible as asked, a record in the audit log. The guarded doors stand behind it.
//!
//! The rule: who has no right hears that first, whatever else is wrong with the request. The deeds ask again and need
//! their permit; this only decides who is answered what. Why somebody was refused for want of a right is written by the
//! layer above, and what a deed has written itself is not written twice.

use super::config;
use crate::error::answer;
use crate::{App, Failure, action};
use axum::Extension;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use http::{Method, StatusCode, Uri};
use qm_lifecycle::{Wish, audit, permitted};
use qm_model::{Chain, Ctx, Error, Kind};

/// Longest id that is written down; there may be no such resource, so it can be anything.
const MAX_ID: usize = 100;

/// What a request would do.
#[derive(Debug, PartialEq, Eq)]
struct Attempt {
    /// The word in the log; `None`: it only looks.
    action: Option<&'static str>,
    about: About,
    id: String,
}

/// To what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    Resource(Kind),
    /// What may hold secrets: only who may change the thing looks at it.
    Parameters(Kind),
    /// One's own password: every user may.
    Oneself,
    /// The process.
    Config,
    /// The door decides by itself.
    Other,
}

pub(crate) async fn run(
    State(app): State<App>,
    Extension(ctx): Extension<Ctx>,
    request: Request,
    next: Next,
) -> Response {
    let attempt = Attempt::of(request.method(), request.uri());
    if let Err(error) = attempt.check(&app, &ctx) {
        return Failure::from(error).into_response();
    }
    let since = app.deeds.now();
    let response = next.run(request).await;
    let Some((action, kind)) = attempt.is_worth_a_record(response.status()) else {
        return response;
    };
    let why = answer::of(&response).map(|failure| failure.description.clone());
    let tried = audit::Tried {
        action,
        kind,
        id: attempt.id,
        why: why.unwrap_or_default(),
        since,
    };
    if let Err(error) = audit::not_done(&app.deeds, &ctx, tried).await {
        tracing::warn!(error = %Chain(&error), "a failed change could not be written into the audit log");
    }
    response
}

impl Attempt {
    fn of(method: &Method, uri: &Uri) -> Self {
        let path = uri.path();
        let action = action::of(method, path);
        let end = path.match_indices('/').nth(2).map(|(at, _)| at);
        let (collection, rest) = path.split_at(end.unwrap_or(path.len()));
        let id = rest.split('/').nth(1).unwrap_or_default();
        let about = match (Kind::from_path(collection), collection) {
            (Some(Kind::User), _) if id == "me" => About::Oneself,
            (Some(kind), _) if rest.ends_with("/parameters") => About::Parameters(kind),
            (Some(kind), _) => About::Resource(kind),
            (None, "/v1/config") => About::Config,
            (None, _) => About::Other,
        };
        Self {
            action,
            about,
            // Every request comes here; only changes are ever written down.
            id: match action {
                Some(_) => id.chars().take(MAX_ID).collect(),
                None => String::new(),
            },
        }
    }

    /// Whether the caller may.
    fn check(&self, app: &App, ctx: &Ctx) -> Result<(), Error> {
        match (self.about, self.action) {
            (About::Config, _) => config::administrator(ctx),
            (About::Resource(kind), Some(_)) => permitted(&app.deeds, ctx, kind, Wish::Change),
            (About::Parameters(kind), _) => permitted(&app.deeds, ctx, kind, Wish::Change),
            (About::Resource(kind), None) => permitted(&app.deeds, ctx, kind, Wish::Read),
            (About::Oneself | About::Other, _) => Ok(()),
        }
    }

    /// What to write down when a change was answered so.
    fn is_worth_a_record(&self, status: StatusCode) -> Option<(&'static str, Kind)> {
        let kind = match self.about {
            About::Resource(kind) | About::Parameters(kind) => kind,
            About::Oneself => Kind::User,
            About::Config | About::Other => return None,
        };
        let not_as_asked = [400, 404, 409, 410, 413, 415, 422].contains(&status.as_u16());
        Some((self.action.filter(|_| not_as_asked)?, kind))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(method: &Method, path: &'static str) -> Attempt {
        Attempt::of(method, &Uri::from_static(path))
    }

    #[test]
    fn what_is_tried_is_read_from_the_request() {
        let about = |method: Method, path| of(&method, path).about;
        let resource = About::Resource;
        assert_eq!(about(Method::GET, "/v1/users"), resource(Kind::User));
        assert_eq!(about(Method::PUT, "/v1/users/me/password"), About::Oneself);
        assert_eq!(about(Method::PUT, "/v1/config/logging"), About::Config);
        let path = "/v1/service_bindings/b/parameters";
        assert_eq!(about(Method::GET, path), About::Parameters(Kind::Binding));
        assert_eq!(about(Method::GET, "/v1/audit"), About::Other);
        assert_eq!(about(Method::PUT, "/v1/osb/b/v2/x"), About::Other);
        for path in ["/v1/service_instances", "/v1/service_instances/i/retry"] {
            assert_eq!(about(Method::POST, path), resource(Kind::Instance));
        }
        let tenant = resource(Kind::Tenant);
        assert_eq!(about(Method::DELETE, "/v1/tenants/t?cascade=true"), tenant);
        let revoked = of(&Method::DELETE, "/v1/service_instances/i/grants/g");
        assert_eq!((revoked.action, revoked.id.as_str()), (Some("revoke"), "i"));
        let attempt = of(&Method::PATCH, "/v1/platforms/p-1?async=false");
        assert_eq!(attempt.about, resource(Kind::Platform));
        assert_eq!(
            (attempt.action, attempt.id.as_str()),
            (Some("update"), "p-1")
        );
    }

    #[test]
    fn changes_that_were_not_possible_are_worth_a_record() {
        let record = |method: Method, path, status| {
            let status = StatusCode::from_u16(status).unwrap();
            of(&method, path).is_worth_a_record(status)
        };
        let create = Some(("create", Kind::Visibility));
        assert_eq!(record(Method::POST, "/v1/visibilities", 400), create);
        assert_eq!(record(Method::POST, "/v1/visibilities", 409), create);
        // The layer above writes who has no right, and nobody who came too often fills the log.
        for status in [200, 201, 202, 401, 403, 405, 429, 500, 502, 503] {
            assert_eq!(record(Method::POST, "/v1/visibilities", status), None);
        }
        assert_eq!(record(Method::GET, "/v1/visibilities", 404), None);
        assert_eq!(record(Method::PUT, "/v1/config/logging", 400), None);
    }
}
