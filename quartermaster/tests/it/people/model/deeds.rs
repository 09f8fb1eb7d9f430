//! Somebody who does one thing at random and tells what came of it.

use super::super::world::{BINDINGS, INSTANCES, World, id_in};
use crate::faults::Dice;
use crate::harness::{Answer, Client};
use http::Method;
use serde_json::{Value, json};

/// A thing that somebody has heard of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) id: String,
    /// Of a binding: its instance.
    pub(super) of: Option<String>,
}

/// What was asked, and what came of it.
#[derive(Debug)]
pub(super) struct Done {
    /// What is wished to be deleted by it, and how many calls the broker had got before.
    pub(super) deletes: Vec<String>,
    /// What is wished to be kept by it.
    pub(super) keeps: Option<String>,
    pub(super) since: usize,
    /// `None`: nobody answered.
    pub(super) status: Option<u16>,
    pub(super) location: Option<String>,
    /// What it made or is making.
    pub(super) made: Option<Known>,
}

/// Whoever does it.
pub(super) struct Actor<'a> {
    world: &'a World,
    client: Client,
    dice: Dice,
}

impl<'a> Actor<'a> {
    pub(super) fn of(world: &'a World, dice: Dice) -> Self {
        Self {
            client: world.manager.admin(),
            world,
            dice,
        }
    }

    fn one<'k>(&mut self, known: &'k [Known], bindings: bool) -> Option<&'k Known> {
        let fit: Vec<&Known> = known
            .iter()
            .filter(|thing| thing.of.is_some() == bindings)
            .collect();
        // The youngest are the most interesting.
        let from = fit.len().saturating_sub(8);
        let many = u64::try_from(fit.len() - from)
            .ok()
            .filter(|many| *many > 0)?;
        let at = usize::try_from(self.dice.roll(many)).ok()?;
        fit.get(from + at).copied()
    }

    fn mode(&mut self) -> &'static str {
        // Mostly nobody waits, so that things meet.
        ["?async=true", "?async=true", ""][usize::try_from(self.dice.roll(3)).unwrap_or(0)]
    }

    pub(super) async fn act(&mut self, known: &[Known]) -> Done {
        let mode = self.mode();
        match self.dice.roll(12) {
            0..=3 => self.create(mode).await,
            4 | 5 => match self.one(known, false).cloned() {
                Some(instance) => self.bind(&instance.id, mode).await,
                None => self.create(mode).await,
            },
            6 => match self.one(known, false).cloned() {
                Some(instance) => self.change(&instance.id, mode).await,
                None => self.create(mode).await,
            },
            7 => match self.one(known, true).cloned() {
                Some(binding) => {
                    let path = format!("{BINDINGS}/{}{mode}", binding.id);
                    self.send(Method::DELETE, &path, &Value::Null, vec![binding.id], None)
                        .await
                }
                None => self.create(mode).await,
            },
            8 | 9 => match self.one(known, false).cloned() {
                Some(instance) => {
                    let path = format!("{INSTANCES}/{}{mode}", instance.id);
                    self.send(Method::DELETE, &path, &Value::Null, vec![instance.id], None)
                        .await
                }
                None => self.create(mode).await,
            },
            10 => match self.one(known, false).cloned() {
                Some(instance) => self.repair(&instance.id).await,
                None => self.create(mode).await,
            },
            _ => match self.one(known, false).cloned() {
                Some(instance) => {
                    let path = format!("{INSTANCES}/{}?cascade=true", instance.id);
                    let bindings = known
                        .iter()
                        .filter(|thing| thing.of.as_ref() == Some(&instance.id));
                    let mut all: Vec<String> = bindings.map(|thing| thing.id.clone()).collect();
                    all.push(instance.id);
                    self.send(Method::DELETE, &path, &Value::Null, all, None)
                        .await
                }
                None => self.create(mode).await,
            },
        }
    }

    async fn create(&mut self, mode: &str) -> Done {
        let plan = if self.dice.roll(2) == 0 {
            &self.world.sync
        } else {
            &self.world.slow
        };
        let wish = json!({"name": self.name(), "service_plan_id": plan});
        self.send(
            Method::POST,
            &format!("{INSTANCES}{mode}"),
            &wish,
            Vec::new(),
            None,
        )
        .await
    }

    fn name(&mut self) -> String {
        format!("n{}", self.dice.roll(6))
    }

    async fn bind(&mut self, instance: &str, mode: &str) -> Done {
        let wish =
            json!({"name": format!("b{}", self.dice.roll(2)), "service_instance_id": instance});
        self.send(
            Method::POST,
            &format!("{BINDINGS}{mode}"),
            &wish,
            Vec::new(),
            None,
        )
        .await
    }

    async fn change(&mut self, instance: &str, mode: &str) -> Done {
        let plan = if self.dice.roll(2) == 0 {
            &self.world.sync
        } else {
            &self.world.slow
        };
        let change = match self.dice.roll(4) {
            0 => json!({"name": self.name()}),
            1 => json!({"parameters": {"a": self.dice.roll(5)}}),
            2 => json!({"service_plan_id": plan}),
            _ => json!({"name": self.name(), "parameters": {"b": 1}}),
        };
        self.send(
            Method::PATCH,
            &format!("{INSTANCES}/{instance}{mode}"),
            &change,
            Vec::new(),
            None,
        )
        .await
    }

    async fn repair(&mut self, instance: &str) -> Done {
        let how =
            ["undelete", "retry", "rollback"][usize::try_from(self.dice.roll(3)).unwrap_or(0)];
        let path = format!("{INSTANCES}/{instance}/{how}");
        let (deletes, keeps) = match how {
            "undelete" => (Vec::new(), Some(instance.to_owned())),
            // What is tried again may be a deletion.
            "retry" => (vec![instance.to_owned()], None),
            _ => (Vec::new(), None),
        };
        self.send(Method::POST, &path, &Value::Null, deletes, keeps)
            .await
    }

    async fn send(
        &mut self,
        method: Method,
        path: &str,
        body: &Value,
        deletes: Vec<String>,
        keeps: Option<String>,
    ) -> Done {
        let since = self.world.asked();
        let json = [("content-type", "application/json")];
        let text = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        let creates = method == Method::POST && !body.is_null();
        let answer = self.client.try_send(method, path, &json, text).await.ok();
        if let Some(answer) = &answer {
            let fine = [200, 201, 202, 400, 403, 404, 409, 422, 502, 503, 504];
            assert!(fine.contains(&answer.status), "{path} {body}: {answer:#?}");
            refusal(answer);
        }
        let location = answer
            .as_ref()
            .filter(|answer| answer.status == 202)
            .map(Answer::location);
        let of = body["service_instance_id"].as_str().map(str::to_owned);
        let id = match (&answer, &location) {
            (_, Some(location)) => Some(id_in(location)),
            (Some(answer), None) if answer.status == 201 => {
                answer.body["id"].as_str().map(str::to_owned)
            }
            _ => None,
        };
        Done {
            deletes,
            keeps,
            since,
            status: answer.map(|answer| answer.status),
            location,
            made: id.filter(|_| creates).map(|id| Known { id, of }),
        }
    }
}

/// Every refusal says what and why, and can be found again.
fn refusal(answer: &Answer) {
    if answer.status >= 400 {
        for field in ["error", "description", "correlation_id"] {
            let said = answer.body[field].as_str().unwrap_or_default();
            assert!(!said.is_empty(), "no {field}: {answer:#?}");
        }
    }
}
