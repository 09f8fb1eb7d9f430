//! A service instance as a case handles it, and the helpers that bring it up and take it down.

use super::poll::Settled;
use super::{Stage, World};
use crate::client::Reply;
use crate::plan::{Plan, cf_context};
use crate::request::{Request, Resource, segment};
use crate::verdict::Stop;
use http::Method;
use serde_json::{Value, json};
use std::sync::Arc;

/// An instance: its id, the body it is made with, and the answer it was made by.
#[derive(Debug, Clone)]
pub(crate) struct Instance {
    pub(crate) id: String,
    pub(crate) service_id: String,
    pub(crate) plan_id: String,
    /// The provision body.
    pub(crate) body: Value,
    /// The first answer to provision.
    pub(crate) first: Option<Reply>,
}

impl Instance {
    /// A new instance of a plan with a fresh id; nothing is sent yet.
    pub(crate) fn new(plan: &Plan) -> Self {
        let organization = uuid::Uuid::new_v4().to_string();
        let space = uuid::Uuid::new_v4().to_string();
        let mut body = json!({
            "service_id": plan.service_id,
            "plan_id": plan.id,
            "organization_guid": organization,
            "space_guid": space,
            "context": cf_context(&organization, &space),
        });
        if let Some(parameters) = plan.provision_parameters() {
            body["parameters"] = Value::Object(parameters);
        }
        if let Some(version) = &plan.maintenance {
            body["maintenance_info"] = json!({ "version": version });
        }
        Self {
            id: uuid::Uuid::new_v4().to_string(),
            service_id: plan.service_id.clone(),
            plan_id: plan.id.clone(),
            body,
            first: None,
        }
    }

    /// The same with another id.
    pub(crate) fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    pub(crate) fn path(&self) -> String {
        format!("/v2/service_instances/{}", segment(&self.id))
    }

    pub(crate) fn resource(&self) -> Resource {
        Resource {
            instance: self.id.clone(),
            binding: None,
            service_id: self.service_id.clone(),
            plan_id: self.plan_id.clone(),
        }
    }

    /// Provision with the usual body; the platform can wait.
    pub(crate) fn put(&self) -> Request {
        self.put_body(&self.body)
    }

    /// Provision with another body; the platform can wait.
    pub(crate) fn put_body(&self, body: &Value) -> Request {
        Request::new(Method::PUT, self.path())
            .query("accepts_incomplete", "true")
            .resource(self.resource())
            .json(body)
    }

    /// Fetch, with the ids as hints.
    pub(crate) fn get(&self) -> Request {
        self.hinted(Request::get(self.path()))
    }

    /// Update; the platform can wait.
    pub(crate) fn patch(&self, body: &Value) -> Request {
        Request::new(Method::PATCH, self.path())
            .query("accepts_incomplete", "true")
            .json(body)
    }

    /// Deprovision; the platform can wait.
    pub(crate) fn delete(&self) -> Request {
        self.hinted(Request::new(Method::DELETE, self.path()))
            .query("accepts_incomplete", "true")
            .resource(self.resource())
    }

    /// last_operation, with the operation when there is one.
    pub(crate) fn poll(&self, operation: Option<&str>) -> Request {
        let request = self.hinted(Request::get(format!("{}/last_operation", self.path())));
        match operation {
            Some(operation) => request.query("operation", operation),
            None => request,
        }
    }

    /// The smallest update body there is.
    pub(crate) fn bare_update(&self) -> Value {
        json!({ "service_id": self.service_id })
    }

    fn hinted(&self, request: Request) -> Request {
        request
            .query("service_id", &self.service_id)
            .query("plan_id", &self.plan_id)
    }
}

impl World {
    /// A new instance of the plan, brought up. Skips the case when that does not work.
    pub(crate) async fn fresh(&mut self) -> Result<Instance, Stop> {
        let instance = Instance::new(&self.plan()?);
        self.bring_up(instance).await
    }

    /// Brings up a given instance. Skips the case when that does not work.
    pub(crate) async fn bring_up(&mut self, mut instance: Instance) -> Result<Instance, Stop> {
        match self.provision(&mut instance).await? {
            Settled::Succeeded(_) => Ok(instance),
            other => Err(Stop::skip(format!(
                "no instance could be made for it ({}); see provision.works",
                other.line()
            ))),
        }
    }

    /// The instance that the cases of the plan share. Skips the case when it cannot be made.
    pub(crate) async fn standing(&mut self) -> Result<Instance, Stop> {
        let stage = self.stage()?;
        let standing = self.standing_of(&stage).await;
        standing.map_err(|reason| Stop::skip(format!("{reason}; see provision.works")))
    }

    async fn standing_of(&mut self, stage: &Arc<Stage>) -> Result<Instance, String> {
        let made = stage.instance.get_or_init(|| async {
            let mut instance = Instance::new(&stage.plan);
            let mut run = World::new(
                Arc::clone(&self.scene),
                Some(Arc::clone(stage)),
                crate::ledger::Owner::Run,
            );
            match run.provision(&mut instance).await {
                Ok(Settled::Succeeded(_)) => Ok(instance),
                Ok(other) => Err(format!("the plan cannot be provisioned ({})", other.line())),
                Err(stop) => Err(format!("the plan cannot be provisioned ({})", stop.line())),
            }
        });
        made.await.clone()
    }

    /// Provisions and waits. The first answer is kept in the instance.
    pub(crate) async fn provision(&mut self, instance: &mut Instance) -> Result<Settled, Stop> {
        let reply = self.send_patiently(instance.put()).await?;
        instance.first = Some(reply.clone());
        match reply.status {
            200 | 201 => Ok(Settled::Succeeded(reply)),
            202 => {
                let operation = reply.operation().map(str::to_owned);
                self.settle(instance.poll(operation.as_deref())).await
            }
            _ => Ok(Settled::Refused(reply)),
        }
    }

    /// Updates and waits.
    pub(crate) async fn update(
        &mut self,
        instance: &Instance,
        body: &Value,
    ) -> Result<(Reply, Settled), Stop> {
        let reply = self.send_patiently(instance.patch(body)).await?;
        let settled = match reply.status {
            200 => Settled::Succeeded(reply.clone()),
            202 => {
                let operation = reply.operation().map(str::to_owned);
                self.settle(instance.poll(operation.as_deref())).await?
            }
            _ => Settled::Refused(reply.clone()),
        };
        Ok((reply, settled))
    }

    /// Deprovisions and waits.
    pub(crate) async fn deprovision(
        &mut self,
        instance: &Instance,
    ) -> Result<(Reply, Settled), Stop> {
        let reply = self.send_patiently(instance.delete()).await?;
        let settled = match reply.status {
            200 => Settled::Succeeded(reply.clone()),
            202 => {
                let operation = reply.operation().map(str::to_owned);
                self.settle(instance.poll(operation.as_deref())).await?
            }
            _ => Settled::Refused(reply.clone()),
        };
        if matches!(settled, Settled::Succeeded(_) | Settled::Gone(_)) {
            self.scene.ledger.gone(&instance.resource());
        }
        Ok((reply, settled))
    }

    /// Deprovisions as a part of the scene. Skips the case when that does not work.
    pub(crate) async fn tear_down(&mut self, instance: &Instance) -> Result<Reply, Stop> {
        match self.deprovision(instance).await? {
            (first, Settled::Succeeded(_) | Settled::Gone(_)) => Ok(first),
            (_, other) => Err(Stop::skip(format!(
                "the instance could not be deleted ({}); see deprovision.works",
                other.line()
            ))),
        }
    }
}
