//! The broker as a service: `http` request in, `http` response out.
//!
//! An [`Endpoint`] is a plain tower `Service`. The pipeline has one order, written in `pipeline.rs`; each
//! verb has a file. The rule: whatever comes in, an answer of the protocol goes out, with the caller's
//! request identity on it.

mod bind;
mod build;
mod catalog;
mod deprovision;
mod fetch;
mod pipeline;
mod poll;
mod provision;
mod respond;
mod rotate;
mod unbind;
mod update;

pub use build::{BuildError, Builder};

use crate::auth::Authenticator;
use crate::broker::Broker;
use crate::broker::call::Asked;
use crate::broker::failure::Failure;
use crate::catalog::{CatalogError, Compiled, Input, PlanEntry};
use crate::hooks::Event;
use crate::record::Key;
use crate::work::{Engine, Patience};
use bytes::Bytes;
use http_body_util::Full;
use quartermaster_osb::{
    BindingId, Catalog, InstanceId, MaintenanceInfo, Object, PlanId, Secret, ServiceId, Verb,
};
use std::convert::Infallible;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

/// What last_operation says once a delete has finished (T2).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum DeletedOperation {
    /// 200 with `succeeded`.
    #[default]
    Succeeded,
    /// 410.
    Gone,
}

/// The code for a request without a version header (T1).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum MissingVersion {
    /// 412, as older platforms and both public checkers expect.
    #[default]
    PreconditionFailed,
    /// 400, as 2.16 and later say.
    BadRequest,
}

/// Choices that the protocol leaves open.
#[derive(Debug, Clone)]
pub(crate) struct Knobs {
    pub(crate) deleted: DeletedOperation,
    pub(crate) missing_version: MissingVersion,
    pub(crate) retry_after: Option<u64>,
    pub(crate) body_limit: usize,
    pub(crate) body_timeout: Duration,
}

/// A broker as a tower `Service`. Cheap to clone.
#[derive(Clone)]
pub struct Endpoint {
    pub(crate) inner: Arc<Inner>,
    /// The URL prefix it is mounted at; see [`Brokers`](crate::Brokers).
    pub(crate) platform: Arc<str>,
}

pub(crate) struct Inner {
    pub(crate) engine: Arc<Engine>,
    pub(crate) auth: Arc<dyn Authenticator>,
    pub(crate) knobs: Knobs,
}

impl Endpoint {
    /// Begins to build an endpoint around a broker.
    pub fn builder<B: Broker>(broker: B) -> Builder<B> {
        Builder::new(broker)
    }

    /// Puts another catalog in force. What breaks the protocol is refused and the old one stays.
    pub fn set_catalog(&self, catalog: Catalog) -> Result<(), CatalogError> {
        let compiled = Arc::new(Compiled::new(catalog)?);
        let mut current = self
            .inner
            .engine
            .catalog
            .write()
            .unwrap_or_else(PoisonError::into_inner);
        *current = compiled;
        Ok(())
    }

    /// Whether the store answers: what a readiness probe asks.
    pub async fn ready(&self) -> bool {
        self.inner.engine.store.ping().await.is_ok()
    }

    /// Stops: running requests end, jobs are given back to be taken up by the next start or another
    /// replica, and the store is closed. Call it after the server has stopped.
    pub async fn shutdown(&self) {
        let engine = &self.inner.engine;
        engine.stop.cancel();
        engine.tasks.close();
        engine.tasks.wait().await;
        engine.store.close().await;
    }

    /// The name of the broker in the store.
    pub(crate) fn name(&self) -> &str {
        &self.inner.engine.name
    }
}

impl std::fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Endpoint")
            .field("name", &self.name())
            .finish_non_exhaustive()
    }
}

impl<B> tower_service::Service<http::Request<B>> for Endpoint
where
    B: http_body::Body + Send + 'static,
    B::Data: Send,
    B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
{
    type Response = http::Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        let endpoint = self.clone();
        Box::pin(async move { Ok(endpoint.answer(request).await.map(Full::new)) })
    }
}

impl Drop for Inner {
    /// An endpoint that nobody holds any more gives its jobs back, as if it had been told to stop.
    fn drop(&mut self) {
        self.engine.stop.cancel();
    }
}

impl Inner {
    pub(crate) fn key(
        &self,
        platform: &Arc<str>,
        instance: InstanceId,
        binding: Option<BindingId>,
    ) -> Key {
        Key::new(
            self.engine.name.clone(),
            platform.clone(),
            instance,
            binding,
        )
    }

    /// The plan that a request names, or what is wrong with the ids.
    fn resolve(&self, service: &ServiceId, plan: &PlanId) -> Result<PlanEntry, Failure> {
        let catalog = self.engine.catalog();
        if let Some(entry) = catalog.plan(service.as_str(), plan.as_str()) {
            return Ok(entry.clone());
        }
        Err(Failure::bad_request(
            if catalog.has_service(service.as_str()) {
                "plan_id names no plan of this service: see /v2/catalog"
            } else {
                "service_id names no service of this broker: see /v2/catalog"
            },
        ))
    }

    /// Parameters against the plan's schema and the author's type.
    fn check(
        &self,
        entry: &PlanEntry,
        input: Input,
        parameters: &Secret<Object>,
    ) -> Result<(), Failure> {
        let violations = entry.violations(input, parameters);
        if !violations.is_empty() {
            return Err(Failure::bad_request(violations.join("; ")));
        }
        self.engine.broker.check(input, parameters.expose())
    }

    /// The maintenance version that a request names must be the catalog's (B23, T7).
    fn maintained(
        &self,
        entry: &PlanEntry,
        asked: Option<&MaintenanceInfo>,
    ) -> Result<(), Failure> {
        let Some(asked) = asked else { return Ok(()) };
        match &entry.plan.maintenance_info {
            Some(current) if current.version == asked.version => Ok(()),
            Some(current) => Err(respond::maintenance_conflict(&format!(
                "maintenance_info.version is not the plan's: the catalog says {}; fetch it again",
                current.version
            ))),
            None => Err(respond::maintenance_conflict(
                "maintenance_info was sent for a plan that has none: fetch the catalog again",
            )),
        }
    }

    /// Asks the hooks whether a call may go on.
    async fn before(
        &self,
        verb: Verb,
        key: &Key,
        service: &ServiceId,
        plan: &PlanId,
        asked: &Asked,
    ) -> Result<(), Failure> {
        let Some(hooks) = &self.engine.hooks else {
            return Ok(());
        };
        let event = Event {
            verb,
            instance: key.instance.clone(),
            binding: key.binding.clone(),
            service: service.clone(),
            plan: plan.clone(),
            asked: asked.clone(),
        };
        hooks.before(&event).await
    }
}

fn patience(accepts_incomplete: bool) -> Patience {
    if accepts_incomplete {
        Patience::Waits
    } else {
        Patience::Refuses
    }
}
