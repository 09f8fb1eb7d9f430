//! What every request of a platform carries.

use super::sections::{AUTH, CONTENT, VERSION};
use crate::case::Seen;
use crate::platform::broker::Call;
use crate::platform::case::{Case, How, must, should};

pub(super) const CASES: &[Case] = &[
    must("headers.version", &["P1"], VERSION).says(
        "Every request carries X-Broker-API-Version with a version 2.x",
        "Send `X-Broker-API-Version: 2.17` with every request, polls and catalog fetches included.",
        How::Each(version),
    ),
    must("headers.auth", &["P1"], AUTH).says(
        "Every request carries the credentials that were agreed for the broker",
        "Send the broker's own user and password as HTTP basic with every request.",
        How::Each(auth),
    ),
    should("headers.content-type", &["P1"], CONTENT).says(
        "Requests with a body say Content-Type: application/json",
        "Set the content type wherever a body is sent.",
        How::Each(content_type),
    ),
];

fn version(call: &Call) -> Seen {
    let version = call.header("x-broker-api-version").unwrap_or_default();
    let minor = version.strip_prefix("2.").unwrap_or_default();
    if !minor.is_empty() && minor.bytes().all(|c| c.is_ascii_digit()) {
        Seen::Right
    } else {
        Seen::Wrong(format!(
            "X-Broker-API-Version with a version such as 2.17, not {version:?}"
        ))
    }
}

fn auth(call: &Call) -> Seen {
    if call.authorized {
        Seen::Right
    } else {
        Seen::Wrong("the user and password of this broker, as HTTP basic".to_owned())
    }
}

fn content_type(call: &Call) -> Seen {
    if call.body.is_none() {
        return Seen::NotMine;
    }
    let kind = call.header("content-type").unwrap_or_default();
    if kind
        .split(';')
        .next()
        .is_some_and(|kind| kind.trim() == "application/json")
    {
        Seen::Right
    } else {
        Seen::Wrong(format!("Content-Type: application/json, not {kind:?}"))
    }
}
