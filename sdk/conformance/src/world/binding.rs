//! A service binding as a case handles it, and the helpers that make and delete it.

use super::poll::Settled;
use super::{Instance, World};
use crate::client::Reply;
use crate::plan::Plan;
use crate::request::{Request, Resource, segment};
use crate::verdict::Stop;
use http::Method;
use serde_json::{Value, json};
use std::sync::Arc;

/// A binding: its id, the body it is made with, and the answer it was made by.
#[derive(Debug, Clone)]
pub(crate) struct Binding {
    pub(crate) instance: Instance,
    pub(crate) id: String,
    /// The bind body.
    pub(crate) body: Value,
    /// The first answer to bind.
    pub(crate) first: Option<Reply>,
}

impl Binding {
    /// A new binding with a fresh id; nothing is sent yet.
    pub(crate) fn new(instance: &Instance, plan: &Plan) -> Self {
        let app = uuid::Uuid::new_v4().to_string();
        let mut body = json!({
            "service_id": instance.service_id,
            "plan_id": instance.plan_id,
            "context": instance.body["context"],
            "bind_resource": { "app_guid": app },
        });
        if let Some(context) = body["context"].as_object_mut() {
            context.remove("instance_name");
        }
        if plan.requires.iter().any(|need| need == "route_forwarding") {
            body["bind_resource"]["route"] = json!("conformance.example.com");
        }
        if let Some(parameters) = plan.bind_parameters() {
            body["parameters"] = Value::Object(parameters);
        }
        Self {
            instance: instance.clone(),
            id: uuid::Uuid::new_v4().to_string(),
            body,
            first: None,
        }
    }

    /// A rotation of a binding: the smallest body there is.
    pub(crate) fn rotation(predecessor: &Self) -> Self {
        Self {
            instance: predecessor.instance.clone(),
            id: uuid::Uuid::new_v4().to_string(),
            body: json!({ "predecessor_binding_id": predecessor.id }),
            first: None,
        }
    }

    pub(crate) fn with_id(mut self, id: impl Into<String>) -> Self {
        self.id = id.into();
        self
    }

    pub(crate) fn path(&self) -> String {
        format!(
            "{}/service_bindings/{}",
            self.instance.path(),
            segment(&self.id)
        )
    }

    pub(crate) fn resource(&self) -> Resource {
        Resource {
            binding: Some(self.id.clone()),
            ..self.instance.resource()
        }
    }

    /// Bind with the usual body; the platform can wait.
    pub(crate) fn put(&self) -> Request {
        self.put_body(&self.body)
    }

    /// Bind with another body; the platform can wait.
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

    /// Unbind; the platform can wait.
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

    fn hinted(&self, request: Request) -> Request {
        request
            .query("service_id", &self.instance.service_id)
            .query("plan_id", &self.instance.plan_id)
    }
}

impl World {
    /// Skips the case unless the plan can be bound.
    pub(crate) fn need_bindable(&self) -> Result<(), Stop> {
        self.need(self.plan()?.bindable, "the plan is not bindable")
    }

    /// A new binding of an instance, made and waited for. Skips the case when that does not work.
    pub(crate) async fn bound(&mut self, instance: &Instance) -> Result<Binding, Stop> {
        self.need_bindable()?;
        let binding = Binding::new(instance, &self.plan()?);
        self.bring_up_binding(binding).await
    }

    /// Makes a given binding. Skips the case when that does not work.
    pub(crate) async fn bring_up_binding(&mut self, mut binding: Binding) -> Result<Binding, Stop> {
        match self.bind(&mut binding).await? {
            Settled::Succeeded(_) => Ok(binding),
            other => Err(Stop::skip(format!(
                "no binding could be made for it ({}); see bind.works",
                other.line()
            ))),
        }
    }

    /// The binding that the cases of the plan share.
    pub(crate) async fn standing_binding(&mut self) -> Result<Binding, Stop> {
        self.need_bindable()?;
        let instance = self.standing().await?;
        let stage = self.stage()?;
        let made = stage.binding.get_or_init(|| async {
            let mut binding = Binding::new(&instance, &stage.plan);
            let mut run = World::new(
                Arc::clone(&self.scene),
                Some(Arc::clone(&stage)),
                crate::ledger::Owner::Run,
            );
            match run.bind(&mut binding).await {
                Ok(Settled::Succeeded(_)) => Ok(binding),
                Ok(other) => Err(format!("the instance cannot be bound ({})", other.line())),
                Err(stop) => Err(format!("the instance cannot be bound ({})", stop.line())),
            }
        });
        let made = made.await.clone();
        made.map_err(|reason| Stop::skip(format!("{reason}; see bind.works")))
    }

    /// Binds and waits. The first answer is kept in the binding.
    pub(crate) async fn bind(&mut self, binding: &mut Binding) -> Result<Settled, Stop> {
        let reply = self.send_patiently(binding.put()).await?;
        binding.first = Some(reply.clone());
        match reply.status {
            200 | 201 => Ok(Settled::Succeeded(reply)),
            202 => {
                let operation = reply.operation().map(str::to_owned);
                self.settle(binding.poll(operation.as_deref())).await
            }
            _ => Ok(Settled::Refused(reply)),
        }
    }

    /// Unbinds and waits.
    pub(crate) async fn unbind(&mut self, binding: &Binding) -> Result<(Reply, Settled), Stop> {
        let reply = self.send_patiently(binding.delete()).await?;
        let settled = match reply.status {
            200 => Settled::Succeeded(reply.clone()),
            202 => {
                let operation = reply.operation().map(str::to_owned);
                self.settle(binding.poll(operation.as_deref())).await?
            }
            _ => Settled::Refused(reply.clone()),
        };
        if matches!(settled, Settled::Succeeded(_) | Settled::Gone(_)) {
            self.scene.ledger.gone(&binding.resource());
        }
        Ok((reply, settled))
    }

    /// Unbinds as a part of the scene. Skips the case when that does not work.
    pub(crate) async fn drop_binding(&mut self, binding: &Binding) -> Result<Reply, Stop> {
        match self.unbind(binding).await? {
            (first, Settled::Succeeded(_) | Settled::Gone(_)) => Ok(first),
            (_, other) => Err(Stop::skip(format!(
                "the binding could not be deleted ({}); see unbind.works",
                other.line()
            ))),
        }
    }

    /// What a binding hands out: its first answer, or the fetched one when it was made asynchronously.
    pub(crate) async fn handed_out(&mut self, binding: &Binding) -> Result<Reply, Stop> {
        match &binding.first {
            Some(first) if first.status != 202 => Ok(first.clone()),
            _ => self.send(binding.get()).await,
        }
    }
}
