#![doc = include_str!("../README.md")]

pub mod answer;
pub mod binding;
pub mod call;
pub mod catalog;
pub mod context;
pub mod error;
pub mod extra;
pub mod header;
pub mod id;
pub mod instance;
pub mod json;
pub mod mitigation;
pub mod operation;
pub mod problem;
pub mod secret;
pub mod verb;

pub use answer::{Answer, Outcome};
pub use binding::{
    BindRequest, BindResource, Binding, BindingMetadata, Endpoint, RotateRequest, Timestamp,
    VolumeDevice, VolumeMount,
};
pub use call::{BadRequest, BuildError, Call, Hints, Poll, Route, RouteError, decode};
pub use catalog::{Catalog, MaintenanceInfo, Offering, Plan, Schemas};
pub use context::Context;
pub use error::{ErrorBody, ErrorWord};
pub use extra::Extra;
pub use header::{ApiVersion, Envelope, OriginatingIdentity};
pub use id::{BadId, BindingId, InstanceId, PlanId, ServiceId};
pub use instance::{
    Instance, InstanceMetadata, PreviousValues, ProvisionRequest, ProvisionResponse, UpdateRequest,
    UpdateResponse,
};
pub use operation::{Accepted, LastOperation, State};
pub use problem::{Level, Problem};
pub use secret::Secret;
pub use verb::Verb;

/// A JSON object. Free-form parts of the protocol (metadata, context, attributes) are kept as this.
pub type Object = serde_json::Map<String, serde_json::Value>;
