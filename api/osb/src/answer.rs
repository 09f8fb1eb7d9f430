//! What a broker answers, whole: status, body, and the headers that matter.
//!
//! Brokers build one and turn it into an `http` response (`Answer::response`); platforms parse a response into
//! an `Outcome` (`Outcome::parse`), which says also what is wrong with it. The rule: nothing that came
//! back is ever an error of ours; every possible response is some `Outcome`.

mod gate;
mod parse;
mod response;

pub use parse::retry_after;

use crate::{
    Accepted, Binding, Catalog, ErrorBody, Instance, LastOperation, ProvisionResponse,
    UpdateResponse,
};
use http::StatusCode;

/// A well-formed answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// 200 to catalog.
    Catalog {
        /// The catalog.
        body: Box<Catalog>,
        /// For `If-None-Match` next time.
        etag: Option<String>,
    },
    /// 304 to catalog.
    NotModified {
        /// The tag that still holds.
        etag: Option<String>,
    },
    /// 201 (made now) or 200 (was there, the same) to provision.
    Provisioned {
        /// Made by this call.
        created: bool,
        /// The body.
        body: ProvisionResponse,
    },
    /// 200 to fetch instance.
    Instance(Box<Instance>),
    /// 200 to update.
    Updated(UpdateResponse),
    /// 201 (made now) or 200 (was there, the same) to bind.
    Bound {
        /// Made by this call.
        created: bool,
        /// The body.
        body: Box<Binding>,
    },
    /// 200 to fetch binding.
    Binding(Box<Binding>),
    /// 200 to deprovision and unbind.
    Deleted,
    /// 202 to a mutating call.
    Accepted(Accepted),
    /// 200 to last_operation.
    LastOperation {
        /// The body.
        body: LastOperation,
        /// `Retry-After` in seconds, when it was given as seconds.
        retry_after: Option<u64>,
    },
    /// 4xx and 5xx.
    Error {
        /// The status.
        status: StatusCode,
        /// The body.
        body: ErrorBody,
    },
}

/// What became of a call, seen from the platform.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// A success that is what the specification says.
    Success(Answer),
    /// A success status named by the specification with a body that is not.
    Malformed {
        /// The status.
        status: StatusCode,
        /// What is wrong with the body, never its content.
        reason: String,
    },
    /// A 2xx, 1xx or 3xx the specification does not name for this call.
    Unexpected {
        /// The status.
        status: StatusCode,
    },
    /// 4xx: the broker refused; nothing changed.
    Refused {
        /// The status.
        status: StatusCode,
        /// Its body; empty when it was not JSON.
        body: ErrorBody,
    },
    /// 5xx: the broker broke.
    Broken {
        /// The status.
        status: StatusCode,
        /// Its body; empty when it was not JSON.
        body: ErrorBody,
    },
    /// No answer came in time, or the connection was cut after the request had left.
    Lost,
    /// The request never reached the broker (no connection).
    NotSent,
    /// last_operation said `failed`.
    OperationFailed(LastOperation),
}
