//! Before the first case: is there a broker, does it know us, are the chosen plans in its catalog?

use crate::Options;
use crate::client::{Client, Reply, TlsError};
use crate::plan::{self, Plan};
use crate::request::Request;
use tokio_util::sync::CancellationToken;

/// The run cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Nobody answers. The caller checks the URL and the broker.
    #[error("the broker cannot be reached: {0}")]
    Unreachable(String),
    /// The broker does not know us. The caller checks the credentials.
    #[error("the broker refuses these credentials (GET /v2/catalog answered {0})")]
    Refused(u16),
    /// No plan has that name. The caller checks the filters.
    #[error("no plan of the catalog matches; it has: {0}")]
    NoSuchPlan(String),
    /// TLS cannot be set up. The caller checks the CA file.
    #[error("TLS cannot be set up")]
    Tls(#[source] TlsError),
    /// Cancelled before the first case.
    #[error("interrupted before the first case")]
    Cancelled,
}

/// The catalog, as the first thing a platform asks for.
pub(super) async fn catalog(
    client: &Client,
    cancel: &CancellationToken,
) -> Result<Reply, RunError> {
    let request = Request::catalog();
    let exchanged = tokio::select! {
        exchanged = client.exchange(&request) => exchanged,
        () = cancel.cancelled() => return Err(RunError::Cancelled),
    };
    match exchanged.reply {
        None => Err(RunError::Unreachable(exchanged.exchange.received.line())),
        Some(reply) if matches!(reply.status, 401 | 403) => Err(RunError::Refused(reply.status)),
        Some(reply) => Ok(reply),
    }
}

/// The plans to judge.
pub(super) fn choose(plans: Vec<Plan>, options: &Options) -> Result<Vec<Plan>, RunError> {
    let known: Vec<String> = plans.iter().map(Plan::label).collect();
    let filtered = !options.services.is_empty() || !options.plans.is_empty();
    let chosen = plan::chosen(plans, options);
    if chosen.is_empty() && filtered {
        return Err(RunError::NoSuchPlan(known.join(", ")));
    }
    Ok(chosen)
}
