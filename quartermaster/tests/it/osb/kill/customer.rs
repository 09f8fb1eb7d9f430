//! Somebody at a platform who creates, binds and deletes, one thing after the other, and remembers what was answered.

use super::super::world::{Door, wanted};
use crate::faults::Dice;
use http::Method;
use qm_testkit::hostile::{ASYNC_PLAN, SERVICE, SYNC_PLAN};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// One customer, and what it knows for certain.
pub(super) struct Customer {
    name: usize,
    door: Door,
    dice: Dice,
    stop: Arc<AtomicBool>,
    made: usize,
    /// Answered as made, and nobody has asked to delete it.
    pub(super) mine: BTreeSet<String>,
    /// Answered as deleted.
    pub(super) gone: BTreeSet<String>,
    answers: Arc<AtomicU64>,
}

impl Customer {
    pub(super) fn new(
        name: usize,
        door: Door,
        dice: Dice,
        stop: Arc<AtomicBool>,
        answers: Arc<AtomicU64>,
    ) -> Self {
        Self {
            name,
            door,
            dice,
            stop,
            made: 0,
            mine: BTreeSet::new(),
            gone: BTreeSet::new(),
            answers,
        }
    }

    pub(super) async fn live(mut self) -> Self {
        while !self.stop.load(Ordering::Relaxed) {
            self.visit().await;
        }
        self
    }

    /// One instance from its beginning; some are kept.
    async fn visit(&mut self) {
        let id = format!("c{}-{}", self.name, self.made);
        self.made += 1;
        let plan = if self.dice.roll(3) == 0 {
            ASYNC_PLAN
        } else {
            SYNC_PLAN
        };
        let url = self.door.url(&id);
        let incomplete = "accepts_incomplete=true";
        let ids = format!("service_id={SERVICE}&plan_id={plan}");
        let made = self
            .call(Method::PUT, &format!("{url}?{incomplete}"), &wanted(plan))
            .await;
        match made {
            Some(201) => self.is_mine(&id),
            Some(202) => match self.wait(&id).await.as_deref() {
                Some("succeeded") => self.is_mine(&id),
                _ => return,
            },
            // Nobody told: it may be there or not, and must not stay in between.
            _ => return,
        }
        if self.dice.roll(2) == 0 {
            let binding = format!("{id}-b");
            let url = self.door.binding_url(&id, &binding);
            let body = json!({"service_id": SERVICE, "plan_id": plan});
            let bound = self
                .call(Method::PUT, &format!("{url}?{incomplete}"), &body)
                .await;
            if bound == Some(201) {
                self.is_mine(&binding);
                if self.dice.roll(2) == 0 {
                    self.mine.remove(&binding);
                    let path = format!("{url}?{incomplete}&{ids}");
                    if let Some(200 | 410) = self.call(Method::DELETE, &path, &Value::Null).await {
                        self.gone.insert(binding);
                    }
                }
            }
        }
        if self.dice.roll(3) > 0 {
            self.mine.remove(&id);
            self.mine.remove(&format!("{id}-b"));
            let path = format!("{url}?{incomplete}&{ids}");
            if let Some(200 | 410) = self.call(Method::DELETE, &path, &Value::Null).await {
                self.gone.insert(id);
            }
        }
    }

    fn is_mine(&mut self, id: &str) {
        self.mine.insert(id.to_owned());
    }

    /// The status, if there was an answer.
    async fn call(&mut self, method: Method, path: &str, body: &Value) -> Option<u16> {
        let json = [("content-type", "application/json")];
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        match self.door.client.try_send(method, path, &json, body).await {
            Ok(answer) => {
                self.answers.fetch_add(1, Ordering::Relaxed);
                Some(answer.status)
            }
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(self.dice.roll(20))).await;
                None
            }
        }
    }

    /// Polls as a platform does, also past a restart.
    async fn wait(&mut self, id: &str) -> Option<String> {
        let path = format!("{}/last_operation", self.door.url(id));
        for _ in 0..200 {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            let json = [("content-type", "application/json")];
            let answer = self
                .door
                .client
                .try_send(Method::GET, &path, &json, "")
                .await;
            if let Ok(answer) = answer {
                let state = answer.body["state"].as_str().unwrap_or_default().to_owned();
                if answer.status == 200 && state != "in progress" {
                    return Some(state);
                }
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        None
    }
}
