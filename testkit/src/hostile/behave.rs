//! The good broker behind the hostile one: what the specification says, verb by verb.
//!
//! `deliver` asks `Work` for the answer and may then spoil it. The rule: credentials first, then the version, then
//! the verb (B3); and the answer to a call is worked out once.

mod bind;
mod body;
mod catalog;
mod deprovision;
mod fetch;
mod poll;
mod provision;
mod unbind;
mod update;

use super::deliver::Reply;
use super::memory::{Doom, Memory};
use super::route::{Route, query_value};
use super::serve::Shared;
use super::wire::Request;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use quartermaster_osb::Verb;
use serde_json::json;

/// One call, to be worked on at most once.
#[derive(Debug)]
pub(super) struct Work<'a> {
    shared: &'a Shared,
    request: &'a Request,
    route: &'a Route,
    number: usize,
    doom: Option<Doom>,
    reply: Option<Reply>,
}

impl<'a> Work<'a> {
    pub(super) fn new(
        shared: &'a Shared,
        request: &'a Request,
        route: &'a Route,
        number: usize,
    ) -> Self {
        Self {
            shared,
            request,
            route,
            number,
            doom: None,
            reply: None,
        }
    }

    /// The answer of a good broker; does the work when it is not done yet.
    pub(super) fn done(&mut self) -> Reply {
        if let Some(reply) = &self.reply {
            return reply.clone();
        }
        let call = Asked {
            request: self.request,
            instance: self.route.instance.as_deref().unwrap_or_default(),
            binding: self.route.binding.as_deref().unwrap_or_default(),
            doom: self.doom.take(),
        };
        let mut reply = answer(&mut self.shared.memory(), self.route.verb, &call);
        if let Some(id) = self.request.header("x-broker-api-request-identity") {
            let name = "X-Broker-API-Request-Identity".to_owned();
            reply.headers.push((name, id.to_owned()));
        }
        self.shared
            .calls
            .note(self.number, |call| call.worked = true);
        self.reply = Some(reply.clone());
        reply
    }

    pub(super) fn forget(&self) {
        if let Some(instance) = &self.route.instance {
            self.shared.memory().forget(instance);
        }
    }

    pub(super) fn doom(
        &mut self,
        description: String,
        instance_usable: Option<bool>,
        update_repeatable: Option<bool>,
    ) {
        self.doom = Some(Doom {
            description,
            instance_usable,
            update_repeatable,
        });
    }

    pub(super) fn note_status(&self, status: u16) {
        self.shared
            .calls
            .note(self.number, |call| call.status = Some(status));
    }

    pub(super) fn note_answered(&self, whole: bool) {
        self.shared
            .calls
            .note(self.number, |call| call.answered = whole);
    }
}

/// A call as the verbs see it.
#[derive(Debug)]
struct Asked<'a> {
    request: &'a Request,
    instance: &'a str,
    /// Empty for the instance endpoints.
    binding: &'a str,
    doom: Option<Doom>,
}

impl Asked<'_> {
    fn query(&self, key: &str) -> Option<String> {
        query_value(&self.request.query, key)
    }

    fn accepts_incomplete(&self) -> bool {
        self.query("accepts_incomplete").as_deref() == Some("true")
    }

    /// The id of the binding when the call is about one.
    fn binding(&self) -> Option<&str> {
        Some(self.binding).filter(|id| !id.is_empty())
    }
}

fn answer(memory: &mut Memory, verb: Verb, call: &Asked<'_>) -> Reply {
    refuse(memory, call.request).unwrap_or_else(|| {
        let reply = match verb {
            Verb::Catalog => Ok(catalog::answer(memory, call)),
            Verb::Provision => provision::answer(memory, call),
            Verb::FetchInstance => fetch::instance(memory, call),
            Verb::Update => update::answer(memory, call),
            Verb::Deprovision => deprovision::answer(memory, call),
            Verb::PollInstance | Verb::PollBinding => poll::answer(memory, call),
            Verb::Bind => bind::answer(memory, call),
            Verb::FetchBinding => fetch::binding(memory, call),
            Verb::Unbind => unbind::answer(memory, call),
        };
        // Both are answers; the error side only lets the verbs return early.
        reply.unwrap_or_else(|refusal| refusal)
    })
}

fn refuse(memory: &Memory, request: &Request) -> Option<Reply> {
    if let Some((user, password)) = &memory.credentials {
        let wanted = format!("Basic {}", STANDARD.encode(format!("{user}:{password}")));
        if request.header("authorization") != Some(&wanted) {
            let mut reply = Reply::error(401, "wrong or no credentials");
            let challenge = "Basic realm=\"hostile\"".to_owned();
            reply
                .headers
                .push(("WWW-Authenticate".to_owned(), challenge));
            return Some(reply);
        }
    }
    match request.header("x-broker-api-version") {
        None => Some(Reply::error(400, "X-Broker-API-Version is missing")),
        Some(version) if version.starts_with("2.") => None,
        Some(_) => Some(Reply::error(412, "this broker speaks version 2.17")),
    }
}

/// 422 for a plan that works asynchronously only.
fn async_required() -> Reply {
    Reply::word(
        "AsyncRequired",
        "this plan works asynchronously: send accepts_incomplete=true",
    )
}

/// 422 while something else is under way.
fn busy() -> Reply {
    Reply::word(
        "ConcurrencyError",
        "another operation on the same resource is under way",
    )
}

/// 500 for synchronous work that the script lets fail.
fn doomed(doom: &Doom) -> Reply {
    let mut body = json!({"description": doom.description});
    flags(doom, &mut body);
    Reply::new(500, &body)
}

fn flags(doom: &Doom, body: &mut serde_json::Value) {
    for (key, value) in [
        ("instance_usable", doom.instance_usable),
        ("update_repeatable", doom.update_repeatable),
    ] {
        if let Some(value) = value {
            body[key] = json!(value);
        }
    }
}
