//! A fake platform for an author's own tests: speaks OSB to an endpoint in the same process.
//!
//! It does what a good platform does (polls until the end, fetches asynchronous credentials) and hands
//! back what the broker said. No sockets and no server are needed.
//!
//! ```
//! # use quartermaster_sdk::{prelude::*, testing::Platform};
//! # async fn example<B: Broker<Parameters = Object>>(broker: B) -> Result<(), Box<dyn std::error::Error>> {
//! let platform = Platform::of(broker).await?;
//! platform.provision("i-1", "database", "small", serde_json::json!({})).await?;
//! let binding = platform.bind("i-1", "b-1", serde_json::json!({})).await?;
//! assert!(binding.credentials.is_some());
//! platform.unbind("i-1", "b-1").await?;
//! platform.deprovision("i-1").await?;
//! # Ok(()) }
//! ```

use crate::auth::Open;
use crate::{Broker, BuildError, Endpoint};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use quartermaster_osb::header::Envelope;
use quartermaster_osb::{
    Answer, BindRequest, Binding, BindingId, Call, Catalog, Context, Extra, Hints, Instance,
    InstanceId, LastOperation, Object, Outcome, PlanId, Poll, ProvisionRequest, RotateRequest,
    ServiceId, UpdateRequest, Verb,
};
use serde_json::Value;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tower_service::Service;

/// The broker did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Trouble {
    /// It answered something else than success.
    #[error("the broker answered {verb} with {outcome:?}")]
    Answered {
        /// The call.
        verb: Verb,
        /// What became of it.
        outcome: Box<Outcome>,
    },
    /// The operation ended as `failed`.
    #[error("the operation failed: {}", .0.description.as_deref().unwrap_or("no description"))]
    Failed(LastOperation),
    /// It did not end in time.
    #[error("the operation did not end in time")]
    Endless,
    /// The test asked for something that is not there.
    #[error("the test named {0}, which the catalog or this platform does not know")]
    Unknown(String),
}

/// A platform in the same process as the broker.
#[derive(Debug)]
pub struct Platform {
    endpoint: Endpoint,
    /// What is put around each call: version, identities, further headers.
    pub envelope: Envelope,
    /// How long to wait between polls.
    pub poll_interval: Duration,
    /// How long to wait for an operation to end.
    pub patience: Duration,
    /// Which service and plan an instance has, as a platform remembers it.
    known: Mutex<HashMap<String, (ServiceId, PlanId)>>,
}

impl Platform {
    /// A platform for a broker with a store in memory that lets everybody in.
    pub async fn of<B: Broker>(broker: B) -> Result<Self, BuildError> {
        Ok(Self::new(
            Endpoint::builder(broker).auth(Open).build().await?,
        ))
    }

    /// A platform for an endpoint. Credentials, if it wants any, go into `envelope.headers`.
    pub fn new(endpoint: Endpoint) -> Self {
        Self {
            endpoint,
            envelope: Envelope::default(),
            poll_interval: Duration::from_millis(10),
            patience: Duration::from_secs(30),
            known: Mutex::default(),
        }
    }

    /// The endpoint itself.
    pub fn endpoint(&self) -> &Endpoint {
        &self.endpoint
    }

    /// Sends any request, well formed or not.
    pub async fn send(&self, request: http::Request<Bytes>) -> http::Response<Bytes> {
        let mut endpoint = self.endpoint.clone();
        let Ok(response) = endpoint.call(request.map(Full::new)).await;
        let (head, body) = response.into_parts();
        let Ok(body) = body.collect().await;
        http::Response::from_parts(head, body.to_bytes())
    }

    /// Makes one call and says what became of it.
    pub async fn call(&self, call: &Call) -> Outcome {
        match call.request("", &self.envelope) {
            Ok(request) => Outcome::parse(call.verb(), &self.send(request).await),
            Err(_) => Outcome::NotSent,
        }
    }

    /// The catalog.
    pub async fn catalog(&self) -> Result<Catalog, Trouble> {
        match self
            .call(&Call::Catalog {
                if_none_match: None,
            })
            .await
        {
            Outcome::Success(Answer::Catalog { body, .. }) => Ok(*body),
            outcome => Err(trouble(Verb::Catalog, outcome)),
        }
    }

