//! From what the manager refused to what a person is told.

use crate::doc::Doc;
use crate::exit::Exit;
use crate::problem::Problem;
use crate::transport::Reply;
use http::Method;
use qm_manager_api::error::word;

pub(super) fn of(
    method: &Method,
    url: &str,
    path: &str,
    reply: &Reply,
    correlation: &str,
) -> Problem {
    let status = reply.status.as_u16();
    let body = Doc::parse(&reply.body).unwrap_or_default();
    let kind = body.str("error");
    let exit = match (status, kind) {
        (401 | 403, _) => Exit::Auth,
        (404 | 410, _) => Exit::NotFound,
        (409 | 412, _) => Exit::Conflict,
        (422, word::CONCURRENT_OPERATION | word::OPERATION_IN_PROGRESS) => Exit::Conflict,
        (503 | 504, _) => Exit::Unreachable,
        (500.., _) if status != 502 => Exit::Failed,
        _ => Exit::Refused,
    };
    let reason = reply.status.canonical_reason().unwrap_or_default();
    let description = body.str("description");
    let raw = String::from_utf8_lossy(&reply.body);
    let why = if description.is_empty() {
        format!("{status} {reason}: {}", raw.trim())
    } else {
        description.to_owned()
    };
    let id = body.str("correlation_id");
    Problem {
        exit,
        what: format!("{method} {path} was refused ({status} {reason})"),
        why: Some(why),
        hint: hint(status, kind, path).or_else(|| query_hint(description)),
        correlation: Some(if id.is_empty() { correlation } else { id }.into()),
        old: Some(format!(
            "request {method} {url} failed: StatusCode: {status} Body: {raw}"
        )),
        status: Some(status),
    }
}

fn hint(status: u16, kind: &str, path: &str) -> Option<String> {
    let named = noun(path);
    let noun = named.unwrap_or("NOUN");
    let hint = match (status, kind) {
        (401, _) => "smctl login".to_owned(),
        (403, word::UPDATE_NOT_ALLOWED) => format!("smctl {noun} delete it and make it anew"),
        (403, _) => {
            "log in as somebody with the role, or have it given: smctl user update NAME --role ..."
                .to_owned()
        }
        (404, word::PLAN_NOT_FOUND) => "smctl marketplace".to_owned(),
        (404 | 410, _) => format!("smctl {} list", named?),
        (409, word::EXISTING_REFERENCE) => {
            format!(
                "remove what depends on it first, or all at once: smctl {noun} delete ... --cascade"
            )
        }
        (409, _) => format!("smctl {} list", named?),
        (412, _) => "somebody changed it in between; try again".to_owned(),
        (422, word::CONCURRENT_OPERATION | word::OPERATION_IN_PROGRESS) => {
            "wait for it: smctl operation list --query \"state eq 'in progress'\"".to_owned()
        }
        (429, _) => "try again in a moment".to_owned(),
        (502, _) => "smctl broker list -o wide".to_owned(),
        (500.., _) => "smctl doctor".to_owned(),
        _ => return None,
    };
    Some(hint)
}

/// How a query is written, when it was one that could not be read.
fn query_hint(description: &str) -> Option<String> {
    let example = if description.starts_with("fieldQuery") {
        "--query \"name eq 'mydb' and ready eq true\""
    } else if description.starts_with("labelQuery") {
        "--label env=dev, or --label \"env in ('dev','qa')\""
    } else {
        return None;
    };
    Some(format!("write it as in {example}"))
}

/// What a collection is called on the command line.
fn noun(path: &str) -> Option<&'static str> {
    let nouns = [
        ("/v1/service_brokers", "broker"),
        ("/v1/platforms", "platform"),
        ("/v1/visibilities", "visibility"),
        ("/v1/service_offerings", "offering"),
        ("/v1/service_plans", "plan"),
        ("/v1/service_instances", "instance"),
        ("/v1/service_bindings", "binding"),
        ("/v1/operations", "operation"),
        ("/v1/users", "user"),
        ("/v1/clients", "client"),
    ];
    let found = nouns.iter().find(|(prefix, _)| path.starts_with(prefix));
    found.map(|(_, noun)| *noun)
}

/// Says what was being done when a refusal came.
pub(crate) trait Doing<T> {
    /// Puts `what` in the place of the request, when it was a refusal.
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, Problem>;
}

impl<T> Doing<T> for Result<T, Problem> {
    fn doing(self, what: impl FnOnce() -> String) -> Result<T, Problem> {
        self.map_err(|mut problem| {
            if problem.status.is_some() {
                problem.what = what();
            }
            problem
        })
    }
}
