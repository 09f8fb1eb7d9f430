//! What every handler works with. The executable puts it together and hands it to [`router`](fn@crate::router).

use crate::HttpSettings;
use http::HeaderMap;
use qm_lifecycle::Lifecycle;
use qm_manager_api::{LoggingConfig, LoggingPatch, Object};
use qm_stream::Stream;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;
use tracing::Span;

/// Everything behind the doors. Cheap to clone.
#[derive(Clone)]
pub struct App {
    /// What can be done.
    pub deeds: Lifecycle,
    /// What platforms are told.
    pub stream: Stream,
    /// What an operator may set.
    pub settings: Arc<HttpSettings>,
    /// What only the executable knows.
    pub outside: Arc<Outside>,
}

/// Joins a span with the trace that headers name.
pub type JoinTrace = Box<dyn Fn(&Span, &HeaderMap) + Send + Sync>;

/// What only the executable knows: its configuration, its logs, its metrics, whether it is stopping.
pub struct Outside {
    /// The configuration in force, secrets starred.
    pub config: Object,
    /// How it logs.
    pub logging: Box<dyn Logging>,
    /// The metrics in Prometheus' text form.
    pub metrics: Box<dyn Fn() -> String + Send + Sync>,
    /// Joins a request's span with the trace that the caller's headers name.
    pub join_trace: JoinTrace,
    /// Cancelled when the process begins to stop: `/readyz` says so from then on.
    pub stopping: CancellationToken,
}

impl Outside {
    /// An outside without configuration, logs, metrics and traces, for tests and for making OpenAPI.
    pub fn silent() -> Self {
        Self {
            config: Object::new(),
            logging: Box::new(Fixed),
            metrics: Box::new(String::new),
            join_trace: Box::new(|_, _| {}),
            stopping: CancellationToken::new(),
        }
    }
}

/// How the process logs, and how to change that while it runs.
pub trait Logging: Send + Sync {
    /// As it is.
    fn current(&self) -> LoggingConfig;

    /// Changes what is said; a word that is not known changes nothing.
    ///
    /// # Errors
    /// What is wrong with the wish, for people.
    fn change(&self, patch: LoggingPatch) -> Result<(), String>;
}

struct Fixed;

impl Logging for Fixed {
    fn current(&self) -> LoggingConfig {
        LoggingConfig::default()
    }

    fn change(&self, _: LoggingPatch) -> Result<(), String> {
        Err("logging cannot be changed here".to_owned())
    }
}
