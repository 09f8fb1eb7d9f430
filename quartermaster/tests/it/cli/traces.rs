//! Spans reach a collector, and belong to the caller's trace.

use super::{http, program};
use std::time::Duration;

#[tokio::test]
async fn a_request_becomes_a_span_of_its_callers_trace() {
    let (collector, seen) = http::serve(|_, _| (String::new(), String::new()));
    let folder = tempfile::tempdir().unwrap();
    let program = program().args(["manager", "--listen", "127.0.0.1:0", "--data"]);
    let program = program
        .arg(folder.path())
        .env("QM_TRACING_ENDPOINT", format!("http://{collector}"));
    let mut manager = program.start().await.unwrap();
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    let request = format!(
        "GET /v1/info HTTP/1.1\r\nHost: x\r\nConnection: close\r\ntraceparent: 00-{trace}-00f067aa0ba902b7-01\r\n\r\n"
    );
    let patience = Duration::from_secs(180);
    let answer = qm_testkit::http::raw(manager.address(), request.as_bytes(), patience).await;
    assert!(answer.starts_with(b"HTTP/1.1 200"));
    // What waits is sent before the end.
    assert!(manager.terminate().await.unwrap().success());
    let id: Vec<u8> = (0..16)
        .map(|n| u8::from_str_radix(&trace[2 * n..2 * n + 2], 16).unwrap())
        .collect();
    let mut sent = Vec::new();
    while let Ok((first, body)) = seen.recv_timeout(Duration::from_secs(1)) {
        assert!(first.starts_with("POST /v1/traces"), "{first}");
        sent.extend(body);
    }
    assert!(
        contains(&sent, b"GET /v1/info"),
        "no span names the request"
    );
    assert!(contains(&sent, &id), "the caller's trace is not continued");
    assert!(
        contains(&sent, b"quartermaster-manager"),
        "the sender is not named"
    );
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
