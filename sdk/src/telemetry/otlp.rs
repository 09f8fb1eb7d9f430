//! Spans to an OpenTelemetry collector, over HTTP.
//!
//! Set up by [`init`](super::init()) when the environment names a collector. The rule: a collector that
//! is slow or away costs the broker nothing; spans wait in a bounded queue and are dropped above it.

use hyper_rustls::HttpsConnectorBuilder;
use opentelemetry::trace::TracerProvider;
use opentelemetry_http::hyper::HyperClient;
use opentelemetry_otlp::{SpanExporter as OtlpExporter, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use rustls::crypto::aws_lc_rs;
use std::env;
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

/// The variables that name a collector; the second is for traces alone and wins.
const ENDPOINTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
];
/// The variables that limit one delivery, in milliseconds; in the same order.
const TIMEOUTS: [&str; 2] = [
    "OTEL_EXPORTER_OTLP_TIMEOUT",
    "OTEL_EXPORTER_OTLP_TRACES_TIMEOUT",
];

/// The way of spans out of the process.
#[derive(Debug)]
pub(super) struct Tracer {
    provider: SdkTracerProvider,
}

impl Tracer {
    /// A tracer, if the environment names a collector.
    pub(super) fn from_env() -> Result<Option<Self>, Box<dyn Error + Send + Sync>> {
        let Some(endpoint) = last_of(ENDPOINTS) else {
            return Ok(None);
        };
        let runtime = Handle::try_current()?;
        let builder = OtlpExporter::builder().with_http();
        // The exporter's own client speaks plain HTTP only.
        let builder = match endpoint.starts_with("https:") {
            false => builder,
            true => {
                let connector = HttpsConnectorBuilder::new()
                    .with_provider_and_native_roots(aws_lc_rs::default_provider())?
                    .https_only()
                    .enable_http1()
                    .build();
                builder.with_http_client(HyperClient::new(connector, patience(), None))
            }
        };
        let exporter = builder.build()?;
        let provider = SdkTracerProvider::builder()
            .with_resource(resource())
            .with_batch_exporter(OnRuntime {
                exporter: Arc::new(exporter),
                runtime,
            })
            .build();
        Ok(Some(Self { provider }))
    }

    /// The layer that turns `tracing` spans into OpenTelemetry ones. It has a filter of its own: fewer
    /// log lines must not mean holes in the traces.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        let tracer = self.provider.tracer("quartermaster-sdk");
        // The delivery itself must not make spans, or each would cause the next.
        let quiet = [
            "hyper",
            "hyper_util",
            "h2",
            "opentelemetry",
            "opentelemetry_sdk",
            "rustls",
        ];
        let wanted = Targets::new()
            .with_default(LevelFilter::INFO)
            .with_targets(quiet.map(|target| (target, LevelFilter::OFF)));
        tracing_opentelemetry::layer()
            .with_tracer(tracer)
            .with_filter(wanted)
    }

    /// Delivers what waits, then stops. It blocks, so it runs beside the runtime's own threads.
    pub(super) async fn finish(self) {
        let done = tokio::task::spawn_blocking(move || self.provider.shutdown()).await;
        if let Ok(Err(error)) = done {
            tracing::warn!(error = %error, "the last traces could not be delivered");
        }
    }
}

/// The value of the last variable that has one.
fn last_of(names: [&str; 2]) -> Option<String> {
    let value = |name: &&str| env::var(name).ok().filter(|value| !value.is_empty());
    names.iter().rev().find_map(value)
}

/// How long one delivery may take: ten seconds is what OpenTelemetry says when nobody does.
fn patience() -> Duration {
    last_of(TIMEOUTS)
        .and_then(|value| value.parse().ok())
        .map_or(Duration::from_secs(10), Duration::from_millis)
}

/// Who sends the spans: what the environment says, or the name of the executable.
fn resource() -> Resource {
    let attributes = env::var("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default();
    let named = env::var_os("OTEL_SERVICE_NAME").is_some_and(|name| !name.is_empty())
        || attributes.contains("service.name=");
    let builder = Resource::builder();
    if named {
        return builder.build();
    }
    let program = env::args_os().next();
    let name = program
        .as_deref()
        .and_then(|path| Path::new(path).file_stem())
        .map_or_else(
            || "broker".into(),
            |stem| stem.to_string_lossy().into_owned(),
        );
    builder.with_service_name(name).build()
}

/// Runs deliveries on the program's runtime. The batch thread of OpenTelemetry has none, and the HTTP
/// client needs one.
#[derive(Debug)]
struct OnRuntime {
    exporter: Arc<OtlpExporter>,
    runtime: Handle,
}

impl SpanExporter for OnRuntime {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let exporter = Arc::clone(&self.exporter);
        let delivery = self
            .runtime
            .spawn(async move { exporter.export(batch).await });
        // The runtime may be ending; then the spans have nowhere to go.
        delivery
            .await
            .unwrap_or_else(|error| Err(OTelSdkError::InternalFailure(error.to_string())))
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }
    fn set_resource(&mut self, resource: &Resource) {
        // Asked once, before the first delivery: nobody else holds the exporter then.
        if let Some(exporter) = Arc::get_mut(&mut self.exporter) {
            exporter.set_resource(resource);
        }
    }
}
