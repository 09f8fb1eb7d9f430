//! Writes into the audit log that somebody was refused a change for want of a right (403). What was permitted is
//! written by the deeds themselves, with the change.
//!
//! The rule: only callers who have proved who they are get a record, or anybody could fill the log; and a log
//! that cannot be written changes no answer.

use crate::error::answer;
use crate::{App, action};
use axum::extract::Request;
use axum::response::Response;
use http::{Method, StatusCode, Uri};
use qm_lifecycle::audit;
use qm_model::{Chain, Ctx, Kind};

/// Longest id that is written down; there is no such resource, so it can be anything.
const MAX_ID: usize = 100;

/// What somebody tries to change.
pub(super) struct Tried {
    ctx: Ctx,
    action: &'static str,
    kind: Option<Kind>,
    id: String,
}

impl Tried {
    /// `None`: nothing.
    pub(super) fn read(request: &Request) -> Option<Self> {
        let (action, kind, id) = tried(request.method(), request.uri())?;
        let ctx = request.extensions().get::<Ctx>()?.clone();
        Some(Self {
            ctx,
            action,
            kind,
            id,
        })
    }

    /// Why it was refused, if it was.
    pub(super) fn refused(response: &Response) -> Option<String> {
        let failure = answer::of(response).map(|failure| failure.description.clone());
        (response.status() == StatusCode::FORBIDDEN).then(|| failure.unwrap_or_default())
    }

    /// Writes down that it was refused.
    pub(super) async fn note(self, app: &App, why: String) {
        let Self {
            ctx,
            action,
            kind,
            id,
        } = self;
        if let Err(error) = audit::refused(&app.deeds, &ctx, action, kind, id, why).await {
            tracing::warn!(error = %Chain(&error), "a refusal could not be written into the audit log");
        }
    }
}

/// What a request would have changed.
fn tried(method: &Method, uri: &Uri) -> Option<(&'static str, Option<Kind>, String)> {
    let action = action::of(method, uri.path())?;
    let mut parts = uri.path().splitn(5, '/').skip(1);
    let collection = format!("/{}/{}", parts.next()?, parts.next()?);
    let id = parts.next().unwrap_or_default();
    Some((
        action,
        Kind::from_path(&collection),
        id.chars().take(MAX_ID).collect(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_tried_is_read_from_the_request() {
        let of = |method: Method, path: &'static str| tried(&method, &Uri::from_static(path));
        assert_eq!(of(Method::GET, "/v1/platforms"), None);
        assert_eq!(
            of(Method::POST, "/v1/platforms?async=false"),
            Some(("create", Some(Kind::Platform), String::new()))
        );
        assert_eq!(
            of(Method::PATCH, "/v1/users/u-1"),
            Some(("update", Some(Kind::User), "u-1".to_owned()))
        );
        assert_eq!(
            of(Method::PUT, "/v1/config/logging"),
            Some(("update", None, "logging".to_owned()))
        );
    }
}
