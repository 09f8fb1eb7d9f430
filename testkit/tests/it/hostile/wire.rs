//! Faults on the wire, as a client sees them that reads the very bytes.

use super::{body_of, broker, bytes, make_instance, provision_body, wire};
use qm_testkit::hostile::{Fault, SYNC_PLAN};
use qm_testkit::http::raw;
use quartermaster_osb::Verb;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

const I: &str = "/v2/service_instances/i";

fn put() -> Vec<u8> {
    bytes("PUT", I, Some(&provision_body(SYNC_PLAN)))
}

fn told_length(answer: &str) -> usize {
    let (_, rest) = answer.split_once("Content-Length: ").unwrap();
    rest.split("\r\n").next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn slow_waits_before_the_head() {
    let (broker, _) = broker().await;
    broker.on(Verb::Provision).nth(1).then(Fault::slow(600_000));
    let nothing = raw(broker.address(), &put(), Duration::from_millis(200)).await;
    assert_eq!(nothing, b"");
    let call = &broker.wait_for_calls(1).await.unwrap()[0];
    assert!(!call.answered && !call.worked);
    assert_eq!(broker.instances(), []);

    broker.on(Verb::Provision).then(Fault::slow(10));
    assert!(
        wire(&broker, &put())
            .await
            .starts_with("HTTP/1.1 201 Created\r\n")
    );
}

#[tokio::test]
async fn trickle_sends_piece_by_piece() {
    let (broker, _) = broker().await;
    let trickle = |bytes, millis| Fault::Trickle { bytes, millis };
    broker.on(Verb::Provision).nth(1).then(trickle(1, 600_000));
    let answer = raw(broker.address(), &put(), Duration::from_millis(300)).await;
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert_eq!(body_of(&answer), "", "the head came, the first piece waits");
    assert!(!broker.calls()[0].answered);

    broker.on(Verb::Provision).then(trickle(10, 1));
    let answer = wire(&broker, &put()).await;
    assert!(serde_json::from_str::<Value>(body_of(&answer)).is_ok());
    assert_eq!(body_of(&answer).len(), told_length(&answer));
}

#[tokio::test]
async fn hang_never_answers() {
    let (broker, _) = broker().await;
    broker.on(Verb::Provision).then(Fault::Hang);
    let mut stream = TcpStream::connect(broker.address()).await.unwrap();
    stream.write_all(&put()).await.unwrap();
    broker.wait_for(Verb::Provision, 1).await.unwrap();
    let read = stream.read_u8();
    let waited = tokio::time::timeout(Duration::from_millis(300), read).await;
    assert!(waited.is_err(), "neither an answer nor an end");
    assert_eq!(broker.instances(), []);
    assert!(!broker.calls()[0].answered);
}

#[tokio::test]
async fn hang_in_body_stays_open() {
    let (broker, _) = broker().await;
    broker.on(Verb::Provision).then(Fault::HangInBody);
    let mut stream = TcpStream::connect(broker.address()).await.unwrap();
    stream.write_all(&put()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.windows(6).any(|window| window == b"\r\n\r\n{\"") {
        assert!(stream.read_buf(&mut answer).await.unwrap() > 0);
    }
    let rest = stream.read_to_end(&mut answer);
    let waited = tokio::time::timeout(Duration::from_millis(300), rest).await;
    assert!(waited.is_err(), "neither the rest nor an end");
    let answer = String::from_utf8(answer).unwrap();
    assert!(body_of(&answer).len() < told_length(&answer));
}

#[tokio::test]
async fn close_says_nothing_and_does_nothing() {
    let (broker, client) = broker().await;
    broker.on(Verb::Provision).nth(1).then(Fault::Close);
    assert_eq!(wire(&broker, &put()).await, "");
    assert_eq!(broker.instances(), []);
    broker.on(Verb::Catalog).then(Fault::Close);
    assert!(client.get("/v2/catalog").await.is_err());
}

#[tokio::test]
async fn reset_is_seen_as_a_reset() {
    let (broker, _) = broker().await;
    broker.on(Verb::Provision).then(Fault::Reset);
    let mut stream = TcpStream::connect(broker.address()).await.unwrap();
    stream.write_all(&put()).await.unwrap();
    let error = stream.read_u8().await.unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset);
}

#[tokio::test]
async fn lost_answer_leaves_the_deed_done() {
    let (broker, _) = broker().await;
    broker.on(Verb::Provision).nth(1).then(Fault::lose_answer());
    assert_eq!(wire(&broker, &put()).await, "");
    assert_eq!(broker.instances()[0].id, "i");
    let call = &broker.calls()[0];
    assert_eq!(
        (call.worked, call.answered, call.status),
        (true, false, None)
    );
    assert!(wire(&broker, &put()).await.starts_with("HTTP/1.1 200 "));
}

#[tokio::test]
async fn work_then_any_other_fault() {
    let (broker, _) = broker().await;
    let fault = Fault::work_then(Fault::status(500));
    broker.on(Verb::Provision).then(fault);
    assert!(wire(&broker, &put()).await.starts_with("HTTP/1.1 500 "));
    assert_eq!(broker.instances().len(), 1);
}

#[tokio::test]
async fn cut_ends_in_the_middle_of_the_body() {
    let (broker, client) = broker().await;
    broker.on(Verb::Provision).then(Fault::Cut);
    let answer = wire(&broker, &put()).await;
    assert!(answer.starts_with("HTTP/1.1 201 "));
    assert!(!body_of(&answer).is_empty());
    assert!(body_of(&answer).len() < told_length(&answer));
    assert_eq!(broker.instances().len(), 1);
    let call = &broker.calls()[0];
    assert_eq!((call.status, call.answered), (Some(201), false));
    assert!(client.put(I, &provision_body(SYNC_PLAN)).await.is_err());
}

#[tokio::test]
async fn any_status_any_header_any_body() {
    let (broker, _) = broker().await;
    for status in [100, 203, 299, 302, 404, 418, 500, 599, 999] {
        broker.on(Verb::Catalog).nth(1).then(Fault::Answer {
            status,
            headers: vec![("X-Odd".to_owned(), "yes".to_owned())],
            body: json!(["odd", status]),
        });
        let answer = wire(&broker, &bytes("GET", "/v2/catalog", None)).await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{answer}"
        );
        assert!(answer.contains("\r\nX-Odd: yes\r\n"));
        assert_eq!(body_of(&answer), json!(["odd", status]).to_string());
        broker.behave();
    }
}

