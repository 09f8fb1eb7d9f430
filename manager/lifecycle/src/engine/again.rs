//! Somebody asks for what is there or under way already. Provision and bind come here when their intent found the id
//! taken.
//!
//! The rule: the same request is answered as the first one was, a different one is a conflict, and what another
//! operation holds is not touched. A request whose first sender died is sent again by whoever repeats it.

use super::Subject;
use crate::Lifecycle;
use crate::door::Reply;
use bytes::Bytes;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use qm_model::operation::{Operation, State, Verb};
use qm_model::{Ctx, Error, Kind, Time};
use qm_store::deed;
use qm_store::facts::{Facts, Work};
use qm_store::operation::{Held, Phase};
use quartermaster_osb::Object;
use serde_json::{Value, json};

/// What to do about a repeated creation.
#[derive(Debug)]
pub(crate) enum Again {
    /// Answer this.
    Answer(Reply),
    /// It is ours to send: the first sender is gone.
    Send(Held),
    /// It is there as asked, and the broker is asked for its words again.
    Replay,
    /// Whatever was in the way is gone: begin.
    Begin,
}

/// What is known of the thing that a creation found in its way.
pub(crate) struct Found<'a> {
    pub(crate) facts: &'a Facts,
    /// Whether it belongs to the caller and was asked for in the same words; `None` when there is no row.
    pub(crate) same: Option<bool>,
    /// Whether it is ready.
    pub(crate) ready: bool,
    /// The broker's answer, when it is kept.
    pub(crate) answer: Option<&'a str>,
    /// Where its web page is.
    pub(crate) dashboard_url: Option<&'a str>,
}

/// Decides about a repeated creation.
///
/// # Errors
/// 409 when it is another one, 422 when something else is under way.
pub(crate) async fn again(
    deeds: &Lifecycle,
    subject: &Subject,
    found: Found<'_>,
    accepts_incomplete: bool,
) -> Result<Again, Error> {
    let now = deeds.lease_now();
    let work = found.facts.operation.as_ref();
    let under_way = work.filter(|work| work.phase != Phase::Done);
    let Some(same) = found.same else {
        return match under_way {
            Some(work) => Err(in_the_way(&work.operation)),
            None => Ok(Again::Begin),
        };
    };
    if !same {
        return Err(Error::conflict(subject.kind(), subject.id()));
    }
    let Some(work) = under_way else {
        return match (found.ready, subject.kind()) {
            (true, Kind::Binding) => Ok(Again::Replay),
            (true, _) => Ok(Again::Answer(json_reply(
                StatusCode::OK,
                found.answer.unwrap_or("{}").to_owned(),
            ))),
            (false, _) => Err(Error::conflict(subject.kind(), subject.id())),
        };
    };
    match (work.operation.verb, work.phase) {
        (Verb::Create, Phase::Polling) => Ok(Again::Answer(accepted(work, found.dashboard_url))),
        (Verb::Create, Phase::Intent) if is_held(work, now) => {
            if accepts_incomplete {
                Ok(Again::Answer(json_reply(
                    StatusCode::ACCEPTED,
                    "{}".to_owned(),
                )))
            } else {
                Err(in_the_way(&work.operation))
            }
        }
        (Verb::Create, Phase::Intent) => {
            let taken = deed::take(
                &deeds.store,
                &work.operation.id,
                work.fence,
                &deeds.settings.replica,
                now,
                now.plus(deeds.hold()),
            )
            .await?;
            match taken {
                Some(taken) => Ok(Again::Send(taken.held)),
                None => Err(in_the_way(&work.operation)),
            }
        }
        // An update is under way: the instance is there.
        (Verb::Update, _) if found.ready => Ok(Again::Answer(json_reply(
            StatusCode::OK,
            found.answer.unwrap_or("{}").to_owned(),
        ))),
        _ => Err(in_the_way(&work.operation)),
    }
}

pub(crate) fn is_held(work: &Work, now: Time) -> bool {
    work.lease_until.is_some_and(|until| until > now)
}

/// 202 in the broker's words.
pub(crate) fn accepted(work: &Work, dashboard_url: Option<&str>) -> Reply {
    let mut body = Object::new();
    if let Some(operation) = &work.broker_operation {
        body.insert("operation".to_owned(), json!(operation));
    }
    if let Some(url) = dashboard_url {
        body.insert("dashboard_url".to_owned(), json!(url));
    }
    json_reply(StatusCode::ACCEPTED, Value::Object(body).to_string())
}

/// 422: the protocol's word for "not while something else is under way".
pub(crate) fn in_the_way(operation: &Operation) -> Error {
    let what = match (operation.verb, operation.state) {
        (Verb::Create, State::Failed) => {
            "its creation failed, and what is left of it is being deleted"
        }
        (Verb::Create, _) => "it is being created",
        (Verb::Update, _) => "it is being changed",
        (Verb::Delete, _) => "it is being deleted",
    };
    Error::Unprocessable {
        word: "ConcurrencyError",
        message: format!(
            "{what} since {} (operation {}); try again when that has ended",
            operation.created_at, operation.id
        ),
    }
}

/// 422: somebody else was quicker.
pub(crate) fn just_now(kind: Kind) -> Error {
    Error::Unprocessable {
        word: "ConcurrencyError",
        message: format!(
            "another operation on this {kind} was begun at the same time; try again when it has ended"
        ),
    }
}

/// An answer of ours.
pub(crate) fn json_reply(status: StatusCode, body: String) -> Reply {
    let mut reply = Reply::new(Bytes::from(body));
    *reply.status_mut() = status;
    reply.headers_mut().insert(
        CONTENT_TYPE,
        http::HeaderValue::from_static("application/json"),
    );
    reply
}

/// The caller's platform.
pub(crate) fn platform(ctx: &Ctx) -> Option<&qm_model::id::PlatformId> {
    match &ctx.caller {
        qm_model::Caller::Platform(platform) => Some(&platform.id),
        _ => None,
    }
}
