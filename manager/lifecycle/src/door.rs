//! What comes in at an OSB door, and what goes out again. The doors make an [`Asked`]; the deeds on instances and
//! bindings take it.
//!
//! The rule: what a platform sent goes to the broker as it came, and what the manager must know of it is read beside
//! that. So nothing that a later version of the protocol adds is lost on the way.

use crate::Lifecycle;
use bytes::Bytes;
use qm_model::{Ctx, Error, Secret};
use quartermaster_osb::Object;
use std::sync::Arc;

pub use crate::views::Catalog;
pub use qm_relay::Passed;

/// What the door answers: the broker's words, or ours in the broker's form.
pub type Reply = http::Response<Bytes>;

/// A call at a door, except for who calls.
#[derive(Debug)]
pub struct Asked {
    /// The broker's id in the path.
    pub broker: String,
    /// The instance's id in the path.
    pub instance: String,
    /// The binding's id in the path; empty when there is none.
    pub binding: String,
    /// What the query says.
    pub query: Query,
    /// The body, read; empty when there is none.
    pub body: Secret<Object>,
    /// The request as it came.
    pub passed: Passed,
}

/// What the manager reads of a query. Of repeated keys the first counts.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The platform can wait.
    pub accepts_incomplete: bool,
    /// The broker's id of the offering.
    pub service_id: Option<String>,
    /// The broker's id of the plan.
    pub plan_id: Option<String>,
    /// What the broker called the operation that is polled.
    pub operation: Option<String>,
}

/// The public keys that brokers check signed contexts with: the one in use, and the one that follows it.
pub fn signing_keys(deeds: &Lifecycle) -> (Option<String>, Option<String>) {
    (deeds.relay.signing_key(), deeds.relay.next_signing_key())
}

/// The catalog of a broker as this platform may see it.
///
/// # Errors
/// 404 when there is no such broker for the caller.
pub async fn catalog(deeds: &Lifecycle, ctx: &Ctx, broker: &str) -> Result<Arc<Catalog>, Error> {
    let view = deeds.view(broker).await?;
    qm_policy::door::enter(ctx, &view.stock, false, &deeds.settings.policy)?;
    view.catalog_for(ctx)
}