#[tokio::test]
async fn malformed_and_not_json() {
    let (broker, client) = broker().await;
    make_instance(&client, "i", SYNC_PLAN).await;
    broker.on(Verb::FetchInstance).nth(1).then(Fault::Malformed);
    let answer = wire(&broker, &bytes("GET", I, None)).await;
    assert_eq!(body_of(&answer).len(), told_length(&answer));
    assert!(answer.contains("application/json"));
    assert!(body_of(&answer).starts_with("{\""));
    assert!(serde_json::from_str::<Value>(body_of(&answer)).is_err());

    broker.on(Verb::FetchInstance).then(Fault::NotJson);
    let answer = wire(&broker, &bytes("GET", I, None)).await;
    assert!(answer.starts_with("HTTP/1.1 200 "));
    assert!(answer.contains("text/html"));
    assert!(body_of(&answer).starts_with("<html>"));
}

#[tokio::test]
async fn gigantic_bodies_are_true_json_and_as_large_as_told() {
    let (broker, client) = broker().await;
    let size = 3 * 1024 * 1024 + 17;
    broker
        .on(Verb::Catalog)
        .nth(1)
        .then(Fault::Gigantic { bytes: Some(size) });
    let answer = client.get("/v2/catalog").await.unwrap();
    let body: Value = serde_json::from_slice(answer.body()).unwrap();
    assert_eq!(body["padding"].as_str().unwrap().len() as u64, size);
    assert_eq!(body["services"][0]["name"], "hostile");
}

#[tokio::test]
async fn endless_bodies_go_on_as_long_as_somebody_reads() {
    let (broker, _) = broker().await;
    broker
        .on(Verb::Catalog)
        .then(Fault::Gigantic { bytes: None });
    let mut stream = TcpStream::connect(broker.address()).await.unwrap();
    let request = bytes("GET", "/v2/catalog", None);
    stream.write_all(&request).await.unwrap();
    let mut buffer = vec![0; 1 << 20];
    for _ in 0..32 {
        stream.read_exact(&mut buffer).await.unwrap();
    }
    assert!(!broker.calls()[0].answered);
}

#[tokio::test]
async fn wrong_lengths() {
    let (broker, client) = broker().await;
    make_instance(&client, "i", SYNC_PLAN).await;
    for by in [-5, 100] {
        broker
            .on(Verb::FetchInstance)
            .then(Fault::WrongLength { by });
        let answer = wire(&broker, &bytes("GET", I, None)).await;
        let told = i64::try_from(told_length(&answer)).unwrap();
        let sent = i64::try_from(body_of(&answer).len()).unwrap();
        assert_eq!(told - sent, by);
        broker.behave();
    }
}

#[tokio::test]
async fn raw_bytes_as_they_are() {
    let (broker, _) = broker().await;
    let text = "HTP/9 hello\n\u{1}";
    broker.on_any().then(Fault::Raw {
        text: text.to_owned(),
    });
    assert_eq!(wire(&broker, &put()).await, text);
}

#[tokio::test]
async fn redirects_point_elsewhere() {
    let (broker, _) = broker().await;
    let fault = Fault::redirect(307, "http://127.0.0.1:1/elsewhere");
    broker.on(Verb::Provision).then(fault);
    let answer = wire(&broker, &put()).await;
    assert!(answer.starts_with("HTTP/1.1 307 "));
    assert!(answer.contains("\r\nLocation: http://127.0.0.1:1/elsewhere\r\n"));
}

#[tokio::test]
async fn reads_chunks_and_survives_garbage() {
    let (broker, _) = broker().await;
    assert!(
        wire(&broker, b"what?\r\n\r\n")
            .await
            .starts_with("HTTP/1.1 400 ")
    );
    assert_eq!(broker.calls(), []);
    let body = provision_body(SYNC_PLAN).to_string();
    let (first, second) = body.split_at(10);
    let head = String::from_utf8(bytes("PUT", I, None)).unwrap();
    let request = format!(
        "{}Transfer-Encoding: chunked\r\n\r\na\r\n{first}\r\n{:x}\r\n{second}\r\n0\r\n\r\n",
        head.replace("Content-Length: 0\r\n\r\n", ""),
        second.len()
    );
    let answer = wire(&broker, request.as_bytes()).await;
    assert!(answer.starts_with("HTTP/1.1 201 "), "{answer}");
    assert_eq!(broker.calls()[0].body, Some(provision_body(SYNC_PLAN)));
}
