//! How a scripted broker behaves where its script says nothing: soundly, at once, and with everything it was asked.
//!
//! Also keeps what may exist at the broker, for scripted answers too: after a 5xx or silence something may have been
//! made, after a 4xx nothing was.

use super::answer::Answer;
use super::call::{Known, Verb};
use super::catalog::retrievable;
use super::serve::Arrived;
use serde_json::{Value, json};
use std::collections::HashMap;

/// What may exist at a broker.
#[derive(Debug, Default)]
pub(super) struct Sound {
    instances: HashMap<String, Item>,
    bindings: HashMap<(String, String), Item>,
}

#[derive(Debug, Default, Clone)]
struct Item {
    service_id: String,
    plan_id: String,
    parameters: Option<Value>,
    /// What was handed out with the last 202; an outer none when nothing is under way.
    operation: Option<Option<String>>,
    /// The plan after the change that is under way.
    next_plan: Option<String>,
    deleting: bool,
    /// The broker said that it was made; else it only may have been.
    sure: bool,
    /// Deleted, and only kept for late polls.
    gone: bool,
}

impl Sound {
    fn binding(&self, call: &Arrived) -> Option<&Item> {
        let key = (call.instance.clone(), call.binding.clone());
        self.bindings.get(&key)
    }

    fn item(&self, call: &Arrived) -> Option<&Item> {
        if call.binding.is_empty() {
            self.instances.get(&call.instance)
        } else {
            self.binding(call)
        }
    }

    fn item_mut(&mut self, call: &Arrived) -> Option<&mut Item> {
        if call.binding.is_empty() {
            self.instances.get_mut(&call.instance)
        } else {
            let key = (call.instance.clone(), call.binding.clone());
            self.bindings.get_mut(&key)
        }
    }

    fn lives(&self, call: &Arrived) -> bool {
        self.item(call).is_some_and(|item| !item.gone)
    }

    /// What is known before the call.
    pub(super) fn known(&self, call: &Arrived, catalog: &Value) -> Known {
        let item = self.item(call).cloned().unwrap_or_default();
        let flag = if call.binding.is_empty() {
            "instances_retrievable"
        } else {
            "bindings_retrievable"
        };
        let living = |(key, item): &(&(String, String), &Item)| {
            key.0 == call.instance && item.sure && !item.gone
        };
        Known {
            exists: self.lives(call),
            retrievable: retrievable(catalog, &item.service_id, flag),
            bindings: self.bindings.iter().filter(living).count(),
            service_id: item.service_id,
            plan_id: item.plan_id,
            operation: item.operation,
        }
    }

    /// The sound answer.
    pub(super) fn answer(&self, call: &Arrived, catalog: &Value, etag: &str) -> Answer {
        match call.verb {
            Verb::Catalog => match call.headers.get("if-none-match") {
                Some(known) if known.as_bytes() == etag.as_bytes() => {
                    Answer::raw(304, "").header("etag", etag)
                }
                _ => Answer::json(200, catalog).header("etag", etag),
            },
            Verb::Provision | Verb::Bind if self.lives(call) => Answer::json(200, &self.made(call)),
            Verb::Provision | Verb::Bind => Answer::json(201, &self.made(call)),
            Verb::Update => Answer::json(200, &json!({})),
            Verb::Deprovision | Verb::Unbind if self.lives(call) => Answer::json(200, &json!({})),
            Verb::Deprovision | Verb::Unbind => Answer::json(410, &json!({})),
            Verb::Poll | Verb::PollBinding => match self.item(call) {
                Some(item) if item.gone => Answer::json(410, &json!({})),
                Some(_) => Answer::state("succeeded"),
                None => Answer::error(404),
            },
            Verb::Fetch | Verb::FetchBinding if self.lives(call) => {
                Answer::json(200, &self.fetched(call))
            }
            Verb::Fetch | Verb::FetchBinding | Verb::Other => Answer::error(404),
        }
    }

    fn made(&self, call: &Arrived) -> Value {
        if call.verb == Verb::Bind {
            json!({ "credentials": credentials(&call.binding) })
        } else {
            json!({ "dashboard_url": dashboard(&call.instance) })
        }
    }

