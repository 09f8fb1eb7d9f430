//! Somebody who creates, binds and deletes through a storm, and goes to the next door when one is closed.
//!
//! The rule: only what was answered is known. Whatever else became of a request, it was answered with something that
//! the protocol knows, or the whole manager was gone.

use super::super::world::{Door, wanted};
use http::Method;
use qm_testkit::hostile::{SERVICE, SYNC_PLAN};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// One customer, and what it knows for certain.
pub(super) struct Customer {
    name: usize,
    doors: Vec<Door>,
    stop: Arc<AtomicBool>,
    mine: BTreeSet<String>,
    gone: BTreeSet<String>,
}

impl Customer {
    pub(super) fn new(name: usize, doors: Vec<Door>, stop: Arc<AtomicBool>) -> Self {
        Self {
            name,
            doors,
            stop,
            mine: BTreeSet::new(),
            gone: BTreeSet::new(),
        }
    }

    pub(super) async fn live(mut self) -> Self {
        for n in 0.. {
            if self.stop.load(Ordering::Relaxed) {
                break;
            }
            self.visit(n).await;
        }
        self
    }

    /// One instance; every fourth is kept.
    async fn visit(&mut self, n: usize) {
        let id = format!("c{}-{n}", self.name);
        let ids = format!("service_id={SERVICE}&plan_id={SYNC_PLAN}");
        let url = self.doors[0].url(&id);
        if self.call(Method::PUT, &url, &wanted(SYNC_PLAN)).await != Some(201) {
            return;
        }
        self.mine.insert(id.clone());
        let binding = format!("{id}-b");
        let binding_url = self.doors[0].binding_url(&id, &binding);
        let body = json!({"service_id": SERVICE, "plan_id": SYNC_PLAN});
        let bound = self.call(Method::PUT, &binding_url, &body).await;
        if n.is_multiple_of(4) {
            if bound == Some(201) {
                self.mine.insert(binding);
            }
            return;
        }
        let path = format!("{binding_url}?{ids}");
        if let Some(200 | 410) = self.call(Method::DELETE, &path, &Value::Null).await {
            self.gone.insert(binding);
        }
        self.mine.remove(&id);
        let path = format!("{url}?{ids}");
        if let Some(200 | 410) = self.call(Method::DELETE, &path, &Value::Null).await {
            self.gone.insert(id);
        }
    }

    /// The status, if there was an answer.
    async fn call(&mut self, method: Method, path: &str, body: &Value) -> Option<u16> {
        let json = [("content-type", "application/json")];
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        let client = &self.doors[0].client;
        match client.try_send(method, path, &json, body).await {
            Ok(answer) => {
                assert!(
                    matches!(answer.status, 200 | 201 | 404 | 409 | 410 | 422 | 502..=504),
                    "{answer:?}"
                );
                if answer.status >= 500 {
                    tokio::time::sleep(Duration::from_millis(10)).await;
                }
                Some(answer.status)
            }
            Err(_) => {
                self.doors.rotate_left(1);
                None
            }
        }
    }
}

/// What was answered is so.
pub(super) fn check(customers: &[Customer], there: &BTreeMap<String, bool>) {
    let mut known = 0;
    for customer in customers {
        for id in &customer.mine {
            assert!(there.contains_key(id), "{id} was answered and is gone");
        }
        for id in &customer.gone {
            assert!(!there.contains_key(id), "{id} was deleted and is there");
        }
        known += customer.mine.len() + customer.gone.len();
    }
    println!(
        "{known} things are known for certain, {} are there",
        there.len()
    );
    assert!(known > customers.len(), "nobody came through");
}
