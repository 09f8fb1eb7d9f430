//! The process ends at each step of each verb in turn, by `QUARTERMASTER_DIE_AT`.

use super::super::world::{BINDINGS, INSTANCES, World};
use crate::harness::Engine;
use futures_util::future::join_all;
use http::Method;
use serde_json::{Value, json};

mod sqlite {
    #[tokio::test]
    async fn at_every_step_of_every_verb() {
        super::at_every_step_of_every_verb(crate::harness::Engine::Sqlite).await;
    }
}

mod postgres {
    #[tokio::test]
    async fn at_every_step_of_every_verb() {
        super::at_every_step_of_every_verb(crate::harness::Engine::Postgres).await;
    }
}

const VERBS: [&str; 5] = ["provision", "update", "bind", "unbind", "deprovision"];
/// Asked for in the request, and in the background.
const WAITING: [&str; 4] = ["entered", "intent", "called", "outcome"];
const QUEUED: [&str; 4] = ["intent", "queued", "launched", "outcome"];

async fn at_every_step_of_every_verb(engine: Engine) {
    // Where replicas share a server, the dead one's work is theirs only when its lease has run out: so the verbs die
    // side by side.
    let mut dying = Vec::new();
    for verb in VERBS {
        dying.push(all_steps_of(World::start(engine).await, verb));
    }
    join_all(dying).await;
}

async fn all_steps_of(mut world: World, verb: &'static str) {
    let at = |step, query, slow| Death {
        verb,
        step,
        query,
        slow,
    };
    for step in WAITING {
        at(step, "", false).die(&mut world).await;
    }
    for step in QUEUED {
        at(step, "?async=true", false).die(&mut world).await;
    }
    // What the broker goes on with by itself.
    at("called", "", true).die(&mut world).await;
    // Whoever takes it up may die as well.
    let death = at("called", "", false);
    death.die_twice(&mut world, "resumed").await;
    let death = at("queued", "?async=true", false);
    death.die_twice(&mut world, "launched").await;
}

/// Where it dies.
#[derive(Debug, Clone, Copy)]
struct Death {
    verb: &'static str,
    step: &'static str,
    query: &'static str,
    slow: bool,
}

/// What was there before.
struct Before {
    name: String,
    instance: String,
    binding: String,
}

impl Death {
    async fn die(self, world: &mut World) {
        let before = self.prepare(world, "once").await;
        self.first(world, &before).await;
        world
            .manager
            .restart_with(&[("QUARTERMASTER_DIE_AT", "")])
            .await;
        self.check(world, &before, self.step).await;
    }

    /// Once where it is asked for, and once where it is taken up.
    async fn die_twice(self, world: &mut World, second: &str) {
        let before = self.prepare(world, second).await;
        self.first(world, &before).await;
        let case = format!("{}.{second}", self.verb);
        world
            .manager
            .restart_to_die(&[("QUARTERMASTER_DIE_AT", &case)])
            .await;
        world
            .manager
            .restart_with(&[("QUARTERMASTER_DIE_AT", "")])
            .await;
        let step = if second == "launched" {
            "launched"
        } else {
            self.step
        };
        self.check(world, &before, step).await;
    }

    async fn prepare(self, world: &World, more: &str) -> Before {
        let name = format!(
            "{}-{}-{}-{}-{more}",
            self.verb, self.step, self.query, self.slow
        );
        let mut before = Before {
            instance: String::new(),
            binding: String::new(),
            name,
        };
        if self.verb == "provision" {
            return before;
        }
        before.instance = match self.slow {
            true => world.made_slowly(&before.name).await,
            false => world.made(&before.name).await,
        };
        if self.verb == "unbind" {
            let bound = world
                .person()
                .bind("?async=false", &before.instance, "b")
                .await;
            before.binding = crate::harness::answer::id(&bound.expect(201));
        }
        before
    }

