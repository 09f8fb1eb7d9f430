//! A request and an answer in the hands of a mutant, and what it remembers between them.

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Mutex;

/// A request on its way to the broker.
#[derive(Debug, Clone)]
pub(crate) struct Ask {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) query: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Ask {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    pub(crate) fn set_json(&mut self, body: &Value) {
        self.body = body.to_string().into();
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .and_then(|v| v.to_str().ok())
            .unwrap_or_default()
    }

    fn parts(&self) -> Vec<&str> {
        self.path.split('/').skip(1).collect()
    }

    /// `PUT`, `GET`, ... on an instance.
    pub(crate) fn instance(&self, method: &str) -> bool {
        self.method == method && matches!(self.parts().as_slice(), ["v2", "service_instances", _])
    }

    /// `PUT`, `GET`, ... on a binding.
    pub(crate) fn binding(&self, method: &str) -> bool {
        self.method == method
            && matches!(
                self.parts().as_slice(),
                ["v2", "service_instances", _, "service_bindings", _]
            )
    }

    pub(crate) fn polls(&self) -> bool {
        self.path.ends_with("/last_operation") && self.method == Method::GET
    }

    pub(crate) fn catalog(&self) -> bool {
        self.path == "/v2/catalog" && self.method == Method::GET
    }
}

/// An answer on its way to the suite.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
    /// The connection is cut in place of an answer.
    pub(crate) cut: bool,
    /// No answer ever.
    pub(crate) hang: bool,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Changes the JSON of the answer.
    pub(crate) fn edit(&mut self, change: impl FnOnce(&mut Value)) {
        let mut body = self.json();
        change(&mut body);
        self.body = body.to_string().into();
    }

    pub(crate) fn set(&mut self, key: &str, value: Value) {
        self.edit(|body| {
            if let Some(body) = body.as_object_mut() {
                body.insert(key.to_owned(), value);
            }
        });
    }

    pub(crate) fn remove(&mut self, key: &str) {
        self.edit(|body| {
            if let Some(body) = body.as_object_mut() {
                body.remove(key);
            }
        });
    }

    pub(crate) fn header(&mut self, name: &'static str, value: &'static str) {
        self.headers.insert(name, HeaderValue::from_static(value));
    }

    /// Another status in place of one.
    pub(crate) fn turn(&mut self, from: u16, to: u16) {
        if self.status == from {
            self.status = to;
        }
    }

    /// A whole other answer.
    pub(crate) fn become_json(&mut self, status: u16, body: &Value) {
        self.status = status;
        self.body = body.to_string().into();
    }

    pub(crate) fn ok(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Numbers by name, kept as long as a proxy lives.
#[derive(Debug, Default)]
pub(crate) struct Memory(Mutex<HashMap<String, u64>>);

impl Memory {
    /// Counts up and says how often this was counted before.
    pub(crate) fn count(&self, key: &str) -> u64 {
        let mut counts = self.0.lock().unwrap();
        let count = counts.entry(key.to_owned()).or_default();
        *count += 1;
        *count - 1
    }

    /// Whether this was ever counted.
    pub(crate) fn knows(&self, key: &str) -> bool {
        self.0.lock().unwrap().contains_key(key)
    }

    /// Every name that starts like this.
    pub(crate) fn names(&self, prefix: &str) -> Vec<String> {
        let counts = self.0.lock().unwrap();
        let names = counts.keys().filter_map(|key| key.strip_prefix(prefix));
        names.map(str::to_owned).collect()
    }
}
