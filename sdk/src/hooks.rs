//! Before and after each verb: for audit, billing, quota.
//!
//! `before` runs before anything is stored and may refuse. `after` runs once the outcome is stored, and
//! again after a crash until it has returned: at least once, so it should be idempotent too.

use crate::broker::call::Asked;
use crate::broker::failure::Failure;
use quartermaster_osb::{BindingId, InstanceId, PlanId, ServiceId, State, Verb};
use std::future::Future;
use std::pin::Pin;

/// What happens, or happened.
#[derive(Debug, Clone)]
pub struct Event {
    /// The verb.
    pub verb: Verb,
    /// The instance.
    pub instance: InstanceId,
    /// The binding, for bind and unbind.
    pub binding: Option<BindingId>,
    /// The offering.
    pub service: ServiceId,
    /// The plan; for an update the wanted one.
    pub plan: PlanId,
    /// Who asked.
    pub asked: Asked,
}

/// How it ended.
#[derive(Debug, Clone)]
pub struct Ended {
    /// `Succeeded` or `Failed`.
    pub state: State,
    /// The cause of a failure, as the platform reads it.
    pub description: Option<String>,
}

/// A hook's answer in the future.
pub type HookFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What an author can hang on every verb.
pub trait Hooks: Send + Sync + 'static {
    /// Before anything is stored; an error refuses the call.
    fn before<'a>(&'a self, _event: &'a Event) -> HookFuture<'a, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }

    /// After the outcome is stored, for synchronous and asynchronous work alike.
    fn after<'a>(&'a self, _event: &'a Event, _ended: &'a Ended) -> HookFuture<'a, ()> {
        Box::pin(async {})
    }
}
