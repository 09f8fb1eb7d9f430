//! A platform that has lost answers: it repeats what it does not know and polls what was accepted.

use super::Dice;
use bytes::Bytes;
use http::Response;
use qm_testkit::http::{Client, Error, json};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const SERVICE: &str = "9a0c7b1e-52d4-4a3e-9d0b-2f8f5b0e0001";
const PLAN: &str = "9a0c7b1e-52d4-4a3e-9d0b-2f8f5b0e0011";

static REPEATED: AtomicUsize = AtomicUsize::new(0);

/// How many requests were sent again because their answer was lost.
pub(super) fn repeated() -> usize {
    REPEATED.load(Ordering::Relaxed)
}

/// What is wanted.
#[derive(Debug, Clone)]
pub(super) enum Deed {
    Provision,
    /// A provision, and its delete before it has ended.
    Regret,
    Bind(String),
    Unbind(String),
    Deprovision,
}

/// An instance as the platform remembers it.
pub(super) struct Slot {
    pub(super) instance: String,
    pub(super) there: bool,
    pub(super) bindings: BTreeSet<String>,
    next: usize,
}

impl Slot {
    pub(super) fn new(instance: String) -> Self {
        Self {
            instance,
            there: false,
            bindings: BTreeSet::new(),
            next: 0,
        }
    }

    /// What to do next, among what can be done.
    pub(super) fn choose(&mut self, dice: &mut Dice) -> Deed {
        if !self.there {
            return if dice.roll(4) == 0 {
                Deed::Regret
            } else {
                Deed::Provision
            };
        }
        match (self.bindings.first(), dice.roll(10)) {
            (Some(binding), 0..7) => Deed::Unbind(binding.clone()),
            (None, 0..4) => Deed::Deprovision,
            _ => {
                self.next += 1;
                Deed::Bind(format!("binding-{}", self.next))
            }
        }
    }

    pub(super) fn has_done(&mut self, deed: Deed) {
        match deed {
            Deed::Provision => self.there = true,
            Deed::Regret | Deed::Deprovision => self.there = false,
            Deed::Bind(binding) => drop(self.bindings.insert(binding)),
            Deed::Unbind(binding) => drop(self.bindings.remove(&binding)),
        }
    }

    /// The bindings of now and the last few before.
    pub(super) fn ever_bound(&self) -> BTreeSet<String> {
        let last = (self.next.saturating_sub(3)..=self.next).map(|n| format!("binding-{n}"));
        last.chain(self.bindings.iter().cloned()).collect()
    }
}

/// A client of the broker.
#[derive(Clone)]
pub(super) struct Platform(Client);

impl Platform {
    pub(super) fn new(url: &str) -> Self {
        Self(Client::new(url, "u", "p"))
    }

    /// Asks once. `None`: the answer was lost, or it was another than one that says how it goes on.
    pub(super) async fn ask(&self, instance: &str, deed: &Deed) -> Option<Value> {
        let first = match deed {
            Deed::Provision | Deed::Regret => self.put(instance, None).await,
            Deed::Bind(binding) => self.put(instance, Some(binding)).await,
            Deed::Unbind(binding) => self.delete(instance, Some(binding)).await,
            Deed::Deprovision => self.delete(instance, None).await,
        };
        let answer = match deed {
            Deed::Regret => {
                first.ok()?;
                tokio::time::sleep(Duration::from_millis(10)).await;
                self.delete(instance, None).await.ok()?
            }
            _ => first.ok()?,
        };
        (answer.status() == 202).then(|| json(&answer))
    }

    /// Sees to it that a deed is done, whatever became of the first request.
    pub(super) async fn finish(&self, instance: &str, deed: &Deed, answer: Option<Value>) {
        let binding = match deed {
            Deed::Bind(binding) | Deed::Unbind(binding) => Some(binding.as_str()),
            Deed::Provision | Deed::Regret | Deed::Deprovision => None,
        };
        let creates = matches!(deed, Deed::Provision | Deed::Bind(_));
        let accepted = match answer {
            Some(accepted) => accepted,
            None => {
                REPEATED.fetch_add(1, Ordering::Relaxed);
                let answer = match creates {
                    true => self.put(instance, binding).await,
                    false => self.delete(instance, binding).await,
                };
                let answer = answer.unwrap();
                match (answer.status().as_u16(), creates) {
                    (202, _) => json(&answer),
                    (200 | 201, true) | (200 | 410, false) => return,
                    (status, _) => panic!("{instance} {deed:?}: {status} {}", json(&answer)),
                }
            }
        };
        let operation = accepted["operation"].as_str().unwrap();
        let path = format!(
            "{}/last_operation?operation={operation}",
            path(instance, binding)
        );
        for _ in 0..6000 {
            let said = self.0.get(&path).await.unwrap();
            let body = json(&said);
            match (said.status().as_u16(), body["state"].as_str()) {
                (200, Some("in progress")) => tokio::time::sleep(Duration::from_millis(5)).await,
                (200, Some("succeeded")) => return,
                (status, _) => panic!("{instance} {deed:?}: polled {status} {body}"),
            }
        }
        panic!("{instance} {deed:?} does not end");
    }

    pub(super) async fn has_instance(&self, instance: &str) -> bool {
        self.fetch(&path(instance, None)).await.is_some()
    }

    pub(super) async fn credentials(&self, instance: &str, binding: &str) -> Option<Value> {
        let mut binding = self.fetch(&path(instance, Some(binding))).await?;
        Some(binding["credentials"].take())
    }

    async fn fetch(&self, path: &str) -> Option<Value> {
        let said = self.0.get(path).await.unwrap();
        match said.status().as_u16() {
            200 => Some(json(&said)),
            404 => None,
            status => panic!("GET {path}: {status} {}", json(&said)),
        }
    }

    async fn put(&self, instance: &str, binding: Option<&str>) -> Result<Response<Bytes>, Error> {
        let body = match binding {
            None => json!({ "service_id": SERVICE, "plan_id": PLAN, "organization_guid": "o",
                            "space_guid": "s" }),
            Some(_) => json!({ "service_id": SERVICE, "plan_id": PLAN }),
        };
        let path = format!("{}?accepts_incomplete=true", path(instance, binding));
        self.0.put(&path, &body).await
    }

    async fn delete(
        &self,
        instance: &str,
        binding: Option<&str>,
    ) -> Result<Response<Bytes>, Error> {
        let query = format!("accepts_incomplete=true&service_id={SERVICE}&plan_id={PLAN}");
        self.0
            .delete(&format!("{}?{query}", path(instance, binding)))
            .await
    }
}

fn path(instance: &str, binding: Option<&str>) -> String {
    let below = binding.map_or_else(String::new, |binding| {
        format!("/service_bindings/{binding}")
    });
    format!("/v2/service_instances/{instance}{below}")
}
