//! The record of every call.
//!
//! The rule: a call is written down when it has been read, before anything is done about it, so that a test
//! that waits for a call sees also those that are never answered.

use super::route::Route;
use super::wire::Request;
use quartermaster_osb::Verb;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// How long a test waits for calls before it gives up.
const PATIENCE: Duration = Duration::from_secs(180);

/// One call as it arrived, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Call {
    /// Order of arrival, from 1; goes on after a reset.
    pub number: usize,
    /// Time since the broker started or was reset.
    pub millis: u128,
    /// The endpoint; `None` when the path is no endpoint.
    #[serde(serialize_with = "verb_word")]
    pub verb: Option<Verb>,
    /// `GET`, `PUT`...
    pub method: String,
    /// As sent, still percent-encoded.
    pub path: String,
    /// As sent, without `?`.
    pub query: String,
    /// Names in lower case; values of repeated headers joined by `, `.
    pub headers: BTreeMap<String, String>,
    /// The body when it is JSON.
    pub body: Option<Value>,
    /// The body as it came.
    #[serde(skip)]
    pub bytes: Vec<u8>,
    /// The instance's id, decoded.
    pub instance: Option<String>,
    /// The binding's id, decoded.
    pub binding: Option<String>,
    /// Whether a good broker's work was done, whatever was answered.
    pub worked: bool,
    /// The status that was sent.
    pub status: Option<u16>,
    /// Whether a whole answer was sent.
    pub answered: bool,
}

impl Call {
    /// A header by its name in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(String::as_str)
    }

    /// A value of the query, decoded.
    pub fn query_value(&self, key: &str) -> Option<String> {
        super::route::query_value(&self.query, key)
    }
}

/// Which calls are meant; everything absent means any.
#[derive(Debug, Clone, Default)]
pub struct Filter {
    /// Of this verb.
    pub verb: Option<Verb>,
    /// About this instance.
    pub instance: Option<String>,
}

impl Filter {
    fn wants(&self, call: &Call) -> bool {
        self.verb.is_none_or(|verb| call.verb == Some(verb))
            && (self.instance.is_none() || self.instance == call.instance)
    }
}

impl From<Verb> for Filter {
    fn from(verb: Verb) -> Self {
        Self {
            verb: Some(verb),
            instance: None,
        }
    }
}

impl From<(Verb, &str)> for Filter {
    fn from((verb, instance): (Verb, &str)) -> Self {
        Self {
            verb: Some(verb),
            instance: Some(instance.to_owned()),
        }
    }
}

/// The calls a test waited for did not come.
#[derive(Debug, thiserror::Error)]
#[error("waited for {wanted} calls ({filter:?}), got {got}")]
pub struct TooFewCalls {
    /// How many were waited for.
    pub wanted: usize,
    /// How many came.
    pub got: usize,
    /// Which.
    pub filter: Filter,
}

#[derive(Debug)]
struct List {
    since: Instant,
    /// Numbers go on after a reset, so that a call still under way is not taken for a new one.
    forgotten: usize,
    calls: Vec<Call>,
}

#[derive(Debug)]
pub(super) struct Calls {
    list: Mutex<List>,
    arrived: watch::Sender<usize>,
}

impl Calls {
    pub(super) fn new() -> Self {
        Self {
            list: Mutex::new(List {
                since: Instant::now(),
                forgotten: 0,
                calls: Vec::new(),
            }),
            arrived: watch::Sender::new(0),
        }
    }

    /// Writes a call down and returns its number.
    pub(super) fn record(&self, request: &Request, route: Option<&Route>) -> usize {
        let mut list = self.list();
        let number = list.forgotten + list.calls.len() + 1;
        let call = Call {
            number,
            millis: list.since.elapsed().as_millis(),
            verb: route.map(|route| route.verb),
            method: request.method.clone(),
            path: request.path.clone(),
            query: request.query.clone(),
            headers: request.headers.clone(),
            body: serde_json::from_slice(&request.body).ok(),
            bytes: request.body.clone(),
            instance: route.and_then(|route| route.instance.clone()),
            binding: route.and_then(|route| route.binding.clone()),
            worked: false,
            status: None,
            answered: false,
        };
        list.calls.push(call);
        drop(list);
        self.arrived.send_modify(|count| *count += 1);
        number
    }

    /// Notes something about a call; nothing when a reset came between.
    pub(super) fn note(&self, number: usize, note: impl FnOnce(&mut Call)) {
        let mut list = self.list();
        let index = number.checked_sub(list.forgotten + 1);
        if let Some(call) = index.and_then(|index| list.calls.get_mut(index)) {
            note(call);
        }
    }

    pub(super) fn all(&self) -> Vec<Call> {
        self.list().calls.clone()
    }

    pub(super) fn matching(&self, filter: &Filter) -> Vec<Call> {
        let list = self.list();
        let wanted = list.calls.iter().filter(|call| filter.wants(call));
        wanted.cloned().collect()
    }

    pub(super) async fn wait(&self, n: usize, filter: &Filter) -> Result<Vec<Call>, TooFewCalls> {
        let mut arrived = self.arrived.subscribe();
        let enough = arrived.wait_for(|_| self.matching(filter).len() >= n);
        // Whatever ended the waiting, what counts is what has come.
        let _ = tokio::time::timeout(PATIENCE, enough).await;
        let got = self.matching(filter);
        if got.len() >= n {
            return Ok(got);
        }
        Err(TooFewCalls {
            wanted: n,
            got: got.len(),
            filter: filter.clone(),
        })
    }

    pub(super) fn clear(&self) {
        let mut list = self.list();
        list.since = Instant::now();
        list.forgotten += list.calls.len();
        list.calls.clear();
    }

    fn list(&self) -> MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn verb_word<S: serde::Serializer>(verb: &Option<Verb>, to: S) -> Result<S::Ok, S::Error> {
    verb.map(Verb::as_str).serialize(to)
}
