//! A refused body is explained without a word of what it held, wherever it is broken.

use crate::golden::{self, CANARY};
use http::{HeaderMap, Method};
use quartermaster_osb::{Route, decode};
use serde_json::{Value, json};

const INSTANCE: &str = "/v2/service_instances/i";
const BINDING: &str = "/v2/service_instances/i/service_bindings/b";

fn requests() -> [(Method, &'static str, Value); 4] {
    [
        (Method::PUT, INSTANCE, golden::provision()),
        (Method::PATCH, INSTANCE, golden::update()),
        (Method::PUT, BINDING, golden::bind()),
        (Method::PUT, BINDING, golden::rotate()),
    ]
}

/// The message of the refusal, if it is one.
fn refusal(method: &Method, path: &str, body: &[u8]) -> Option<String> {
    let route = Route::of(method, path).unwrap();
    let bad = decode(route, None, &HeaderMap::new(), body).err()?;
    // Neither the message nor what a log would show.
    Some(format!("{} {bad} {bad:?}", bad.message()))
}

/// Every place in a value, as a JSON pointer.
fn places(value: &Value, at: &str, all: &mut Vec<String>) {
    all.push(at.to_owned());
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                places(value, &format!("{at}/{key}"), all);
            }
        }
        Value::Array(array) => {
            for (index, value) in array.iter().enumerate() {
                places(value, &format!("{at}/{index}"), all);
            }
        }
        _ => {}
    }
}

#[test]
fn a_wrong_value_is_not_echoed() {
    let mut refused = 0;
    for (method, path, body) in requests() {
        let mut all = Vec::new();
        places(&body, "", &mut all);
        for place in all {
            for wrong in [
                json!(CANARY),
                json!([CANARY]),
                json!({CANARY: CANARY}),
                json!(format!("{CANARY}\0")),
                json!(format!("x, expected {CANARY}")),
            ] {
                let mut body = body.clone();
                *body.pointer_mut(&place).unwrap() = wrong.clone();
                let bytes = serde_json::to_vec(&body).unwrap();
                if let Some(message) = refusal(&method, path, &bytes) {
                    refused += 1;
                    assert!(!message.contains(CANARY), "{place} = {wrong}: {message}");
                }
            }
        }
    }
    assert!(refused > 50, "only {refused} were refused");
}

#[test]
fn a_cut_body_is_not_echoed() {
    for (method, path, body) in requests() {
        let bytes = serde_json::to_vec(&body).unwrap();
        for end in 0..bytes.len() {
            let message = refusal(&method, path, &bytes[..end]).expect("half a body was taken");
            assert!(!message.contains(CANARY), "cut at {end}: {message}");
        }
    }
}

#[test]
fn a_bad_query_is_not_echoed() {
    let route = || Route::of(&Method::DELETE, INSTANCE).unwrap();
    for query in [
        "accepts_incomplete=hunter2",
        "service_id=hunter2%",
        "plan_id=hunter2%FF",
    ] {
        let bad = decode(route(), Some(query), &HeaderMap::new(), b"").unwrap_err();
        assert!(!bad.message().contains(CANARY), "{query}: {bad}");
    }
}
