//! `QM_SECTION_KEY` from the environment. Called by [`load`](super::load) with all variables.
//!
//! The rule: a variable that begins with `QM_` is ours, so one that means nothing is refused: it was
//! meant to do something. Those that belong to other programs of the product are known by name.

use super::layer::{Layers, Origin};
use super::nearest::nearest;
use super::problem::Problem;
use std::collections::BTreeMap;
use toml::Value;

/// Read by the command line or the key ring, and no key of the configuration.
const OWN: [&str; 3] = ["QM_CONFIG", "QM_DATA", "QM_KEYS"];

/// Beginnings that belong to others: brokers made with the SDK, the developers' commands, tests.
const OTHERS: [&str; 9] = [
    "QM_BENCH_",
    "QM_BROKER_",
    "QM_CACHE",
    "QM_CRASH_",
    "QM_KILL_",
    "QM_OPENBROKERAPI_",
    "QM_PGBIN",
    "QM_POSTGRES_",
    "QM_TEST_",
];

/// Lays the variables over what is there.
pub(crate) fn overlay(
    layers: &mut Layers,
    variables: impl IntoIterator<Item = (String, String)>,
    problems: &mut Vec<Problem>,
) {
    let known: BTreeMap<String, (String, String)> = layers
        .paths()
        .map(|(section, key)| (variable(section, key), (section.to_owned(), key.to_owned())))
        .collect();
    for (name, text) in variables {
        if !name.starts_with("QM_") || OWN.contains(&name.as_str()) {
            continue;
        }
        let Some((section, key)) = known.get(&name) else {
            if !OTHERS.iter().any(|other| name.starts_with(other)) {
                problems.push(unknown(&name, &known));
            }
            continue;
        };
        let origin = Origin::Variable(name.clone());
        let read = match layers.default_of(section, key) {
            Some(default) => read(default, &text),
            None => continue,
        };
        let set = match read {
            Ok(value) => layers.set(section, key, value, origin),
            Err(what) => Err(Problem::new(format!("{section}.{key}"), what).from(&origin)),
        };
        problems.extend(set.err());
    }
}

/// The variable of a key.
pub(crate) fn variable(section: &str, key: &str) -> String {
    format!("QM_{section}_{key}").to_uppercase()
}

fn unknown(name: &str, known: &BTreeMap<String, (String, String)>) -> Problem {
    let names = known.keys().map(String::as_str).chain(OWN);
    let what = match nearest(name, names) {
        Some(near) => format!("this variable means nothing; did you mean {near}?"),
        None => "this variable means nothing here; `quartermaster config --reference` lists all"
            .to_owned(),
    };
    Problem::new(name, what)
}

/// A value of the same kind as the default. The text is not repeated: it may be a secret.
fn read(default: &Value, text: &str) -> Result<Value, String> {
    match default {
        Value::String(_) => Ok(Value::String(text.to_owned())),
        Value::Boolean(_) => match text {
            "true" | "1" | "yes" | "on" => Ok(Value::Boolean(true)),
            "false" | "0" | "no" | "off" => Ok(Value::Boolean(false)),
            _ => Err("true or false is needed".to_owned()),
        },
        Value::Integer(_) => text
            .parse()
            .map(Value::Integer)
            .map_err(|_| "a whole number is needed".to_owned()),
        Value::Float(_) => text
            .parse()
            .map(Value::Float)
            .map_err(|_| "a number is needed".to_owned()),
        Value::Array(_) if !text.trim_start().starts_with('[') => Ok(Value::Array(
            text.split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .map(|item| Value::String(item.to_owned()))
                .collect(),
        )),
        Value::Array(_) => serde_json::from_str(text)
            .map_err(|_| "a list is needed: items parted by commas, or JSON".to_owned()),
        Value::Table(_) => {
            serde_json::from_str(text).map_err(|_| "a JSON object is needed".to_owned())
        }
        Value::Datetime(_) => Err("dates are not used".to_owned()),
    }
}
