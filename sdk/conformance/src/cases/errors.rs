//! Error bodies, judged over every answer of the run.

use super::sections::ERRORS;
use crate::case::{Case, How, Seen, must, should};
use crate::client::Reply;
use crate::request::Request;
use http::Method;
use serde_json::Value;

pub(super) const CASES: &[Case] = &[
    must("errors.no-5xx", &["B7"], ERRORS).says(
        "No request of the run is answered with a 5xx",
        "Find the cause in the broker's log; bad input is a 4xx.",
        How::Watch(no_5xx),
    ),
    should("errors.object", &["B8"], ERRORS).says(
        "Every refusal has a JSON object as body",
        "Answer `{\"description\": ...}` with every 4xx, also from the layers before your code.",
        How::Watch(object),
    ),
    should("errors.description", &["B8"], ERRORS).says(
        "Every refusal says in its description what is wrong",
        "Add a `description` that tells a person what to change.",
        How::Watch(description),
    ),
    must("errors.non-empty", &["B8"], ERRORS).says(
        "error and description are non-empty text when present",
        "Leave the field out when there is nothing to say.",
        How::Watch(non_empty),
    ),
    must("errors.reserved-words", &["B9"], ERRORS).says(
        "AsyncRequired, ConcurrencyError, RequiresApp and MaintenanceInfoConflict come only with 422",
        "Use 422 with the reserved words, and other words with other codes.",
        How::Watch(reserved_words),
    ),
    must("errors.reserved-place", &["B9"], ERRORS).says(
        "Reserved words are used only where they have a meaning",
        "RequiresApp belongs to bind, MaintenanceInfoConflict to provision and update, AsyncRequired to requests without accepts_incomplete=true.",
        How::Watch(reserved_place),
    ),
    should("errors.one-word", &["B8"], ERRORS).says(
        "error is one word in CamelCase",
        "Put the sentence into `description` and keep `error` for programs.",
        How::Watch(one_word),
    ),
    must("errors.usable-flags", &["B8", "B44"], ERRORS).says(
        "instance_usable and update_repeatable appear only on failed updates and deprovisions, as booleans",
        "Send update_repeatable only for updates, instance_usable only for updates and deprovisions.",
        How::Watch(usable_flags),
    ),
    must("errors.no-secrets", &["B7"], ERRORS).says(
        "No refusal repeats the credentials of the request or shows a stack trace",
        "Never put headers, bodies or back traces into answers.",
        How::Watch(no_secrets),
    ),
];

fn no_5xx(_: &Request, reply: &Reply) -> Seen {
    // 501 is the right answer to a method that HTTP does not know.
    if reply.status >= 500 && reply.status != 501 {
        Seen::Wrong("no 5xx".to_owned())
    } else {
        Seen::Right
    }
}

/// Refusals by the broker itself: answers to HEAD have no body, and 413, 414 and 431 may come from its HTTP server.
fn mine(request: &Request, reply: &Reply) -> bool {
    reply.is_refusal() && request.method != Method::HEAD && !matches!(reply.status, 413 | 414 | 431)
}

/// Refusals on the endpoints of the specification.
fn on_endpoint(request: &Request, reply: &Reply) -> bool {
    mine(request, reply)
        && matches!(
            request.method,
            Method::GET | Method::PUT | Method::PATCH | Method::DELETE
        )
        && reply.status != 405
        && (request.path == "/v2/catalog" || is_resource(&request.path))
}

fn is_resource(path: &str) -> bool {
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    if parts
        .iter()
        .any(|part| part.is_empty() || part.contains("%z") || *part == "%")
    {
        return false;
    }
    matches!(
        parts.as_slice(),
        ["v2", "service_instances", _]
            | ["v2", "service_instances", _, "last_operation"]
            | ["v2", "service_instances", _, "service_bindings", _]
            | [
                "v2",
                "service_instances",
                _,
                "service_bindings",
                _,
                "last_operation"
            ]
    )
}

fn object(request: &Request, reply: &Reply) -> Seen {
    if !on_endpoint(request, reply) {
        return Seen::NotMine;
    }
    match &reply.json {
        Some(Value::Object(_)) => Seen::Right,
        _ => Seen::Wrong("a JSON object as body of the refusal".to_owned()),
    }
}