    fn fetched(&self, call: &Arrived) -> Value {
        let item = self.item(call).cloned().unwrap_or_default();
        let parameters = item.parameters.unwrap_or_else(|| json!({}));
        if call.verb == Verb::FetchBinding {
            json!({ "credentials": credentials(&call.binding), "parameters": parameters })
        } else {
            json!({
                "service_id": item.service_id,
                "plan_id": item.plan_id,
                "dashboard_url": dashboard(&call.instance),
                "parameters": parameters,
            })
        }
    }

    /// Keeps what a call and its answer, scripted or not, may have changed.
    pub(super) fn note(&mut self, call: &Arrived, answer: &Answer) {
        let refused = answer.is_given() && (300..500).contains(&answer.status);
        let accepted = answer.is_given() && answer.status == 202;
        let operation = accepted.then(|| answer.operation());
        match call.verb {
            Verb::Provision | Verb::Bind if !refused => {
                let field = |name: &str| call.body.as_ref().and_then(|body| body.get(name));
                let text = |name: &str| field(name).and_then(Value::as_str).map(str::to_owned);
                // A rotation need not repeat the ids.
                let instance = self.instances.get(&call.instance).cloned();
                let instance = instance.unwrap_or_default();
                let item = Item {
                    service_id: text("service_id").unwrap_or(instance.service_id),
                    plan_id: text("plan_id").unwrap_or(instance.plan_id),
                    parameters: field("parameters").cloned(),
                    operation,
                    sure: answer.is_given()
                        && matches!(answer.status, 200 | 201)
                        && serde_json::from_slice::<Value>(&answer.body).is_ok(),
                    ..Item::default()
                };
                if call.verb == Verb::Bind {
                    let key = (call.instance.clone(), call.binding.clone());
                    self.bindings.insert(key, item);
                } else {
                    self.instances.insert(call.instance.clone(), item);
                }
            }
            Verb::Update => self.note_update(call, answer, operation),
            Verb::Deprovision | Verb::Unbind => {
                let done = answer.is_given() && matches!(answer.status, 200 | 410);
                let whole = serde_json::from_slice::<Value>(&answer.body).is_ok();
                if let Some(item) = self.item_mut(call) {
                    item.gone |= done && whole;
                    item.deleting = accepted;
                    item.operation = operation;
                }
            }
            Verb::Poll | Verb::PollBinding => self.note_poll(call, answer),
            _ => {}
        }
    }

    fn note_update(&mut self, call: &Arrived, answer: &Answer, operation: Option<Option<String>>) {
        let plan = call.body.as_ref().and_then(|body| body["plan_id"].as_str());
        let Some(item) = self.item_mut(call) else {
            return;
        };
        match (answer.is_given(), answer.status) {
            (true, 200) if serde_json::from_slice::<Value>(&answer.body).is_ok() => {
                if let Some(plan) = plan {
                    plan.clone_into(&mut item.plan_id);
                }
            }
            (true, 202) => {
                item.next_plan = plan.map(str::to_owned);
                item.operation = operation;
            }
            _ => {}
        }
    }

    fn note_poll(&mut self, call: &Arrived, answer: &Answer) {
        let body: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
        let Some(item) = self.item_mut(call) else {
            return;
        };
        let state = if answer.status == 200 {
            body["state"].as_str()
        } else {
            None
        };
        match state {
            Some("succeeded") => {
                if let Some(plan) = item.next_plan.take() {
                    item.plan_id = plan;
                }
                item.gone |= item.deleting;
                item.sure = true;
                item.operation = None;
            }
            Some("failed") => {
                item.next_plan = None;
                item.deleting = false;
                item.operation = None;
            }
            _ if answer.status == 410 && item.deleting => {
                item.gone = true;
                item.operation = None;
            }
            _ => {}
        }
    }
}

/// Every binding has credentials of its own, so that mixing them up is seen.
pub(super) fn credentials(binding: &str) -> Value {
    json!({ "username": format!("user of {binding}"), "password": format!("word of {binding}") })
}

/// Every instance has a dashboard of its own.
fn dashboard(instance: &str) -> String {
    format!("https://dashboard.example/{instance}")
}