    /// Makes an instance of a service and plan, by name or id, and waits for it.
    pub async fn provision(
        &self,
        instance: &str,
        service: &str,
        plan: &str,
        parameters: Value,
    ) -> Result<(), Trouble> {
        let (service_id, plan_id) = self.find(service, plan).await?;
        let body = ProvisionRequest {
            service_id: service_id.clone(),
            plan_id: plan_id.clone(),
            organization_guid: "test-organization".to_owned(),
            space_guid: "test-space".to_owned(),
            context: Some(Context::default()),
            parameters: object(parameters),
            maintenance_info: None,
            extra: Extra::new(),
        };
        let id = instance_id(instance)?;
        let call = Call::Provision {
            instance: id,
            accepts_incomplete: true,
            body: Box::new(body),
        };
        let outcome = self.call(&call).await;
        self.remember(instance, service_id, plan_id);
        match outcome {
            Outcome::Success(Answer::Provisioned { .. }) => Ok(()),
            outcome => self.wait(call.verb(), instance, None, outcome).await,
        }
    }

    /// Changes plan (by name or id) and parameters of an instance, and waits for it.
    pub async fn update(
        &self,
        instance: &str,
        plan: Option<&str>,
        parameters: Option<Value>,
    ) -> Result<(), Trouble> {
        let (service_id, old_plan) = self.recall(instance)?;
        let plan_id = match plan {
            Some(plan) => Some(self.find(service_id.as_str(), plan).await?.1),
            None => None,
        };
        let body = UpdateRequest {
            service_id: service_id.clone(),
            plan_id: plan_id.clone(),
            context: None,
            parameters: parameters.and_then(object),
            maintenance_info: None,
            previous_values: None,
            extra: Extra::new(),
        };
        let id = instance_id(instance)?;
        let call = Call::Update {
            instance: id,
            accepts_incomplete: true,
            body: Box::new(body),
        };
        match self.call(&call).await {
            Outcome::Success(Answer::Updated(_)) => {}
            outcome => self.wait(call.verb(), instance, None, outcome).await?,
        }
        self.remember(instance, service_id, plan_id.unwrap_or(old_plan));
        Ok(())
    }

    /// Removes an instance and waits for it.
    pub async fn deprovision(&self, instance: &str) -> Result<(), Trouble> {
        let call = Call::Deprovision {
            instance: instance_id(instance)?,
            accepts_incomplete: true,
            hints: self.hints(instance)?,
        };
        match self.call(&call).await {
            Outcome::Success(Answer::Deleted) => Ok(()),
            outcome => self.wait(call.verb(), instance, None, outcome).await,
        }
    }

    /// Makes a binding, waits for it, and fetches its credentials if it was asynchronous.
    pub async fn bind(
        &self,
        instance: &str,
        binding: &str,
        parameters: Value,
    ) -> Result<Binding, Trouble> {
        let (service_id, plan_id) = self.recall(instance)?;
        let body = BindRequest {
            service_id,
            plan_id,
            context: Some(Context::default()),
            app_guid: None,
            bind_resource: None,
            parameters: object(parameters),
            extra: Extra::new(),
        };
        let call = Call::Bind {
            instance: instance_id(instance)?,
            binding: binding_id(binding)?,
            accepts_incomplete: true,
            body: Box::new(body),
        };
        self.bound(instance, binding, &call).await
    }

    /// Makes a binding in place of another.
    pub async fn rotate(
        &self,
        instance: &str,
        binding: &str,
        predecessor: &str,
    ) -> Result<Binding, Trouble> {
        let body = RotateRequest {
            predecessor_binding_id: binding_id(predecessor)?,
            service_id: None,
            plan_id: None,
            extra: Extra::new(),
        };
        let call = Call::Rotate {
            instance: instance_id(instance)?,
            binding: binding_id(binding)?,
            accepts_incomplete: true,
            body: Box::new(body),
        };
        self.bound(instance, binding, &call).await
    }

    /// Removes a binding and waits for it.
    pub async fn unbind(&self, instance: &str, binding: &str) -> Result<(), Trouble> {
        let call = Call::Unbind {
            instance: instance_id(instance)?,
            binding: binding_id(binding)?,
            accepts_incomplete: true,
            hints: self.hints(instance)?,
        };
        match self.call(&call).await {
            Outcome::Success(Answer::Deleted) => Ok(()),
            outcome => {
                self.wait(call.verb(), instance, Some(binding), outcome)
                    .await
            }
        }
    }

    /// Fetches an instance.
    pub async fn fetch_instance(&self, instance: &str) -> Result<Instance, Trouble> {
        let call = Call::FetchInstance {
            instance: instance_id(instance)?,
            hints: Hints::default(),
        };
        match self.call(&call).await {
            Outcome::Success(Answer::Instance(body)) => Ok(*body),
            outcome => Err(trouble(call.verb(), outcome)),
        }
    }

