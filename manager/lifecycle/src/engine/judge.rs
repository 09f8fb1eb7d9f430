//! What an answer of a broker means for the record. Pure; [`conclude`](super::conclude) acts on it.
//!
//! The rule: the platform gets the broker's status and judges by it, so the record is judged by the same status. The
//! table of `api/osb` says what a create may have left behind; only a create is ever followed by a deletion.

mod own;

pub(crate) use own::judge_own;

use bytes::Bytes;
use http::{Response, StatusCode};
use qm_relay::RelayError;
use quartermaster_osb::answer::retry_after;
use quartermaster_osb::mitigation::{self, Decision, Meaning};
use quartermaster_osb::{Answer, Binding, ErrorBody, ErrorWord, Outcome, Secret, Verb};
use serde::Deserialize;
use serde_json::{Value, json};
use std::time::Duration;

/// What became of a call.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Verdict {
    /// It is done.
    Done(Answered),
    /// The broker goes on with it.
    Pending(Answered),
    /// It is not done, and nothing was left behind.
    Failed(Fault),
    /// It was to be made; nobody can say whether something of it is there, or the broker broke half way.
    Orphan(Fault),
    /// What may be left of a creation could not be deleted, and nobody tries any longer. The row stays to be seen.
    Abandoned(Fault),
    /// Nobody can say: it has to be asked, or sent again.
    Unknown(Fault),
    /// The broker is busy with something else of the same thing: it is sent once more, later.
    Later(Fault),
}

/// What the record keeps of a good answer.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Answered {
    pub(crate) dashboard_url: Option<String>,
    pub(crate) operation: Option<String>,
    /// How long the broker wants to be left alone.
    pub(crate) retry_after: Option<Duration>,
    /// What the protocol knows of the body, when it is an object and holds no secrets.
    pub(crate) body: Option<String>,
    /// A binding whole, where the manager is the platform.
    pub(crate) binding: Option<Box<Binding>>,
}

/// Why it is not done.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    /// The word in the operation's `errors`.
    pub(crate) word: String,
    pub(crate) description: String,
    /// What the broker says about the instance after a failed update.
    pub(crate) usable: Option<bool>,
    /// Whether a failed update can be asked for once more.
    pub(crate) repeatable: Option<bool>,
    /// The broker's own words.
    pub(crate) said: Option<Secret<Value>>,
    /// How long the broker wants to be left alone.
    pub(crate) wait: Option<Duration>,
}

impl Verdict {
    /// How long the broker wants to be left alone.
    pub(crate) fn wait(&self) -> Option<Duration> {
        self.fault().and_then(|fault| fault.wait)
    }

    /// The broker's own words.
    pub(crate) fn said(&self) -> Option<Secret<Value>> {
        self.fault().and_then(|fault| fault.said.clone())
    }

    fn fault(&self) -> Option<&Fault> {
        match self {
            Self::Done(_) | Self::Pending(_) => None,
            Self::Failed(fault)
            | Self::Orphan(fault)
            | Self::Abandoned(fault)
            | Self::Unknown(fault)
            | Self::Later(fault) => Some(fault),
        }
    }
}

impl Fault {
    pub(crate) fn new(word: impl Into<String>, description: impl Into<String>) -> Self {
        Self {
            word: word.into(),
            description: description.into(),
            usable: None,
            repeatable: None,
            said: None,
            wait: None,
        }
    }

    /// Nothing is wrong: it only takes longer.
    pub(crate) fn waiting(description: &str) -> Self {
        Self::new("", description)
    }

    /// Whether nothing is wrong.
    pub(crate) fn is_none(&self) -> bool {
        self.word.is_empty()
    }

    /// Whether the broker gave no answer.
    pub(crate) fn is_silence(&self) -> bool {
        self.word == SILENCE
    }

    pub(crate) fn errors(&self) -> Value {
        json!({"error": self.word, "description": self.description})
    }
}

/// The word for a broker that gave no answer.
pub(crate) const SILENCE: &str = "ServiceBrokerErr";
/// No broker is left alone longer than this many seconds.
pub(crate) const LONGEST_WAIT: u64 = 3600;
/// The longest answer that is kept for a repeated request.
const LONGEST_KEPT: usize = 64 * 1024;

/// What a direct answer to a mutating call means.
pub(crate) fn judge(verb: Verb, result: &Result<Response<Bytes>, RelayError>) -> Verdict {
    let response = match result {
        Ok(response) => response,
        Err(error) => {
            return lost(
                verb,
                &error.outcome(),
                Fault::new(SILENCE, error.to_string()),
            );
        }
    };
    let status = response.status();
    match (verb, status.as_u16()) {
        (Verb::Provision | Verb::Bind, 200 | 201)
        | (Verb::Update | Verb::Deprovision | Verb::Unbind, 200)
        | (Verb::Deprovision | Verb::Unbind, 410) => Verdict::Done(answered(verb, response)),
        (_, 202) => Verdict::Pending(answered(verb, response)),
        _ => {
            let outcome = Outcome::parse(verb, response);
            let fault = refused(status, &outcome);
            lost(verb, &outcome, fault)
        }
    }
}

