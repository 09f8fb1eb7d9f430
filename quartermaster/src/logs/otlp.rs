//! Spans to an OpenTelemetry collector, over HTTP.
//!
//! Set up by [`start`](super::start) when the configuration or the environment names a collector. The
//! rule: a collector that is slow or away costs the manager nothing; spans wait in a bounded queue and
//! are dropped above it.

use hyper_rustls::HttpsConnectorBuilder;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_http::hyper::HyperClient;
use opentelemetry_otlp::{
    SpanExporter as OtlpExporter, WithExportConfig as _, WithHttpConfig as _,
};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::{OTelSdkError, OTelSdkResult};
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use rustls::crypto::aws_lc_rs;
use std::env;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::Handle;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

/// Where a collector takes spans, below its address.
const PATH: &str = "/v1/traces";
/// How long one delivery may take.
const PATIENCE: Duration = Duration::from_secs(10);
/// What calls brokers.
const CALLS: &str = "qm_relay";
/// What makes no spans of its own: the delivery itself, or each would cause the next.
const QUIET: [&str; 6] = [
    "h2",
    "hyper",
    "hyper_util",
    "opentelemetry",
    "opentelemetry_sdk",
    "rustls",
];

/// The way of spans out of the process.
pub(super) struct Tracer {
    provider: SdkTracerProvider,
}

impl Tracer {
    /// A tracer, if a collector is named.
    pub(super) fn new(
        configured: Option<&str>,
    ) -> Result<Option<Self>, Box<dyn Error + Send + Sync>> {
        let Some(endpoint) = endpoint(configured) else {
            return Ok(None);
        };
        let runtime = Handle::try_current()?;
        let mut builder = OtlpExporter::builder()
            .with_http()
            .with_endpoint(&endpoint)
            .with_timeout(PATIENCE);
        // The exporter's own client speaks plain HTTP only.
        if endpoint.starts_with("https:") {
            let connector = HttpsConnectorBuilder::new()
                .with_provider_and_native_roots(aws_lc_rs::default_provider())?
                .https_only()
                .enable_http1()
                .build();
            builder = builder.with_http_client(HyperClient::new(connector, PATIENCE, None));
        }
        let provider = SdkTracerProvider::builder()
            .with_resource(resource())
            .with_batch_exporter(OnRuntime {
                exporter: Arc::new(builder.build()?),
                runtime,
            })
            .build();
        Ok(Some(Self { provider }))
    }

    /// The layer that turns `tracing` spans into OpenTelemetry ones.
    pub(super) fn layer<S>(&self) -> impl Layer<S> + Send + Sync + use<S>
    where
        S: Subscriber + for<'a> LookupSpan<'a> + Send + Sync,
    {
        let wanted = Targets::new()
            .with_default(LevelFilter::INFO)
            // Its span of each call is below what the log asks for, because it is only worth its cost here.
            .with_target(CALLS, LevelFilter::DEBUG)
            .with_targets(QUIET.map(|target| (target, LevelFilter::OFF)));
        tracing_opentelemetry::layer()
            .with_tracer(self.provider.tracer("quartermaster"))
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

/// The full address: what is configured, or what OpenTelemetry's own variables say.
fn endpoint(configured: Option<&str>) -> Option<String> {
    let variable = |name| env::var(name).ok().filter(|value| !value.is_empty());
    if configured.is_none() {
        // This one is for traces alone and is taken as it stands.
        if let Some(whole) = variable("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") {
            return Some(whole);
        }
    }
    let base = configured
        .map(str::to_owned)
        .or_else(|| variable("OTEL_EXPORTER_OTLP_ENDPOINT"))?;
    let base = base.trim_end_matches('/');
    Some(match base.ends_with(PATH) {
        true => base.to_owned(),
        false => format!("{base}{PATH}"),
    })
}

/// Who sends the spans: what the environment says, or our name.
fn resource() -> Resource {
    let attributes = env::var("OTEL_RESOURCE_ATTRIBUTES").unwrap_or_default();
    let named = env::var_os("OTEL_SERVICE_NAME").is_some_and(|name| !name.is_empty())
        || attributes.contains("service.name=");
    match named {
        true => Resource::builder().build(),
        false => Resource::builder()
            .with_service_name("quartermaster-manager")
            .build(),
    }
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

#[cfg(test)]
mod tests {
    use super::endpoint;

    #[test]
    fn a_collector_is_named_by_its_address_or_by_the_whole_path() {
        for given in ["http://c:4318", "http://c:4318/", "http://c:4318/v1/traces"] {
            assert_eq!(
                endpoint(Some(given)).as_deref(),
                Some("http://c:4318/v1/traces")
            );
        }
    }
}
