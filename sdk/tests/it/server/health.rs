//! `/healthz`, `/readyz`, `/metrics`: here, elsewhere, nowhere.

use super::*;
use quartermaster_sdk::server::{Health, install_metrics};
use std::sync::atomic::{AtomicBool, Ordering};

#[tokio::test]
async fn probes_answer_without_credentials() {
    let server = Running::start(plain()).await;
    for path in ["/healthz", "/readyz"] {
        let answer = server.get(path).await;
        assert!(
            answer.starts_with("HTTP/1.1 200 OK\r\n"),
            "{path}: {answer}"
        );
        assert!(
            answer.contains("content-type: application/json\r\n"),
            "{answer}"
        );
        assert!(answer.ends_with("\r\n\r\n{\"status\":\"ok\"}"), "{answer}");
    }
    let head = "HEAD /healthz HTTP/1.1\r\nhost: broker\r\nconnection: close\r\n\r\n";
    let answer = ask(server.connect().await, head).await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(answer.ends_with("\r\n\r\n"), "{answer}");
    let put = "PUT /readyz HTTP/1.1\r\nhost: broker\r\nconnection: close\r\n\r\n";
    let answer = ask(server.connect().await, put).await;
    assert!(answer.starts_with("HTTP/1.1 405 "), "{answer}");
    assert!(answer.contains("allow: GET, HEAD\r\n"), "{answer}");
    server.stop().await;
}

#[tokio::test]
async fn readiness_is_the_authors_word() {
    let database = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&database);
    let health = Health::here().ready_when(move || {
        let up = asked.load(Ordering::SeqCst);
        async move {
            match up {
                true => Ok(()),
                false => Err("the database is \"away\"".to_owned()),
            }
        }
    });
    let server = Running::start(plain().health(health)).await;
    let answer = server.get("/readyz").await;
    assert!(answer.starts_with("HTTP/1.1 503 "), "{answer}");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["reason"], "the database is \"away\"");
    // Not ready is not dead.
    assert!(server.get("/healthz").await.starts_with("HTTP/1.1 200 "));

    database.store(true, Ordering::SeqCst);
    assert!(server.get("/readyz").await.starts_with("HTTP/1.1 200 "));
    server.stop().await;
}

#[tokio::test]
async fn metrics_are_prometheus_text() {
    assert!(install_metrics(), "no other recorder in this process");
    metrics::counter!("it_requests_total", "verb" => "provision").increment(3);
    metrics::histogram!("it_duration_seconds").record(0.2);
    let server = Running::start(plain()).await;
    let answer = server.get("/metrics").await;
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    assert!(
        answer.contains("content-type: text/plain; version=0.0.4"),
        "{answer}"
    );
    assert!(
        answer.contains("it_requests_total{verb=\"provision\"} 3\n"),
        "{answer}"
    );
    assert!(
        answer.contains("it_duration_seconds_bucket{le=\"0.25\"} 1\n"),
        "{answer}"
    );
    assert!(
        answer.contains("# HELP broker_connections Open connections.\n"),
        "{answer}"
    );
    assert!(answer.contains("\nbroker_connections "), "{answer}");
    server.stop().await;
}

#[tokio::test]
async fn probes_can_live_elsewhere_and_outlive_the_door() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let aside = listener.local_addr().unwrap();
    let (gate, entered) = (closed(), closed());
    let server = Server::new(service(Arc::clone(&gate), Arc::clone(&entered)));
    let server = Running::start(server.health(Health::on(listener))).await;
    let probe =
        async |path: &str| ask(TcpStream::connect(aside).await.unwrap(), &get_request(path)).await;

    assert!(server.get("/healthz").await.ends_with("service: not here"));
    assert!(probe("/healthz").await.starts_with("HTTP/1.1 200 "));
    assert!(probe("/readyz").await.starts_with("HTTP/1.1 200 "));
    assert!(probe("/hello").await.starts_with("HTTP/1.1 404 "));

    // While a request is being finished, the broker lives but takes nothing new.
    let mut running = server.connect().await;
    running
        .write_all(get_request("/held").as_bytes())
        .await
        .unwrap();
    within(entered.acquire()).await.unwrap().forget();
    server.stop.send(()).unwrap();
    within(async {
        while !probe("/readyz").await.contains("\"reason\":\"stopping\"") {
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert!(probe("/healthz").await.starts_with("HTTP/1.1 200 "));
    gate.add_permits(1);
    assert!(read_all(running).await.ends_with("finished"));
    within(server.task).await.unwrap();
    assert!(TcpStream::connect(aside).await.is_err());
}

#[tokio::test]
async fn probes_can_be_off() {
    let server = Running::start(plain().health(Health::off())).await;
    for path in ["/healthz", "/readyz", "/metrics"] {
        assert!(
            server.get(path).await.ends_with("service: not here"),
            "{path}"
        );
    }
    server.stop().await;

    let server = Running::start(plain().health(Health::here().without_metrics())).await;
    assert!(server.get("/metrics").await.ends_with("service: not here"));
    assert!(server.get("/healthz").await.starts_with("HTTP/1.1 200 "));
    server.stop().await;
}
