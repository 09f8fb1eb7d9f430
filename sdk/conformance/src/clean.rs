//! Deletes what the run created: bindings first, then instances, each polled to its end.
//!
//! Called by `run` after each case, at the end, and after an interruption. The rule: what cannot be deleted is
//! reported by id, so that a person can.

use crate::ledger::Owner;
use crate::request::{Request, Resource, segment};
use crate::world::{Scene, exchange};
use http::Method;
use serde::Serialize;
use std::time::Duration;

/// How often a delete is tried while the broker says that it is busy.
const BUSY: u32 = 40;
/// How often it is tried when the broker breaks or is silent.
const BROKEN: u32 = 4;

/// Something the suite created and could not delete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Leftover {
    /// The instance.
    pub instance_id: String,
    /// The binding, when it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binding_id: Option<String>,
    /// What the broker said last.
    pub reason: String,
}

impl Leftover {
    pub(crate) fn is(&self, resource: &Resource) -> bool {
        self.instance_id == resource.instance && self.binding_id == resource.binding
    }
}

/// Deletes some resources; bindings come first in the list.
pub(crate) async fn clean(scene: &Scene, resources: Vec<Resource>) -> Vec<Leftover> {
    let (bindings, instances): (Vec<_>, Vec<_>) = resources
        .into_iter()
        .partition(|resource| resource.binding.is_some());
    let mut left = Vec::new();
    for kind in [bindings, instances] {
        let deletes = kind.iter().map(|resource| delete(scene, resource));
        let results = futures_util::future::join_all(deletes).await;
        for (resource, result) in kind.into_iter().zip(results) {
            match result {
                Ok(()) => scene.ledger.gone(&resource),
                Err(reason) => left.push(Leftover {
                    instance_id: resource.instance,
                    binding_id: resource.binding,
                    reason,
                }),
            }
        }
    }
    left
}

fn path(resource: &Resource) -> String {
    let instance = format!("/v2/service_instances/{}", segment(&resource.instance));
    match &resource.binding {
        Some(binding) => format!("{instance}/service_bindings/{}", segment(binding)),
        None => instance,
    }
}

async fn delete(scene: &Scene, resource: &Resource) -> Result<(), String> {
    let path = path(resource);
    let request = Request::new(Method::DELETE, path.as_str())
        .query("service_id", &resource.service_id)
        .query("plan_id", &resource.plan_id)
        .query("accepts_incomplete", "true")
        .resource(resource.clone());
    let mut reason = String::new();
    let mut pause = scene.options.poll_floor;
    let mut broken = 0;
    for _ in 0..BUSY {
        let exchanged = exchange(scene, Owner::Run, &request).await;
        reason = exchanged.exchange.received.line();
        if let Some(reply) = exchanged.reply {
            match reply.status {
                200 | 410 => return Ok(()),
                // Not the words for it, but what was never made need not be deleted.
                400..=499 if !scene.ledger.was_made(resource) => return Ok(()),
                202 => {
                    let operation = reply.operation().map(str::to_owned);
                    match poll(scene, resource, &path, operation).await {
                        Ok(()) => return Ok(()),
                        Err(why) => reason = why,
                    }
                    broken += 1;
                }
                422 => {
                    for poll in request.polls_of_what_runs() {
                        exchange(scene, Owner::Run, &poll).await;
                    }
                }
                400..=499 => return Err(reason),
                _ => broken += 1,
            }
        } else {
            broken += 1;
        }
        if broken >= BROKEN {
            break;
        }
        pause = next(scene, pause).await;
    }
    Err(reason)
}

async fn poll(
    scene: &Scene,
    resource: &Resource,
    path: &str,
    operation: Option<String>,
) -> Result<(), String> {
    let mut request = Request::get(format!("{path}/last_operation"))
        .query("service_id", &resource.service_id)
        .query("plan_id", &resource.plan_id);
    if let Some(operation) = operation {
        request = request.query("operation", &operation);
    }
    let deadline = std::time::Instant::now() + scene.options.poll_deadline;
    let mut pause = scene.options.poll_floor;
    let mut broken = 0;
    loop {
        let exchanged = exchange(scene, Owner::Run, &request).await;
        if let Some(reply) = &exchanged.reply {
            match (reply.status, reply.text("state")) {
                (410 | 404, _) | (200, Some("succeeded")) => return Ok(()),
                (200, Some("failed")) => return Err(exchanged.exchange.received.line()),
                (200, Some("in progress")) => {}
                _ => broken += 1,
            }
        }
        broken += u32::from(exchanged.reply.is_none());
        // The delete is sent again; 410 will say that it is done.
        if broken >= BROKEN || std::time::Instant::now() >= deadline {
            return Err(exchanged.exchange.received.line());
        }
        pause = next(scene, pause).await;
    }
}

async fn next(scene: &Scene, pause: Duration) -> Duration {
    tokio::time::sleep(pause).await;
    (pause * 2).min(scene.options.poll_cap)
}
