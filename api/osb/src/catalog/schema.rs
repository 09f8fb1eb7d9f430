//! The schemas of a plan: `$schema` there, nothing fetched from elsewhere, not above 64 kB (B13).
//!
//! Whether a schema is a good JSON Schema is not asked here; that needs a validator and the SDK has one.

use super::fields::{Fields, wrong};
use crate::problem::{Report, step};
use serde_json::Value;
use std::io;

/// 64 kB, counted as the schema is written without spaces.
const MAX_BYTES: usize = 64 * 1024;

const RULE: &str = "B13";

/// Keywords that point to another schema.
const POINTERS: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];

/// Keywords whose value is data and no schema.
const DATA: [&str; 5] = ["enum", "const", "default", "example", "examples"];

/// Keywords whose value has a schema under each name: the names are no keywords.
const NAMED: [&str; 6] = [
    "properties",
    "patternProperties",
    "definitions",
    "$defs",
    "dependentSchemas",
    "dependencies",
];

/// Looks at all three places a plan may have a schema.
pub(super) fn check(schemas: &Fields<'_>, report: &mut Report) {
    for (kind, actions) in [
        ("service_instance", ["create", "update"].as_slice()),
        ("service_binding", ["create"].as_slice()),
    ] {
        let Some(kind) = schemas.object(kind, report) else {
            continue;
        };
        for action in actions {
            let Some(action) = kind.object(action, report) else {
                continue;
            };
            if let Some(parameters) = action.any("parameters", report) {
                schema(parameters, &action.path_of("parameters"), report);
            }
        }
    }
}

fn schema(value: &Value, path: &str, report: &mut Report) {
    let Value::Object(object) = value else {
        wrong::<()>(path, "an object", value, report);
        return;
    };
    match object.get("$schema") {
        Some(Value::String(dialect)) if !dialect.is_empty() => {}
        _ => report.must(
            &step(path, "$schema"),
            RULE,
            "must name the dialect, for example http://json-schema.org/draft-07/schema#",
        ),
    }
    if written(value) > MAX_BYTES {
        report.must(path, RULE, "must not be larger than 64 kB");
    }
    let own = ["$id", "id"]
        .iter()
        .find_map(|key| object.get(*key)?.as_str());
    pointers(value, path, own.unwrap_or_default(), report);
}

/// Notes every pointer that leads out of the schema.
fn pointers(value: &Value, path: &str, own: &str, report: &mut Report) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                let path = step(path, key);
                match value {
                    Value::String(target) if POINTERS.contains(&key.as_str()) => {
                        let document = target.split('#').next().unwrap_or_default();
                        if !document.is_empty() && document != own.trim_end_matches('#') {
                            let message = "must point into the schema itself, starting with #";
                            report.must(&path, RULE, message);
                        }
                    }
                    _ if DATA.contains(&key.as_str()) => {}
                    Value::Object(named) if NAMED.contains(&key.as_str()) => {
                        for (name, value) in named {
                            pointers(value, &step(&path, name), own, report);
                        }
                    }
                    _ => pointers(value, &path, own, report),
                }
            }
        }
        Value::Array(values) => {
            for (at, value) in values.iter().enumerate() {
                pointers(value, &format!("{path}[{at}]"), own, report);
            }
        }
        _ => {}
    }
}

/// The size of a value as JSON, without writing it anywhere.
fn written(value: &Value) -> usize {
    struct Count(usize);
    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut count = Count(0);
    match serde_json::to_writer(&mut count, value) {
        Ok(()) => count.0,
        Err(_) => usize::MAX,
    }
}
