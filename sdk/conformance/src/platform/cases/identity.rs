//! Who asks, and by which request: two headers that a platform may send, and then has to send always. Whether each request
//! has an identity of its own is the platform's choice.

use super::sections::{IDENTITY, ORIGINATING};
use crate::case::Seen;
use crate::platform::broker::{Call, Verb};
use crate::platform::case::{Case, How, must};
use crate::verdict::{Check, Stop};
use base64::Engine;
use serde_json::Value;
use std::sync::Arc;

const REQUEST: &str = "x-broker-api-request-identity";
const USER: &str = "x-broker-api-originating-identity";

pub(super) const CASES: &[Case] = &[
    must("identity.request-always", &["P3"], IDENTITY).says(
        "A platform that sends X-Broker-API-Request-Identity sends it with every request, never empty",
        "Make a fresh GUID for every request, polls and catalog fetches included.",
        How::All(request_always),
    ),
    must("identity.user-always", &["P2"], ORIGINATING).says(
        "A platform that sends X-Broker-API-Originating-Identity sends it with everything a user causes",
        "Send who asked with every provision, update and bind; only catalog fetches and orphan mitigation may go without.",
        How::All(user_always),
    ),
    must("identity.user-format", &["P2"], ORIGINATING).says(
        "The originating identity is a platform word and base64 of a JSON object with the fields of its profile",
        "Send `<platform> <base64 of a JSON object>`; cloudfoundry needs user_id, kubernetes username, uid, groups and extra.",
        How::Each(user_format),
    ),
    must("identity.user-platform", &["P2"], ORIGINATING).says(
        "The platform word of the originating identity equals context.platform",
        "Take both from the same place.",
        How::Each(user_platform),
    ),
];

/// A header that is sent always or never. `mine` says which calls have to carry it.
fn always(calls: &[Arc<Call>], header: &str, mine: impl Fn(&Call) -> bool) -> Check {
    let mine: Vec<_> = calls.iter().filter(|call| mine(call)).collect();
    let has = |call: &&&Arc<Call>| {
        let value = call.headers.get(header);
        value.is_some_and(|value| !value.as_bytes().trim_ascii().is_empty())
    };
    if !calls.iter().any(|call| call.headers.contains_key(header)) {
        return Err(Stop::skip(format!("the platform does not send {header}")));
    }
    let lacking: Vec<_> = mine.iter().filter(|call| !has(call)).collect();
    if lacking.is_empty() {
        return Ok(());
    }
    let expected = format!("{header}, which other requests of this platform carry");
    let seen = format!("{} of {} calls lack it", lacking.len(), mine.len());
    let findings = lacking.iter().take(5);
    Err(Stop::Failed(
        findings
            .map(|call| call.finding(expected.clone(), seen.clone()))
            .collect(),
    ))
}

fn request_always(calls: &[Arc<Call>]) -> Check {
    always(calls, REQUEST, |_| true)
}

fn user_always(calls: &[Arc<Call>]) -> Check {
    always(calls, USER, |call| call.verb.is_creation())
}

/// The two halves of the header.
fn parts(call: &Call) -> Option<(&str, Option<Value>)> {
    let (platform, encoded) = call.header(USER)?.split_once(' ').unwrap_or_default();
    let decoded = base64::engine::general_purpose::STANDARD
        .decode(encoded)
        .ok();
    let value = decoded.and_then(|bytes| serde_json::from_slice(&bytes).ok());
    Some((platform, value))
}

fn user_format(call: &Call) -> Seen {
    if !call.headers.contains_key(USER) {
        return Seen::NotMine;
    }
    let wrong = |text: &str| Seen::Wrong(text.to_owned());
    let Some((platform, Some(value))) = parts(call) else {
        return wrong("a platform word, a blank, and base64 of a JSON object");
    };
    if platform.is_empty() || !value.is_object() {
        return wrong("a platform word, a blank, and base64 of a JSON object");
    }
    let wanted: &[&str] = match platform {
        "cloudfoundry" => &["user_id"],
        "kubernetes" => &["username", "uid", "groups", "extra"],
        _ => &[],
    };
    match wanted.iter().find(|field| value.get(**field).is_none()) {
        Some(field) => Seen::Wrong(format!("{field}, which the profile {platform} needs")),
        None => Seen::Right,
    }
}

fn user_platform(call: &Call) -> Seen {
    let context = call
        .field("context")
        .and_then(|context| context["platform"].as_str());
    match (parts(call), context) {
        (Some((platform, _)), Some(context)) if call.verb != Verb::Other => {
            if platform == context {
                Seen::Right
            } else {
                Seen::Wrong(format!(
                    "the same platform in the header ({platform}) and in the context ({context})"
                ))
            }
        }
        _ => Seen::NotMine,
    }
}
