//! A broker that hangs, cuts or talks nonsense is judged, not suffered: the run ends and says what it saw.

use crate::brokers::{judge, quick};
use qm_conformance::{Options, Target};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

/// A catalog with one plan, then whatever `rest` says for every other request.
async fn broken(rest: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (mut stream, _) = listener.accept().await.unwrap();
            tokio::spawn(async move {
                let mut buffer = vec![0; 64 * 1024];
                let Ok(read) = stream.read(&mut buffer).await else {
                    return;
                };
                if buffer[..read].starts_with(b"GET /v2/catalog HTTP") {
                    let body = r#"{"services":[{"id":"s","name":"s","description":"d","bindable":true,
                        "plans":[{"id":"p","name":"p","description":"d"}]}]}"#;
                    let head = format!(
                        "HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                        body.len()
                    );
                    let _ = stream.write_all((head + body).as_bytes()).await;
                } else if rest.is_empty() {
                    tokio::time::sleep(Duration::from_secs(3600)).await;
                } else {
                    let _ = stream.write_all(rest).await;
                }
            });
        }
    });
    url
}

async fn survives(rest: &'static [u8], seen: &str) {
    let mut target = Target::new(&broken(rest).await).unwrap();
    target.timeout = Duration::from_millis(150);
    let options = Options {
        only: vec!["provision.works".into(), "deprovision.unknown".into()],
        poll_deadline: Duration::from_secs(1),
        ..quick()
    };
    let report = judge(target, options).await.unwrap();
    let result = report.of("deprovision.unknown").next().unwrap();
    assert_eq!(result.verdict.word(), "failed");
    assert!(
        result.findings[0].seen.contains(seen),
        "{:?}",
        result.findings[0].seen
    );
    assert_eq!(
        report.of("provision.works").next().unwrap().verdict.word(),
        "failed"
    );
    assert_eq!(
        report.leftovers.len(),
        1,
        "what may exist is named: {:?}",
        report.leftovers
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn hanging() {
    survives(b"", "no answer within").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cutting() {
    survives(
        b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"half",
        "broke off",
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn talking_nonsense() {
    survives(b"SSH-2.0-OpenSSH_9.2\r\n", "no answer").await;
}
