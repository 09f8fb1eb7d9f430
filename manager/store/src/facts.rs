//! Everything that a deed on an instance or a binding must know, read in one round trip. The operation engine asks
//! here when `begin` said that something is in the way, and before deeds on what exists.
//!
//! The rule: one statement, so that all of it is of one moment.

pub use crate::operation::Phase;

use crate::{Error, Store};
use qm_model::Time;
use qm_model::binding::Binding;
use qm_model::id::{BindingId, InstanceId, PlatformId};
use qm_model::instance::Instance;
use qm_model::operation::Operation;

/// What is known about an instance, or about a binding of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Facts {
    /// The instance, if it is known.
    pub instance: Option<Known<Instance>>,
    /// The binding, if one was asked about and is known.
    pub binding: Option<Known<Binding>>,
    /// The last operation on what was asked about: the binding if one was, else the instance.
    pub operation: Option<Work>,
    /// What is being done to the instance, when a binding was asked about.
    pub instance_operation: Option<Work>,
    /// The platform is being removed with all that it has.
    pub terminating: bool,
}

/// A resource, and what only deeds need to know of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Known<T> {
    /// As clients see it.
    pub resource: T,
    /// Of what it was asked for with, see [`deed::fingerprint`](crate::deed::fingerprint()).
    pub fingerprint: Option<Vec<u8>>,
    /// The body of the broker's last good answer; instances only.
    pub answer: Option<String>,
}

/// An operation with its inner side.
#[derive(Debug, Clone, PartialEq)]
pub struct Work {
    /// As clients see it.
    pub operation: Operation,
    /// How far it is.
    pub phase: Phase,
    /// What the broker calls it.
    pub broker_operation: Option<String>,
    /// Until when somebody works on it; `None` when nobody does.
    pub lease_until: Option<Time>,
    /// The number of the last lease.
    pub fence: i64,
    /// Of what it was asked with.
    pub fingerprint: Option<Vec<u8>>,
}

/// Looks everything up.
///
/// # Errors
/// The database's.
pub async fn facts(
    store: &Store,
    instance: &InstanceId,
    binding: Option<&BindingId>,
    platform: Option<&PlatformId>,
) -> Result<Facts, Error> {
    let _ = (store, instance, binding, platform);
    Err(crate::deed::not_yet())
}