    /// Asks for it, and waits for the process to die of it.
    async fn first(self, world: &mut World, before: &Before) {
        let case = format!("{}.{}", self.verb, self.step);
        world
            .manager
            .restart_with(&[("QUARTERMASTER_DIE_AT", &case)])
            .await;
        let (own, other) = match self.slow {
            true => (&world.slow, &world.sync),
            false => (&world.sync, &world.slow),
        };
        let one = format!("{INSTANCES}/{}", before.instance);
        let (method, path, body) = match self.verb {
            "provision" => (
                Method::POST,
                INSTANCES.to_owned(),
                json!({"name": before.name, "service_plan_id": own}),
            ),
            "update" => (
                Method::PATCH,
                one,
                json!({"service_plan_id": other, "parameters": {"a": 1}}),
            ),
            "bind" => (
                Method::POST,
                BINDINGS.to_owned(),
                json!({"name": "b", "service_instance_id": before.instance}),
            ),
            "unbind" => (
                Method::DELETE,
                format!("{BINDINGS}/{}", before.binding),
                Value::Null,
            ),
            _ => (Method::DELETE, one, Value::Null),
        };
        let path = format!("{path}{}", self.query);
        let body = if body.is_null() {
            String::new()
        } else {
            body.to_string()
        };
        let json = [("content-type", "application/json")];
        let answer = world
            .manager
            .admin()
            .try_send(method, &path, &json, body)
            .await;
        if let Ok(answer) = answer {
            assert_eq!(answer.status, 202, "{self:?}: {answer:#?}");
        }
        let ended = world.manager.process().wait().await;
        ended.unwrap_or_else(|error| panic!("{self:?}: it did not die: {error}"));
    }

    /// Both records agree, and the verb has happened or not as its step demands.
    async fn check(self, world: &World, before: &Before, step: &str) {
        world.agree().await;
        let person = world.person();
        // What was queued is sent by whoever takes it up; what may have been sent and was not is not sent again.
        let queued = self.query.contains("true") && ["intent", "queued"].contains(&step);
        let done = queued || ["called", "outcome"].contains(&step);
        let made = person.all(INSTANCES).await;
        let instance = made
            .iter()
            .find(|instance| instance["name"] == before.name.as_str());
        let bound = person.all(BINDINGS).await;
        let binding = bound
            .iter()
            .find(|binding| binding["service_instance_id"] == before.instance.as_str());
        let ready = |thing: Option<&Value>| thing.is_some_and(|thing| thing["ready"] == true);
        match self.verb {
            "provision" => {
                assert_eq!(ready(instance), done, "{self:?}: {instance:#?}");
                if step == "entered" {
                    assert!(instance.is_none(), "{self:?}: {instance:#?}");
                }
            }
            "bind" => {
                assert_eq!(ready(binding), done, "{self:?}: {binding:#?}");
                if let (true, Some(binding)) = (done, binding) {
                    let credentials = &binding["credentials"];
                    assert_eq!(
                        credentials["username"], binding["id"],
                        "{self:?}: {binding:#}"
                    );
                }
            }
            "update" => {
                let plan = instance.map(|instance| instance["service_plan_id"].clone());
                let new = if self.slow { &world.sync } else { &world.slow };
                assert_eq!(plan == Some(json!(new)), done, "{self:?}: {instance:#?}");
                assert_eq!(
                    instance.map(|instance| instance["usable"] == true),
                    Some(true)
                );
            }
            "unbind" => assert_eq!(
                binding.is_none(),
                step != "entered",
                "{self:?}: {binding:#?}"
            ),
            _ => assert_eq!(
                instance.is_none(),
                step != "entered",
                "{self:?}: {instance:#?}"
            ),
        }
        if self.verb != "provision" && self.verb != "deprovision" {
            assert!(
                ready(instance),
                "{self:?}: nothing else may be deleted: {instance:#?}"
            );
        }
        // Every one has an end.
        for instance in &made {
            let state = instance["last_operation"]["state"].as_str().unwrap();
            assert!(
                ["succeeded", "failed"].contains(&state),
                "{self:?}: {instance:#}"
            );
        }
    }
}