    /// Fetches a binding.
    pub async fn fetch_binding(&self, instance: &str, binding: &str) -> Result<Binding, Trouble> {
        let call = Call::FetchBinding {
            instance: instance_id(instance)?,
            binding: binding_id(binding)?,
            hints: Hints::default(),
        };
        match self.call(&call).await {
            Outcome::Success(Answer::Binding(body)) => Ok(*body),
            outcome => Err(trouble(call.verb(), outcome)),
        }
    }

    /// Polls last_operation once.
    pub async fn poll(
        &self,
        instance: &str,
        binding: Option<&str>,
        operation: Option<String>,
    ) -> Result<Outcome, Trouble> {
        let poll = Poll {
            hints: self.hints(instance).unwrap_or_default(),
            operation,
        };
        let instance = instance_id(instance)?;
        let call = match binding {
            None => Call::PollInstance { instance, poll },
            Some(binding) => Call::PollBinding {
                instance,
                binding: binding_id(binding)?,
                poll,
            },
        };
        Ok(self.call(&call).await)
    }

    async fn bound(&self, instance: &str, binding: &str, call: &Call) -> Result<Binding, Trouble> {
        match self.call(call).await {
            Outcome::Success(Answer::Bound { body, .. }) => Ok(*body),
            outcome => {
                self.wait(call.verb(), instance, Some(binding), outcome)
                    .await?;
                self.fetch_binding(instance, binding).await
            }
        }
    }

    /// Polls an accepted operation until it ends.
    async fn wait(
        &self,
        verb: Verb,
        instance: &str,
        binding: Option<&str>,
        outcome: Outcome,
    ) -> Result<(), Trouble> {
        let Outcome::Success(Answer::Accepted(accepted)) = outcome else {
            return Err(trouble(verb, outcome));
        };
        let deletes = matches!(verb, Verb::Deprovision | Verb::Unbind);
        let give_up = tokio::time::Instant::now() + self.patience;
        while tokio::time::Instant::now() < give_up {
            match self
                .poll(instance, binding, accepted.operation.clone())
                .await?
            {
                Outcome::Success(Answer::LastOperation { body, .. }) => match body.state {
                    quartermaster_osb::State::InProgress => {}
                    quartermaster_osb::State::Succeeded => return Ok(()),
                    quartermaster_osb::State::Failed => return Err(Trouble::Failed(body)),
                },
                Outcome::OperationFailed(body) => return Err(Trouble::Failed(body)),
                outcome if deletes && outcome.is_gone() => return Ok(()),
                outcome => return Err(trouble(verb, outcome)),
            }
            tokio::time::sleep(self.poll_interval).await;
        }
        Err(Trouble::Endless)
    }

    async fn find(&self, service: &str, plan: &str) -> Result<(ServiceId, PlanId), Trouble> {
        let catalog = self.catalog().await?;
        let offering = catalog
            .services
            .iter()
            .find(|offering| offering.name == service || offering.id.as_str() == service)
            .ok_or_else(|| Trouble::Unknown(service.to_owned()))?;
        let plan = offering
            .plans
            .iter()
            .find(|candidate| candidate.name == plan || candidate.id.as_str() == plan)
            .ok_or_else(|| Trouble::Unknown(plan.to_owned()))?;
        Ok((offering.id.clone(), plan.id.clone()))
    }

    fn remember(&self, instance: &str, service: ServiceId, plan: PlanId) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(instance.to_owned(), (service, plan));
    }

    fn recall(&self, instance: &str) -> Result<(ServiceId, PlanId), Trouble> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .get(instance)
            .cloned()
            .ok_or_else(|| Trouble::Unknown(instance.to_owned()))
    }

    fn hints(&self, instance: &str) -> Result<Hints, Trouble> {
        let (service, plan) = self.recall(instance)?;
        Ok(Hints {
            service_id: Some(service.into()),
            plan_id: Some(plan.into()),
        })
    }
}

fn trouble(verb: Verb, outcome: Outcome) -> Trouble {
    Trouble::Answered {
        verb,
        outcome: Box::new(outcome),
    }
}

fn object(value: Value) -> Option<quartermaster_osb::Secret<Object>> {
    match value {
        Value::Object(object) => Some(object.into()),
        _ => None,
    }
}

fn instance_id(text: &str) -> Result<InstanceId, Trouble> {
    InstanceId::new(text).map_err(|_| Trouble::Unknown(text.to_owned()))
}

fn binding_id(text: &str) -> Result<BindingId, Trouble> {
    BindingId::new(text).map_err(|_| Trouble::Unknown(text.to_owned()))
}
