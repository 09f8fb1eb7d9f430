//! Somebody who makes, binds and deletes over REST, one thing after the other, and remembers what was answered.

use super::super::world::{BINDINGS, INSTANCES, World, id_in};
use crate::faults::Dice;
use crate::harness::{Answer, Client};
use http::Method;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// One customer, and what it knows for certain.
pub(super) struct Customer {
    name: String,
    client: Client,
    plans: [String; 2],
    dice: Dice,
    stop: Arc<AtomicBool>,
    turns: usize,
    /// Answered as made, and nobody has asked to delete it.
    pub(super) mine: BTreeSet<String>,
    /// Answered as deleted.
    pub(super) gone: BTreeSet<String>,
    answers: Arc<AtomicU64>,
}

impl Customer {
    pub(super) fn new(
        name: &str,
        world: &World,
        client: Client,
        dice: Dice,
        stop: &Arc<AtomicBool>,
        answers: &Arc<AtomicU64>,
    ) -> Self {
        Self {
            name: name.to_owned(),
            client,
            plans: [world.sync.clone(), world.slow.clone()],
            dice,
            stop: Arc::clone(stop),
            turns: 0,
            mine: BTreeSet::new(),
            gone: BTreeSet::new(),
            answers: Arc::clone(answers),
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
        let name = format!("{}-{}", self.name, self.turns);
        self.turns += 1;
        let plan = usize::from(self.dice.roll(3) == 0);
        let wish = json!({"name": name, "service_plan_id": self.plans[plan]});
        let Some(id) = self.make(INSTANCES, &wish).await else {
            // Nobody told: it may be there or not, and must not stay in between.
            return;
        };
        if self.dice.roll(2) == 0 {
            let wish = json!({"name": "b", "service_instance_id": id});
            let bound = self.make(BINDINGS, &wish).await;
            match bound {
                Some(bound) if self.dice.roll(2) == 0 => {
                    if !self.delete(&format!("{BINDINGS}/{bound}"), &bound).await {
                        return;
                    }
                }
                _ => return,
            }
        }
        if self.dice.roll(4) == 0 {
            let change = json!({"parameters": {"turn": self.turns}});
            let path = format!("{INSTANCES}/{id}{}", self.mode());
            let answer = self.call(Method::PATCH, &path, &change).await;
            if let Some(location) = answer.as_ref().and_then(location) {
                self.wait(&location).await;
            }
        }
        if self.dice.roll(3) > 0 {
            self.delete(&format!("{INSTANCES}/{id}"), &id).await;
        }
    }

    /// As one may ask.
    fn mode(&mut self) -> &'static str {
        ["", "?async=true", "?async=false"][usize::try_from(self.dice.roll(3)).unwrap_or(0)]
    }

    /// Makes something; its id when it is there for certain.
    async fn make(&mut self, path: &str, wish: &Value) -> Option<String> {
        let path = format!("{path}{}", self.mode());
        let answer = self.call(Method::POST, &path, wish).await?;
        let id = match answer.status {
            201 => answer.body["id"].as_str()?.to_owned(),
            202 => {
                let location = location(&answer)?;
                if self.wait(&location).await?.as_str() != "succeeded" {
                    return None;
                }
                id_in(&location)
            }
            _ => return None,
        };
        self.mine.insert(id.clone());
        Some(id)
    }

    /// Deletes something; whether it is gone for certain.
    async fn delete(&mut self, path: &str, id: &str) -> bool {
        self.mine.remove(id);
        let path = format!("{path}{}", self.mode());
        let Some(answer) = self.call(Method::DELETE, &path, &Value::Null).await else {
            return false;
        };
        let gone = match location(&answer) {
            Some(location) => self.wait(&location).await.as_deref() == Some("succeeded"),
            None => [200, 404].contains(&answer.status),
        };
        if gone {
            self.gone.insert(id.to_owned());
        }
        gone
    }

    /// The answer, if there was one.
    async fn call(&mut self, method: Method, path: &str, body: &Value) -> Option<Answer> {
        let json = [("content-type", "application/json")];
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        match self.client.try_send(method, path, &json, body).await {
            Ok(answer) => {
                assert!(answer.status != 500, "{answer:#?}");
                self.answers.fetch_add(1, Ordering::Relaxed);
                Some(answer)
            }
            Err(_) => {
                tokio::time::sleep(Duration::from_millis(self.dice.roll(20))).await;
                None
            }
        }
    }

    /// Looks as a client does, also past a restart, until the end.
    async fn wait(&mut self, location: &str) -> Option<String> {
        for _ in 0..400 {
            if self.stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Ok(answer) = self.client.try_send(Method::GET, location, &[], "").await {
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

fn location(answer: &Answer) -> Option<String> {
    if answer.status == 202 {
        answer.header("location").map(str::to_owned)
    } else {
        None
    }
}

/// What all of them know, held against what there is.
pub(super) fn held(known: &[Customer], there: &BTreeSet<String>) {
    for customer in known {
        for id in &customer.mine {
            assert!(there.contains(id), "{id} was answered and is gone");
        }
        for id in &customer.gone {
            assert!(!there.contains(id), "{id} was deleted and is there");
        }
    }
}
