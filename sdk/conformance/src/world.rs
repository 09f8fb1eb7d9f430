//! What a case holds while it runs: the broker, the plan, and helpers that do what a platform does.
//!
//! Made by `run` for each case. The rule: a helper that sets the scene (`fresh`, `standing`, `bound`) never fails a case,
//! it skips it with the reason, because another case judges that step.

mod binding;
mod instance;
mod poll;

pub(crate) use binding::Binding;
pub(crate) use instance::Instance;
pub(crate) use poll::Settled;

use crate::client::{Client, Exchanged, Reply};
use crate::evidence::{Exchange, Finding};
use crate::ledger::{Ledger, Owner};
use crate::plan::Plan;
use crate::request::Request;
use crate::verdict::Stop;
use crate::watch::Watch;
use crate::{Auth, Options, Target};
use serde_json::Value;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// What all cases of a run share.
pub(crate) struct Scene {
    pub(crate) target: Target,
    pub(crate) options: Options,
    pub(crate) client: Client,
    pub(crate) catalog: Reply,
    pub(crate) plans: Vec<Arc<Stage>>,
    pub(crate) ledger: Ledger,
    pub(crate) watch: Watch,
}

/// A plan and what its cases share.
pub(crate) struct Stage {
    pub(crate) plan: Plan,
    pub(crate) instance: OnceCell<Result<Instance, String>>,
    pub(crate) binding: OnceCell<Result<Binding, String>>,
}

/// What a case holds.
pub(crate) struct World {
    pub(crate) scene: Arc<Scene>,
    stage: Option<Arc<Stage>>,
    pub(crate) owner: Owner,
    pub(crate) trail: Vec<Arc<Exchange>>,
    pub(crate) notes: Vec<String>,
}

impl World {
    pub(crate) fn new(scene: Arc<Scene>, stage: Option<Arc<Stage>>, owner: Owner) -> Self {
        Self {
            scene,
            stage,
            owner,
            trail: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// The plan of this case, or the first plan for a case that runs once.
    pub(crate) fn stage(&self) -> Result<Arc<Stage>, Stop> {
        self.stage
            .as_ref()
            .or(self.scene.plans.first())
            .cloned()
            .ok_or_else(|| Stop::skip("the catalog has no plan that can be called"))
    }

    /// A copy of the plan.
    pub(crate) fn plan(&self) -> Result<Plan, Stop> {
        Ok(self.stage()?.plan.clone())
    }

    /// The catalog as JSON.
    pub(crate) fn catalog(&self) -> &Value {
        self.scene.catalog.json.as_ref().unwrap_or(&Value::Null)
    }

    /// Whether the broker asks for credentials.
    pub(crate) fn needs_auth(&self) -> Result<(), Stop> {
        self.need(
            !matches!(self.scene.target.auth, Auth::None),
            "the run uses no credentials",
        )
    }

    /// Skips the case unless the condition holds.
    pub(crate) fn need(&self, holds: bool, reason: &str) -> Result<(), Stop> {
        if holds {
            Ok(())
        } else {
            Err(Stop::skip(reason))
        }
    }

    /// Says which of several allowed readings was seen.
    pub(crate) fn note(&mut self, note: impl Into<String>) {
        let note = note.into();
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// Sends a request; silence is a finding.
    pub(crate) async fn send(&mut self, request: Request) -> Result<Reply, Stop> {
        let exchanged = self.exchange(&request).await;
        exchanged.reply.ok_or_else(|| {
            Stop::Failed(vec![Finding {
                expected: "an answer".to_owned(),
                seen: exchanged.exchange.received.line(),
                exchange: Some(Arc::clone(&exchanged.exchange)),
            }])
        })
    }

    /// Sends a request; silence is for the caller to judge.
    pub(crate) async fn exchange(&mut self, request: &Request) -> Exchanged {
        let exchanged = exchange(&self.scene, self.owner, request).await;
        self.trail.push(Arc::clone(&exchanged.exchange));
        exchanged
    }

    /// Sends several requests at the same time.
    pub(crate) async fn at_once(&mut self, requests: Vec<Request>) -> Result<Vec<Reply>, Stop> {
        let calls = requests
            .iter()
            .map(|request| exchange(&self.scene, self.owner, request));
        let exchanged = futures_util::future::join_all(calls).await;
        let mut replies = Vec::new();
        for exchanged in exchanged {
            self.trail.push(Arc::clone(&exchanged.exchange));
            replies.push(exchanged.reply.ok_or_else(|| {
                Stop::Failed(vec![Finding {
                    expected: "an answer to each of several requests sent at once".to_owned(),
                    seen: exchanged.exchange.received.line(),
                    exchange: Some(exchanged.exchange),
                }])
            })?);
        }
        Ok(replies)
    }
}

/// One exchange with its book-keeping: noted before it leaves, watched when it is back.
pub(crate) async fn exchange(scene: &Scene, owner: Owner, request: &Request) -> Exchanged {
    if let Some(resource) = &request.resource
        && request.method == http::Method::PUT
    {
        scene.ledger.add(owner, resource);
    }
    let exchanged = scene.client.exchange(request).await;
    if let Some(reply) = &exchanged.reply {
        scene.watch.see(request, reply);
        if let Some(resource) = &request.resource
            && request.method == http::Method::PUT
            && reply.is_success()
        {
            scene.ledger.made(resource);
        }
        if let Some(resource) = &request.resource
            && request.method == http::Method::DELETE
            && matches!(reply.status, 200 | 410)
        {
            scene.ledger.gone(resource);
        }
    }
    exchanged
}
