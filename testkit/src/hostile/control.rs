//! `/_hostile/*`: the same reins for other processes, in JSON, without credentials.
//!
//! | request | does |
//! |---|---|
//! | `POST faults` | adds a rule or an array of rules |
//! | `GET faults`, `DELETE faults` | shows, removes all rules |
//! | `GET calls`, `GET instances` | what came, what exists |
//! | `POST forget` | `{"instance": id}` loses one |
//! | `PUT catalog`, `PUT credentials` | another catalog; `{"user": u, "password": p}` |
//! | `POST reset` | back to the start |

use super::deliver::Reply;
use super::script::Rule;
use super::serve::Shared;
use super::wire::Request;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Forget {
    instance: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Credentials {
    user: String,
    password: String,
}

pub(super) fn answer(shared: &Shared, request: &Request, below: &str) -> Reply {
    perform(shared, request, below).unwrap_or_else(|refusal| refusal)
}

fn perform(shared: &Shared, request: &Request, below: &str) -> Result<Reply, Reply> {
    match (request.method.as_str(), below) {
        ("POST", "faults") => {
            let body: Value = read(request)?;
            let rules = match body {
                Value::Array(rules) => rules,
                rule => vec![rule],
            };
            // All or none: a script of which half applies tests something else.
            let rules = rules.into_iter().map(decode::<Rule>);
            for rule in rules.collect::<Result<Vec<_>, _>>()? {
                shared.script().add(rule);
            }
        }
        ("GET", "faults") => return Ok(Reply::new(200, &json!(shared.script().rules()))),
        ("DELETE", "faults") => shared.script().clear(),
        ("GET", "calls") => return Ok(Reply::new(200, &json!(shared.calls.all()))),
        ("GET", "instances") => return Ok(Reply::new(200, &json!(shared.memory().known()))),
        ("POST", "forget") => {
            let Forget { instance } = read(request)?;
            shared.memory().forget(&instance);
        }
        ("PUT", "catalog") => shared.memory().catalog = read(request)?,
        ("PUT", "credentials") => {
            let Credentials { user, password } = read(request)?;
            shared.memory().credentials = Some((user, password));
        }
        ("POST", "reset") => shared.reset(),
        _ => return Err(Reply::error(404, "no such control")),
    }
    Ok(Reply::new(200, &json!({})))
}

fn read<T: DeserializeOwned>(request: &Request) -> Result<T, Reply> {
    let body = serde_json::from_slice(&request.body)
        .map_err(|error| Reply::error(400, &error.to_string()))?;
    decode(body)
}

fn decode<T: DeserializeOwned>(value: Value) -> Result<T, Reply> {
    serde_json::from_value(value).map_err(|error| Reply::error(400, &error.to_string()))
}
