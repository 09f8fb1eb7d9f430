//! What a broker author writes: one idempotent function per verb.
//!
//! The framework calls these after everything that can be checked was checked and after the intent was
//! stored. The rule an author keeps: a function that ran half, or whole, may run again with the same
//! call and must end in the same place. That is all it takes to survive `kill -9`.

pub mod call;
pub(crate) mod erased;
pub mod failure;
pub mod outcome;

use call::{Bind, Deprovision, FetchedBinding, FetchedInstance, Provision, Rotate, Unbind, Update};
use failure::Failure;
use outcome::{Outcome, Provisioned, Updated};
use quartermaster_osb::{Binding, Catalog, Instance};
use serde::de::DeserializeOwned;
use std::future::Future;
use std::sync::Arc;

/// What every function answers: done now, later, or not at all.
pub type Reply<T> = Result<Outcome<T>, Failure>;

/// A service broker.
///
/// `self` comes as an `Arc`, so that work for later can take it along:
/// `Ok(later(async move { self.create(&call).await }))`.
pub trait Broker: Sized + Send + Sync + 'static {
    /// Parameters of provision. [`NoParameters`](call::NoParameters) refuses any; `Object` takes all.
    type Parameters: DeserializeOwned + Send;
    /// Parameters of update, already without those that stay.
    type Changes: DeserializeOwned + Send;
    /// Parameters of bind.
    type BindParameters: DeserializeOwned + Send;

    /// What is on offer. Read once at the start; [`Endpoint::set_catalog`](crate::Endpoint::set_catalog) changes it later.
    fn catalog(&self) -> Result<Catalog, crate::catalog::CatalogError>;

    /// Makes an instance.
    fn provision(
        self: Arc<Self>,
        call: Provision<Self::Parameters>,
    ) -> impl Future<Output = Reply<Provisioned>> + Send;

    /// Changes plan, parameters, version or context of an instance. Whatever fails must leave it as it was.
    fn update(
        self: Arc<Self>,
        call: Update<Self::Changes>,
    ) -> impl Future<Output = Reply<Updated>> + Send;

    /// Removes an instance, also one that was made only in part.
    fn deprovision(self: Arc<Self>, call: Deprovision) -> impl Future<Output = Reply<()>> + Send;

    /// Makes credentials.
    fn bind(
        self: Arc<Self>,
        call: Bind<Self::BindParameters>,
    ) -> impl Future<Output = Reply<Binding>> + Send;

    /// Removes credentials, also those that were made only in part.
    fn unbind(self: Arc<Self>, call: Unbind) -> impl Future<Output = Reply<()>> + Send;

    /// Makes credentials in place of others that stay valid. By default this is `bind` with the
    /// predecessor's parameters.
    fn rotate(
        self: Arc<Self>,
        call: Rotate<Self::BindParameters>,
    ) -> impl Future<Output = Reply<Binding>> + Send {
        self.bind(call.bind)
    }

    /// What a fetch of an instance answers. By default what the framework stored.
    fn fetch_instance(
        self: Arc<Self>,
        call: FetchedInstance,
    ) -> impl Future<Output = Result<Instance, Failure>> + Send {
        async move { Ok(call.stored) }
    }

    /// What a fetch of a binding answers. By default what the framework stored.
    fn fetch_binding(
        self: Arc<Self>,
        call: FetchedBinding,
    ) -> impl Future<Output = Result<Binding, Failure>> + Send {
        async move { Ok(call.stored) }
    }
}
