//! The script of one broker: its catalog, what it answers next, and every call it got.
//!
//! Cases write it through `World`; `serve` asks it for each call. The rule: calls are noted and answers chosen under
//! one lock, so the order of the notes is the order in which the broker decided.

use super::answer::{Answer, Manner};
use super::call::{Call, Verb};
use super::serve::Arrived;
use super::sound::Sound;
use crate::evidence::{Exchange, Received, Sent};
use crate::{Secret, redact};
use serde_json::Value;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::watch;
use uuid::Uuid;

/// A scripted broker.
#[derive(Debug)]
pub(crate) struct Script {
    /// The first segment of its paths, and its name at the platform.
    pub(crate) name: String,
    pub(crate) username: String,
    pub(crate) password: Secret<String>,
    /// The driver was asked to make it known.
    pub(crate) announced: AtomicBool,
    state: Mutex<State>,
    /// How many calls there were; cases wait for it to change.
    count: watch::Sender<usize>,
}

#[derive(Debug)]
struct State {
    catalog: Value,
    etag: String,
    lanes: HashMap<Verb, Lane>,
    sound: Sound,
    calls: Vec<Arc<Call>>,
}

/// What comes next for one verb.
#[derive(Debug, Default)]
struct Lane {
    next: VecDeque<Answer>,
    then: Option<Answer>,
}

impl Script {
    pub(crate) fn new(name: String, catalog: Value) -> Self {
        Self {
            name,
            username: "verify".to_owned(),
            password: Secret::new(Uuid::new_v4().to_string()),
            announced: AtomicBool::new(false),
            state: Mutex::new(State {
                catalog,
                etag: etag(),
                lanes: HashMap::new(),
                sound: Sound::default(),
                calls: Vec::new(),
            }),
            count: watch::Sender::new(0),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Answers these, in order, and then soundly again.
    pub(crate) fn on(&self, verb: Verb, answers: impl IntoIterator<Item = Answer>) {
        let lane = Lane {
            next: answers.into_iter().collect(),
            then: None,
        };
        self.state().lanes.insert(verb, lane);
    }

    /// Answers these, in order, and the last one for ever.
    pub(crate) fn always(&self, verb: Verb, answers: impl IntoIterator<Item = Answer>) {
        let next: VecDeque<Answer> = answers.into_iter().collect();
        let then = next.back().cloned();
        self.state().lanes.insert(verb, Lane { next, then });
    }

    /// Answers soundly again.
    pub(crate) fn soundly(&self, verb: Verb) {
        self.state().lanes.remove(&verb);
    }

    /// The case is over: everything is answered soundly.
    pub(crate) fn calm(&self) {
        self.state().lanes.clear();
    }

    pub(crate) fn catalog(&self) -> Value {
        self.state().catalog.clone()
    }

    /// Shows another catalog from now on.
    pub(crate) fn set_catalog(&self, catalog: Value) {
        let mut state = self.state();
        state.catalog = catalog;
        state.etag = etag();
    }

    /// All calls so far.
    pub(crate) fn calls(&self) -> Vec<Arc<Call>> {
        self.state().calls.clone()
    }

    /// Changes with every call.
    pub(crate) fn news(&self) -> watch::Receiver<usize> {
        self.count.subscribe()
    }

    /// Notes a call and says what to answer.
    pub(super) fn arrived(&self, arrived: Arrived) -> (Arc<Call>, Answer) {
        let mut guard = self.state();
        let state = &mut *guard;
        let known = state.sound.known(&arrived, &state.catalog);
        let scripted = state.lanes.get_mut(&arrived.verb).and_then(Lane::pop);
        let answer = match scripted {
            Some(answer) => answer,
            None => state.sound.answer(&arrived, &state.catalog, &state.etag),
        };
        state.sound.note(&arrived, &answer);
        let call = Arc::new(Call {
            verb: arrived.verb,
            at: std::time::Instant::now(),
            given_up: OnceLock::new(),
            exchange: Arc::new(exchange(&arrived, &answer)),
            authorized: arrived.authorization == Some(self.authorization()),
            instance: arrived.instance,
            binding: arrived.binding,
            query: arrived.query,
            headers: arrived.headers,
            body: arrived.body,
            known,
            status: answer.is_given().then_some(answer.status),
        });
        state.calls.push(Arc::clone(&call));
        let count = state.calls.len();
        drop(guard);
        self.count.send_replace(count);
        (call, answer)
    }

    fn authorization(&self) -> String {
        crate::client::basic(&self.username, self.password.expose())
    }
}

impl Lane {
    fn pop(&mut self) -> Option<Answer> {
        self.next.pop_front().or_else(|| self.then.clone())
    }
}

fn etag() -> String {
    format!("\"{}\"", Uuid::new_v4())
}

fn exchange(arrived: &Arrived, answer: &Answer) -> Exchange {
    let shown = |headers: &http::HeaderMap| {
        let header = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
            (
                name.to_string(),
                redact::header(name.as_str(), value.as_bytes()),
            )
        };
        headers.iter().map(header).collect()
    };
    let received = match answer.manner {
        Manner::Now | Manner::Late(_) => Received::Answer {
            status: answer.status,
            headers: shown(&answer.headers),
            body: redact::body(&answer.body),
        },
        Manner::Never => Received::Nothing {
            reason: "the scripted broker kept silent".to_owned(),
        },
        Manner::Cut => Received::Nothing {
            reason: "the scripted broker closed the connection".to_owned(),
        },
    };
    Exchange {
        sent: Sent {
            method: arrived.method.to_string(),
            path: arrived.path_and_query.clone(),
            headers: shown(&arrived.headers),
            body: redact::body(&arrived.bytes),
        },
        received,
        millis: 0,
    }
}
