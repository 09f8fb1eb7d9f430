//! Traces: a request continues its caller's trace, and spans reach a collector.

use http::{HeaderMap, HeaderValue};
use opentelemetry::trace::{SpanId, TraceId, TracerProvider};
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use quartermaster_sdk::telemetry::{self, Format};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use tokio::sync::mpsc;
use tracing_subscriber::layer::SubscriberExt;

const TRACEPARENT: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/// Keeps spans in memory.
#[derive(Debug, Clone, Default)]
struct Kept(Arc<Mutex<Vec<SpanData>>>);

impl SpanExporter for Kept {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.0.lock().unwrap().extend(batch);
        Ok(())
    }
}

/// The span of one request with these headers, as a collector would see it, and the one inside it.
fn request_with(headers: &HeaderMap) -> (SpanData, SpanData) {
    let kept = Kept::default();
    let provider = SdkTracerProvider::builder()
        .with_simple_exporter(kept.clone())
        .build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("test"));
    let subscriber = tracing_subscriber::registry().with(layer);
    tracing::subscriber::with_default(subscriber, || {
        let span = tracing::info_span!("request");
        telemetry::parent_of(&span, headers);
        span.in_scope(|| tracing::info_span!("inner").in_scope(|| {}));
    });
    let spans = kept.0.lock().unwrap().clone();
    let named = |name: &str| spans.iter().find(|span| span.name == name).unwrap().clone();
    (named("request"), named("inner"))
}

#[test]
fn a_request_continues_the_callers_trace() {
    let mut headers = HeaderMap::new();
    headers.insert("traceparent", HeaderValue::from_static(TRACEPARENT));
    headers.insert("tracestate", HeaderValue::from_static("vendor=1"));
    let (request, inner) = request_with(&headers);
    let trace = TraceId::from_hex("0af7651916cd43dd8448eb211c80319c").unwrap();
    assert_eq!(request.span_context.trace_id(), trace);
    assert_eq!(
        request.parent_span_id,
        SpanId::from_hex("b7ad6b7169203331").unwrap()
    );
    assert!(request.parent_span_is_remote);
    assert_eq!(request.span_context.trace_state().header(), "vendor=1");
    assert_eq!(inner.span_context.trace_id(), trace);
    assert_eq!(inner.parent_span_id, request.span_context.span_id());
}

#[test]
fn without_a_usable_header_a_trace_begins_here() {
    let values: [&[u8]; 5] = [
        b"",
        b"garbage",
        b"00-00000000000000000000000000000000-0000000000000000-01",
        b"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
        b"\xff\xfe",
    ];
    for value in values {
        let mut headers = HeaderMap::new();
        headers.insert("traceparent", HeaderValue::from_bytes(value).unwrap());
        let (request, inner) = request_with(&headers);
        assert_eq!(request.parent_span_id, SpanId::INVALID, "{value:?}");
        assert_ne!(
            request.span_context.trace_id(),
            TraceId::INVALID,
            "{value:?}"
        );
        assert_eq!(
            inner.span_context.trace_id(),
            request.span_context.trace_id()
        );
    }
}

/// A collector that hands over the bodies it gets.
async fn collector() -> (std::net::SocketAddr, mpsc::UnboundedReceiver<Vec<u8>>) {
    let (send, receive) = mpsc::unbounded_channel();
    let traces = move |body: axum::body::Bytes| async move {
        send.send(body.to_vec()).unwrap();
    };
    let app = axum::Router::new().route("/v1/traces", axum::routing::post(traces));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let addr = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    (addr, receive)
}

/// Subscribers are set once per process and the environment belongs to all tests, so the program under
/// test is this binary again, running the test below alone.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spans_reach_the_collector_and_logs_are_json() {
    let (addr, mut bodies) = collector().await;
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "telemetry::program", "--ignored", "--nocapture"])
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{addr}"))
        .env("OTEL_SERVICE_NAME", "traced-broker")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let ended = tokio::task::spawn_blocking(|| child.wait_with_output()).await;
    let output = ended.unwrap().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{errors}");

    let body = bodies.try_recv().expect("the collector got nothing");
    let has = |text: &str| body.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(
        has("traced-broker") && has("provision-span"),
        "{}",
        String::from_utf8_lossy(&body)
    );
    // The filter of the log does not thin out the traces, and debug spans are not sent.
    assert!(!has("debug-span"));

    let lines: Vec<serde_json::Value> = errors
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 1, "{errors}");
    assert_eq!(lines[0]["level"], "WARN");
    assert_eq!(lines[0]["message"], "nearly full");
    assert_eq!(lines[0]["disk.percent"], 95);
    assert_eq!(lines[0]["span"]["name"], "outer");
}

#[tokio::test]
#[ignore = "run by spans_reach_the_collector_and_logs_are_json in a process of its own"]
async fn program() {
    let telemetry = telemetry::init("warn", Format::Auto).unwrap();
    assert!(
        telemetry::init("info", Format::Auto).is_err(),
        "set up once"
    );
    tracing::info_span!("provision-span").in_scope(|| {
        tracing::info!("not loud enough");
        tracing::debug_span!("debug-span").in_scope(|| {});
    });
    tracing::error_span!("outer").in_scope(|| {
        tracing::warn!(disk.percent = 95, "nearly full");
    });
    telemetry.finish().await;
}

#[test]
fn a_bad_filter_is_explained() {
    let error = telemetry::init("quartermaster_sdk=loud", Format::Json).unwrap_err();
    assert!(
        error.to_string().contains("`quartermaster_sdk=loud`"),
        "{error}"
    );
}