fn description(request: &Request, reply: &Reply) -> Seen {
    // 401 says all by its code, and 410 to a delete is an everyday answer with `{}`.
    if !on_endpoint(request, reply) || matches!(reply.status, 401 | 410) {
        return Seen::NotMine;
    }
    match reply.text("description") {
        Some(text) if !text.is_empty() => Seen::Right,
        _ => Seen::Wrong("a description in the refusal".to_owned()),
    }
}

fn non_empty(request: &Request, reply: &Reply) -> Seen {
    if !mine(request, reply) || reply.json.is_none() {
        return Seen::NotMine;
    }
    for key in ["error", "description"] {
        match reply.field(key) {
            None => {}
            Some(Value::String(text)) if !text.is_empty() => {}
            Some(_) => return Seen::Wrong(format!("{key} as non-empty text, or absent")),
        }
    }
    Seen::Right
}

const RESERVED: [&str; 4] = [
    "AsyncRequired",
    "ConcurrencyError",
    "RequiresApp",
    "MaintenanceInfoConflict",
];

fn reserved(reply: &Reply) -> Option<&str> {
    reply.word().filter(|word| RESERVED.contains(word))
}

fn reserved_words(_: &Request, reply: &Reply) -> Seen {
    match reserved(reply) {
        None => Seen::NotMine,
        Some(_) if reply.status == 422 => Seen::Right,
        Some(word) => Seen::Wrong(format!("422 with {word}")),
    }
}

fn reserved_place(request: &Request, reply: &Reply) -> Seen {
    let waits = request
        .query
        .iter()
        .any(|(key, value)| key == "accepts_incomplete" && value == "true");
    let binding = request.about_binding();
    match reserved(reply) {
        None => Seen::NotMine,
        Some("RequiresApp") if !(binding && request.method == Method::PUT) => {
            Seen::Wrong("RequiresApp only on bind".to_owned())
        }
        Some("MaintenanceInfoConflict")
            if binding || !matches!(request.method, Method::PUT | Method::PATCH) =>
        {
            Seen::Wrong("MaintenanceInfoConflict only on provision and update".to_owned())
        }
        Some("AsyncRequired") if waits && request.raw_query.is_none() => {
            Seen::Wrong("no AsyncRequired when accepts_incomplete=true was sent".to_owned())
        }
        Some("AsyncRequired") if request.method == Method::GET => {
            Seen::Wrong("no AsyncRequired on GET".to_owned())
        }
        Some(_) => Seen::Right,
    }
}

fn one_word(request: &Request, reply: &Reply) -> Seen {
    if !on_endpoint(request, reply) {
        return Seen::NotMine;
    }
    match reply.word() {
        None => Seen::NotMine,
        Some(word)
            if word.chars().all(char::is_alphanumeric) && word.starts_with(char::is_uppercase) =>
        {
            Seen::Right
        }
        Some(word) => Seen::Wrong(format!("error as one CamelCase word, not {word:?}")),
    }
}

fn usable_flags(request: &Request, reply: &Reply) -> Seen {
    if reply.status < 400 {
        return Seen::NotMine;
    }
    let update = request.method == Method::PATCH;
    let deprovision = request.method == Method::DELETE && !request.about_binding();
    for (key, allowed) in [
        ("instance_usable", update || deprovision),
        ("update_repeatable", update),
    ] {
        match reply.field(key) {
            None => {}
            Some(Value::Bool(_)) if allowed => {}
            Some(_) => {
                return Seen::Wrong(format!("no {key} here, and a boolean where it is allowed"));
            }
        }
    }
    Seen::Right
}

fn no_secrets(_: &Request, reply: &Reply) -> Seen {
    if reply.status < 400 {
        return Seen::NotMine;
    }
    let text = String::from_utf8_lossy(&reply.body);
    let traces = [
        "Traceback (most recent call last)",
        "goroutine ",
        "stack backtrace:",
        "\tat java.",
        "panicked at",
    ];
    if traces.iter().any(|trace| text.contains(trace)) {
        return Seen::Wrong("no stack trace in an answer".to_owned());
    }
    if text.contains("Basic ") && text.to_lowercase().contains("authorization") {
        return Seen::Wrong("no request headers in an answer".to_owned());
    }
    Seen::Right
}