/// Neither done nor going on.
fn lost(verb: Verb, outcome: &Outcome, fault: Fault) -> Verdict {
    let creates = matches!(verb, Verb::Provision | Verb::Bind);
    match mitigation::decide(verb, outcome) {
        Decision::DeleteInstance | Decision::DeleteBinding if creates => Verdict::Orphan(fault),
        _ if matches!(outcome, Outcome::Lost) => Verdict::Unknown(fault),
        _ => Verdict::Failed(fault),
    }
}

/// What the record says when the broker said no. Its own words go to the platform; they may hold anything, so the
/// record has the status and the words of the protocol alone.
pub(crate) fn refused(status: StatusCode, outcome: &Outcome) -> Fault {
    let empty = ErrorBody::default();
    let body = outcome.error_body().unwrap_or(&empty);
    let word = match &body.error {
        None | Some(ErrorWord::Other(_)) => String::new(),
        Some(known) => format!(" ({known})"),
    };
    Fault {
        word: "BrokerError".to_owned(),
        description: format!("the broker answered {status}{word}"),
        usable: body.instance_usable,
        repeatable: body.update_repeatable,
        said: said(status, body),
        wait: None,
    }
}

/// The broker's own words in the form in which clients of the old server read them.
fn said(status: StatusCode, body: &ErrorBody) -> Option<Secret<Value>> {
    if body.error.is_none() && body.description.is_none() {
        return None;
    }
    Some(Secret::new(json!({
        "StatusCode": status.as_u16(),
        "ErrorMessage": body.error.as_ref().map(ErrorWord::as_str),
        "Description": body.description,
        "ResponseError": null,
    })))
}

fn answered(verb: Verb, response: &Response<Bytes>) -> Answered {
    #[derive(Deserialize, Default)]
    struct Body {
        #[serde(default)]
        dashboard_url: Value,
        #[serde(default)]
        operation: Value,
        #[serde(default)]
        metadata: Value,
    }
    if matches!(verb, Verb::Deprovision | Verb::Unbind) && response.status() != StatusCode::ACCEPTED
    {
        return Answered::default();
    }
    let Body {
        dashboard_url,
        operation,
        metadata,
    } = serde_json::from_slice(response.body()).unwrap_or_default();
    let text = |value: Value| match value {
        Value::String(text) => Some(text),
        _ => None,
    };
    // A binding's answer holds its credentials: it is the platform's and is not kept. Of the others the fields of the
    // protocol are: nobody knows what else a broker writes there.
    let keeps = matches!(verb, Verb::Provision | Verb::Update)
        && response.body().len() <= LONGEST_KEPT
        && response
            .body()
            .iter()
            .find(|byte| !byte.is_ascii_whitespace())
            == Some(&b'{');
    let body = keeps.then(|| {
        let fields = [("dashboard_url", &dashboard_url), ("metadata", &metadata)];
        let said = fields.into_iter().filter(|(_, value)| !value.is_null());
        let said = said.map(|(key, value)| (key.to_owned(), value.clone()));
        Value::Object(said.collect()).to_string()
    });
    Answered {
        dashboard_url: text(dashboard_url),
        operation: text(operation),
        retry_after: retry_after(response.headers())
            .map(|seconds| Duration::from_secs(seconds.min(LONGEST_WAIT))),
        body,
        binding: None,
    }
}

/// What a poll of an operation that `verb` began means: `None` is "poll on".
pub(crate) fn judge_poll(verb: Verb, poll: &Outcome) -> Option<Verdict> {
    match mitigation::meaning_of_operation(verb, poll) {
        Meaning::Pending | Meaning::Unknown => None,
        Meaning::Success => Some(Verdict::Done(Answered::default())),
        Meaning::Failure => {
            let fault = Fault {
                word: "BrokerError".to_owned(),
                description: "the operation failed at the broker".to_owned(),
                usable: match poll {
                    Outcome::OperationFailed(last) => last.instance_usable,
                    _ => None,
                },
                repeatable: match poll {
                    Outcome::OperationFailed(last) => last.update_repeatable,
                    _ => None,
                },
                said: match poll {
                    Outcome::OperationFailed(last) => last.description.as_ref().map(|words| {
                        Secret::new(json!({"Description": words, "ResponseError": null}))
                    }),
                    _ => None,
                },
                wait: None,
            };
            Some(match (verb, mitigation::decide_operation(verb, poll)) {
                (
                    Verb::Provision | Verb::Bind,
                    Decision::DeleteInstance | Decision::DeleteBinding,
                ) => Verdict::Orphan(fault),
                _ => Verdict::Failed(fault),
            })
        }
    }
}

/// What a broker says about work that goes on.
pub(crate) fn progress(poll: &Outcome) -> Option<Secret<Value>> {
    match poll {
        Outcome::Success(Answer::LastOperation { body, .. }) => {
            let words = body
                .description
                .as_ref()
                .filter(|words| !words.is_empty())?;
            Some(Secret::new(json!({"Progress": words})))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
