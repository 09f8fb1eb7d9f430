//! What can go wrong with one call.
//!
//! Faults come in two kinds. Some stand in the place of the work: the broker does nothing and answers wrongly
//! or not at all (`Hang`, `Close`, `Reset`, `Answer`, `Raw`). The others do the work and spoil its answer.
//! `Work` makes one of the second kind out of any of the first: the deed is done and the answer lost.

use quartermaster_osb::Catalog;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A header's name and value.
pub type Header = (String, String);

/// One way to misbehave. In JSON the word is in `fault`: `{"fault": "slow", "millis": 500}`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fault", rename_all = "snake_case", deny_unknown_fields)]
pub enum Fault {
    /// None: the answer of a good broker.
    #[default]
    Behave,
    /// Waits before the work and the answer.
    Slow {
        /// How long.
        millis: u64,
        /// What comes then.
        #[serde(default)]
        then: Box<Fault>,
    },
    /// Works, then sends the body in small pieces with a pause before each.
    Trickle {
        /// Size of a piece.
        bytes: usize,
        /// Length of a pause.
        millis: u64,
    },
    /// Never answers and keeps the connection open.
    Hang,
    /// Works, sends the head and half the body, and then nothing more.
    HangInBody,
    /// Closes the connection without a word.
    Close,
    /// Closes the connection so that the peer gets a reset.
    Reset,
    /// Does the work, throws its answer away, then does this.
    Work {
        /// What comes then.
        then: Box<Fault>,
    },
    /// Works, sends the head and half the body, and closes the connection.
    Cut,
    /// Does not work and answers this.
    Answer {
        /// Any status.
        status: u16,
        /// Any headers; `Content-Type` is made up when missing.
        #[serde(default)]
        headers: Vec<Header>,
        /// A string is sent as it is, anything else as JSON.
        #[serde(default)]
        body: Value,
    },
    /// Works, and changes the answer.
    Edit {
        /// Another status.
        #[serde(default)]
        status: Option<u16>,
        /// Further headers.
        #[serde(default)]
        headers: Vec<Header>,
        /// Merged into the body: `null` removes a field, anything else sets it (RFC 7396).
        #[serde(default)]
        patch: Value,
    },
    /// Works, and sends a body that only begins like JSON; its length is told right.
    Malformed,
    /// Works, and sends HTML as the body.
    NotJson,
    /// Works, and blows the body up with a field `padding`; it stays good JSON if it ever ends.
    Gigantic {
        /// Size of the padding; `None` never ends.
        #[serde(default)]
        bytes: Option<u64>,
    },
    /// Works, and tells a wrong `Content-Length`, then closes.
    WrongLength {
        /// Told length minus true length.
        by: i64,
    },
    /// Does not work, writes this on the connection as it is, and closes.
    Raw {
        /// All bytes of the answer, status line included.
        text: String,
    },
    /// Loses the instance that the call is about, then does this.
    Forget {
        /// What comes then.
        #[serde(default)]
        then: Box<Fault>,
    },
    /// Accepts the work honestly, and lets it fail: asynchronous work ends as `failed` and leaves what it had
    /// half made; synchronous work answers 500 and changes nothing.
    FailWork {
        /// Said in the answer.
        description: String,
        /// Said in the answer when given.
        #[serde(default)]
        instance_usable: Option<bool>,
        /// Said in the answer when given.
        #[serde(default)]
        update_repeatable: Option<bool>,
    },
    /// A different fault each time the rule applies; the last one stays.
    Sequence {
        /// In order.
        faults: Vec<Fault>,
    },
    /// A different fault each time the rule applies, from the start again after the last.
    Cycle {
        /// In order.
        faults: Vec<Fault>,
    },
}

impl Fault {
    /// Waits, then behaves.
    pub fn slow(millis: u64) -> Self {
        Self::Slow {
            millis,
            then: Box::default(),
        }
    }

    /// Does not work and answers this status with this JSON.
    pub fn answer(status: u16, body: Value) -> Self {
        Self::Answer {
            status,
            headers: Vec::new(),
            body,
        }
    }

    /// Does not work and answers this status with an OSB error body.
    pub fn status(status: u16) -> Self {
        Self::answer(
            status,
            json!({"description": format!("the script says {status}")}),
        )
    }

    /// Does not work and points elsewhere.
    pub fn redirect(status: u16, location: &str) -> Self {
        Self::Answer {
            status,
            headers: vec![("Location".to_owned(), location.to_owned())],
            body: json!({}),
        }
    }

    /// 401, whatever the credentials.
    pub fn unauthorized() -> Self {
        Self::status(401)
    }

    /// Does the work and never says so: the connection is closed without an answer.
    pub fn lose_answer() -> Self {
        Self::work_then(Self::Close)
    }

    /// Does the work, throws its answer away, then does this.
    pub fn work_then(then: Self) -> Self {
        Self::Work {
            then: Box::new(then),
        }
    }

    /// Loses the instance, then answers about it.
    pub fn forget() -> Self {
        Self::Forget {
            then: Box::default(),
        }
    }

    /// Works, and merges this into the answer's body.
    pub fn edit(patch: Value) -> Self {
        Self::Edit {
            status: None,
            headers: Vec::new(),
            patch,
        }
    }

    /// For last_operation: does not look, and says this word. `state("in progress")` never ends; a word that the
    /// protocol does not know is possible too.
    pub fn state(word: &str) -> Self {
        Self::answer(200, json!({"state": word}))
    }

    /// For last_operation: says `succeeded` once and `failed` from then on.
    pub fn succeed_then_fail() -> Self {
        Self::Sequence {
            faults: vec![Self::state("succeeded"), Self::state("failed")],
        }
    }

    /// For calls that start an operation: hands out another operation than the one it began.
    pub fn wrong_operation(operation: impl Into<Value>) -> Self {
        Self::edit(json!({"operation": operation.into()}))
    }

    /// Accepts the work and lets it fail.
    pub fn fail_work(description: &str) -> Self {
        Self::FailWork {
            description: description.to_owned(),
            instance_usable: None,
            update_repeatable: None,
        }
    }

    /// For catalog: answers this one.
    pub fn catalog(catalog: &Catalog) -> Self {
        // A catalog always is JSON; were it not, the platform would see the `null` of the default.
        Self::answer(200, serde_json::to_value(catalog).unwrap_or_default())
    }

    /// The fault for the `turn`-th time (from 0) that its rule applies: no sequence is left in it, but an
    /// empty one.
    pub(super) fn at(&self, turn: u64) -> Self {
        let turn_index = usize::try_from(turn).unwrap_or(usize::MAX);
        match self {
            Self::Sequence { faults } if !faults.is_empty() => {
                faults[turn_index.min(faults.len() - 1)].at(turn)
            }
            Self::Cycle { faults } if !faults.is_empty() => {
                faults[turn_index % faults.len()].at(turn / faults.len() as u64)
            }
            Self::Slow { millis, then } => Self::Slow {
                millis: *millis,
                then: Box::new(then.at(turn)),
            },
            Self::Work { then } => Self::work_then(then.at(turn)),
            Self::Forget { then } => Self::Forget {
                then: Box::new(then.at(turn)),
            },
            other => other.clone(),
        }
    }
}
