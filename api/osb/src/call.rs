//! A call of the protocol, whole: which endpoint, for what, with which body.
//!
//! Platforms build one and turn it into an `http` request (`Call::request`); brokers route a request
//! (`Route::of`), authenticate it, and decode the rest (`decode`). The rule: what one side builds
//! the other side decodes to the same value, unknown fields included.

mod decode;
mod query;
mod request;
mod route;

pub use decode::{BadRequest, decode};
pub use request::BuildError;
pub use route::RouteError;

use crate::{
    BindRequest, BindingId, InstanceId, ProvisionRequest, RotateRequest, UpdateRequest, Verb,
};

/// Where a request goes: the endpoint and the ids in its path, each segment percent-decoded by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    /// The endpoint.
    pub verb: Verb,
    /// Present for all but the catalog.
    pub instance: Option<InstanceId>,
    /// Present for the binding endpoints.
    pub binding: Option<BindingId>,
}

/// A request of the protocol.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    /// `GET /v2/catalog`
    Catalog {
        /// Sent as `If-None-Match`.
        if_none_match: Option<String>,
    },
    /// `PUT /v2/service_instances/{i}`
    Provision {
        /// The instance to be.
        instance: InstanceId,
        /// The platform can wait.
        accepts_incomplete: bool,
        /// The body.
        body: Box<ProvisionRequest>,
    },
    /// `GET /v2/service_instances/{i}`
    FetchInstance {
        /// The instance.
        instance: InstanceId,
        /// Optional ids in the query.
        hints: Hints,
    },
    /// `PATCH /v2/service_instances/{i}`
    Update {
        /// The instance.
        instance: InstanceId,
        /// The platform can wait.
        accepts_incomplete: bool,
        /// The body.
        body: Box<UpdateRequest>,
    },
    /// `DELETE /v2/service_instances/{i}`
    Deprovision {
        /// The instance.
        instance: InstanceId,
        /// The platform can wait.
        accepts_incomplete: bool,
        /// Mandatory by the protocol; a broker decides when to demand them (T5).
        hints: Hints,
    },
    /// `GET /v2/service_instances/{i}/last_operation`
    PollInstance {
        /// The instance.
        instance: InstanceId,
        /// Which operation.
        poll: Poll,
    },
    /// `PUT .../service_bindings/{b}`
    Bind {
        /// The instance.
        instance: InstanceId,
        /// The binding to be.
        binding: BindingId,
        /// The platform can wait.
        accepts_incomplete: bool,
        /// The body.
        body: Box<BindRequest>,
    },
    /// `PUT .../service_bindings/{b}` with `predecessor_binding_id`
    Rotate {
        /// The instance.
        instance: InstanceId,
        /// The binding to be.
        binding: BindingId,
        /// The platform can wait.
        accepts_incomplete: bool,
        /// The body.
        body: Box<RotateRequest>,
    },
    /// `GET .../service_bindings/{b}`
    FetchBinding {
        /// The instance.
        instance: InstanceId,
        /// The binding.
        binding: BindingId,
        /// Optional ids in the query.
        hints: Hints,
    },
    /// `DELETE .../service_bindings/{b}`
    Unbind {
        /// The instance.
        instance: InstanceId,
        /// The binding.
        binding: BindingId,
        /// The platform can wait.
        accepts_incomplete: bool,
        /// Mandatory by the protocol; a broker decides when to demand them (T5).
        hints: Hints,
    },
    /// `GET .../service_bindings/{b}/last_operation`
    PollBinding {
        /// The instance.
        instance: InstanceId,
        /// The binding.
        binding: BindingId,
        /// Which operation.
        poll: Poll,
    },
}

/// `service_id` and `plan_id` in a query. Empty counts as absent; of repeated keys the first counts (T11).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hints {
    /// The offering.
    pub service_id: Option<String>,
    /// The plan.
    pub plan_id: Option<String>,
}

/// The query of last_operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Poll {
    /// Optional ids.
    pub hints: Hints,
    /// What the broker handed out; percent-decoded, verbatim.
    pub operation: Option<String>,
}

impl Call {
    /// The endpoint.
    pub fn verb(&self) -> Verb {
        match self {
            Self::Catalog { .. } => Verb::Catalog,
            Self::Provision { .. } => Verb::Provision,
            Self::FetchInstance { .. } => Verb::FetchInstance,
            Self::Update { .. } => Verb::Update,
            Self::Deprovision { .. } => Verb::Deprovision,
            Self::PollInstance { .. } => Verb::PollInstance,
            Self::Bind { .. } | Self::Rotate { .. } => Verb::Bind,
            Self::FetchBinding { .. } => Verb::FetchBinding,
            Self::Unbind { .. } => Verb::Unbind,
            Self::PollBinding { .. } => Verb::PollBinding,
        }
    }
}
