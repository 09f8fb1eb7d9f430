//! Setting up logs, and traces where a collector is named.
//!
//! Called once by a program. The rule: everything goes to standard error, because standard output
//! belongs to the program; a person reads coloured lines, a machine reads one JSON object per line.

use std::io::{IsTerminal, stderr};
use tracing::Subscriber;
use tracing_subscriber::filter::ParseError;
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::{SubscriberInitExt, TryInitError};
use tracing_subscriber::{EnvFilter, Layer, Registry, fmt};

/// What a line looks like.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Format {
    /// Human on a terminal, JSON otherwise.
    #[default]
    Auto,
    /// Lines for people.
    Human,
    /// One JSON object per line.
    Json,
}

/// Why logs could not be set up.
#[derive(Debug, thiserror::Error)]
pub enum InitError {
    /// The filter is not one.
    #[error(
        "`{filter}` is not a log filter; write a level (info) or target=level pairs, parted by commas"
    )]
    Filter {
        /// What was given.
        filter: String,
        /// What the parser said.
        source: ParseError,
    },
    /// The program has a subscriber already. It stays.
    #[error("logs were set up before")]
    Before(#[source] TryInitError),
    /// The collector that the environment names cannot be used.
    #[error("traces cannot be sent to the collector named by OTEL_EXPORTER_OTLP_ENDPOINT")]
    Collector(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Logs are set up. Holds what must be finished at the end of the program.
#[derive(Debug, Default)]
#[must_use = "call finish at the end, or the last traces are lost"]
pub struct Telemetry {
    #[cfg(feature = "otel")]
    tracer: Option<super::otlp::Tracer>,
}

impl Telemetry {
    /// Sends the traces that are still waiting.
    pub async fn finish(self) {
        #[cfg(feature = "otel")]
        if let Some(tracer) = self.tracer {
            tracer.finish().await;
        }
    }
}

/// Sets up logs for this process: `filter` as in `info` or `warn,quartermaster_sdk=debug`.
///
/// With the feature `otel` and `OTEL_EXPORTER_OTLP_ENDPOINT` in the environment, spans are sent there
/// over HTTP; then it must be called inside a tokio runtime. The other `OTEL_` variables (headers,
/// timeout, service name) mean what OpenTelemetry says.
pub fn init(filter: &str, format: Format) -> Result<Telemetry, InitError> {
    let filter = EnvFilter::try_new(filter).map_err(|source| InitError::Filter {
        filter: filter.to_owned(),
        source,
    })?;
    let registry = Registry::default().with(lines(format).with_filter(filter));
    #[cfg(feature = "otel")]
    {
        let tracer = super::otlp::Tracer::from_env().map_err(InitError::Collector)?;
        let layer = tracer.as_ref().map(super::otlp::Tracer::layer);
        registry.with(layer).try_init().map_err(InitError::Before)?;
        Ok(Telemetry { tracer })
    }
    #[cfg(not(feature = "otel"))]
    {
        registry.try_init().map_err(InitError::Before)?;
        Ok(Telemetry {})
    }
}

fn lines<S>(format: Format) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
{
    let terminal = stderr().is_terminal();
    let human = match format {
        Format::Auto => terminal,
        Format::Human => true,
        Format::Json => false,
    };
    let lines = fmt::layer().with_writer(stderr);
    match human {
        true => {
            let colours = terminal && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
            Box::new(lines.with_target(false).with_ansi(colours))
        }
        false => Box::new(lines.json().flatten_event(true).with_span_list(false)),
    }
}
