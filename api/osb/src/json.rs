//! Reading a JSON object into a message, with faults that can be shown to anybody.
//!
//! `call::decode` and `answer::parse` read every body through `read`. The rule: a fault names the place
//! and what belongs there and never what was found, because what was found may be a password. serde's own
//! messages quote it, so they are taken apart here and only their harmless parts are kept.

use serde::de::DeserializeOwned;
use serde_json::error::Category;

/// Why bytes are not the message that was expected. Safe to print and to send back.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// There was no body.
    #[error("the body is empty; it must be a JSON object")]
    Empty,
    /// The bytes are no JSON.
    #[error("the body is not valid JSON: {what} at line {line}, column {column}")]
    Syntax {
        /// What the parser stumbled over.
        what: String,
        /// Counted from 1.
        line: usize,
        /// Counted from 1; 0 at the very start.
        column: usize,
    },
    /// JSON, and no object.
    #[error("the body must be a JSON object")]
    NotAnObject,
    /// A field is missing, twice there, or of the wrong kind.
    #[error("{path}: {problem}")]
    Field {
        /// As in `previous_values.plan_id`.
        path: String,
        /// What belongs there.
        problem: String,
    },
}

/// Reads an object. The good case is a single plain pass; only a bad body is read again for its path.
pub fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(body).map_err(|error| explain::<T>(body, &error))
}

#[cold]
fn explain<T: DeserializeOwned>(body: &[u8], error: &serde_json::Error) -> Fault {
    if body.iter().all(u8::is_ascii_whitespace) {
        return Fault::Empty;
    }
    match error.classify() {
        Category::Data => locate::<T>(body, error),
        // These messages are the parser's own words, without input.
        Category::Syntax | Category::Eof | Category::Io => Fault::Syntax {
            what: without_position(&error.to_string()).to_owned(),
            line: error.line(),
            column: error.column(),
        },
    }
}

fn locate<T: DeserializeOwned>(body: &[u8], error: &serde_json::Error) -> Fault {
    let mut reader = serde_json::Deserializer::from_slice(body);
    let path = match serde_path_to_error::deserialize::<_, T>(&mut reader) {
        Ok(_) => String::new(),
        Err(error) => error.path().to_string(),
    };
    let path = if path == "." { "" } else { path.as_str() };
    let message = error.to_string();
    let message = without_position(&message);
    if let Some(name) = quoted(message, "missing field `") {
        return field(join(path, name), "is required");
    }
    if let Some(name) = quoted(message, "duplicate field `") {
        return field(join(path, name), "must be given once");
    }
    let problem = problem(message);
    if path.is_empty() {
        return Fault::NotAnObject;
    }
    field(path.to_owned(), &problem)
}

fn field(path: String, problem: &str) -> Fault {
    Fault::Field {
        path,
        problem: problem.to_owned(),
    }
}

fn join(path: &str, name: &str) -> String {
    // serde_path_to_error already ends a path with the field that was given twice.
    if path.is_empty() || path == name {
        name.to_owned()
    } else if path.ends_with(&format!(".{name}")) {
        path.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// Sentences that our own types write; they hold no input.
const OURS: [&str; 3] = [
    "must be a non-empty string",
    "must not contain control characters",
    "must not be longer than 1024 bytes",
];

/// What belongs in the place. What was found stands before the last `, expected` and is dropped.
fn problem(message: &str) -> String {
    if let Some(at) = message.rfind(", expected ") {
        return format!("must be {}", kind(&message[at + ", expected ".len()..]));
    }
    OURS.iter()
        .find(|ours| message.ends_with(**ours))
        .map_or_else(
            || "is not what the protocol says".to_owned(),
            |ours| (*ours).to_owned(),
        )
}

/// serde speaks of Rust types; people who send JSON do not.
fn kind(expected: &str) -> &str {
    if expected.starts_with("struct ") {
        return "an object";
    }
    match expected {
        "a map" => "an object",
        "a sequence" => "an array",
        "u64" => "a whole number, not negative",
        other => other,
    }
}

fn without_position(message: &str) -> &str {
    message
        .rfind(" at line ")
        .map_or(message, |at| &message[..at])
}

fn quoted<'a>(message: &'a str, prefix: &str) -> Option<&'a str> {
    message.strip_prefix(prefix)?.strip_suffix('`')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BindRequest, LastOperation, ProvisionRequest, UpdateRequest};

    fn fault<T: DeserializeOwned>(body: &str) -> String {
        match read::<T>(body.as_bytes()) {
            Ok(_) => panic!("{body} was read"),
            Err(fault) => fault.to_string(),
        }
    }

    #[test]
    fn names_the_place_and_what_belongs_there() {
        let cases = [
            ("", "the body is empty; it must be a JSON object"),
            (" \n", "the body is empty; it must be a JSON object"),
            ("[]", "the body must be a JSON object"),
            ("\"hunter2\"", "the body must be a JSON object"),
            (
                "{\"service_id\":",
                "the body is not valid JSON: EOF while parsing a value at line 1, column 14",
            ),
            (
                "{\"service_id\":\"a\"} x",
                "the body is not valid JSON: trailing characters at line 1, column 20",
            ),
            ("{}", "service_id: is required"),
            (r#"{"service_id":5}"#, "service_id: must be a string"),
            (
                r#"{"service_id":""}"#,
                "service_id: must be a non-empty string",
            ),
            (
                r#"{"service_id":"a\u0000"}"#,
                "service_id: must not contain control characters",
            ),
            (
                r#"{"service_id":"a","service_id":"b"}"#,
                "service_id: must be given once",
            ),
            (
                r#"{"service_id":"a","parameters":"hunter2"}"#,
                "parameters: must be an object",
            ),
            (
                r#"{"service_id":"a","parameters":[1]}"#,
                "parameters: must be an object",
            ),
            (
                r#"{"service_id":"a","maintenance_info":{}}"#,
                "maintenance_info.version: is required",
            ),
            (
                r#"{"service_id":"a","maintenance_info":{"version":{"hunter2":1}}}"#,
                "maintenance_info.version: must be a string",
            ),
            (
                r#"{"service_id":"a","previous_values":{"plan_id":["hunter2"]}}"#,
                "previous_values.plan_id: must be a string",
            ),
        ];
        for (body, wanted) in cases {
            assert_eq!(fault::<UpdateRequest>(body), wanted, "{body}");
        }
    }

    #[test]
    fn a_value_that_looks_like_a_message_is_not_echoed() {
        for value in [
            "hunter2, expected hunter2",
            "hunter2` at line 9",
            "missing field `hunter2`",
        ] {
            let value = serde_json::to_string(value).unwrap();
            let bodies = [
                format!(r#"{{"service_id":"a","plan_id":"b","parameters":{value}}}"#),
                format!(r#"{{"service_id":"a","plan_id":"b","bind_resource":{value}}}"#),
                format!(r#"{{"service_id":"a","plan_id":"b","context":{value}}}"#),
            ];
            for body in bodies {
                assert!(!fault::<BindRequest>(&body).contains("hunter2"), "{body}");
            }
            let state = format!(r#"{{"state":{value}}}"#);
            assert!(
                !fault::<LastOperation>(&state).contains("hunter2"),
                "{state}"
            );
        }
    }

    #[test]
    fn depth_is_limited() {
        let deep = format!(
            r#"{{"service_id":"a","parameters":{{"a":{}1{}}}}}"#,
            "[".repeat(200),
            "]".repeat(200)
        );
        assert!(fault::<ProvisionRequest>(&deep).contains("recursion limit exceeded"));
    }
}
