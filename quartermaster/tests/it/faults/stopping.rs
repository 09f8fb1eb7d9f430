//! SIGTERM under load: whatever was accepted is answered, what comes later is refused, and nothing is half answered.

use crate::harness::brokers::{broker, registration};
use crate::harness::{Client, Engine, Manager, answer::id};
use http::Method;
use qm_testkit::hostile::Fault;
use qm_testkit::http::Error;
use quartermaster_osb::Verb;
use serde_json::json;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

on_both_engines!(
    sigterm_drops_no_accepted_request,
    what_was_sent_before_sigterm_is_answered,
);

/// Requests that are certainly under way when the signal comes.
const LASTING: usize = 8;
const WRITERS: usize = 6;
const ROUNDS: usize = 3;

async fn sigterm_drops_no_accepted_request(engine: Engine) {
    let mut manager = Manager::start(engine).await;
    let admin = manager.admin();
    let host = broker().await;
    for round in 0..ROUNDS {
        // Registrations that last half a second each, because the broker is slow to tell its catalog.
        host.reset();
        host.on(Verb::Catalog).always().then(Fault::slow(500));
        let lasting: Vec<_> = (0..LASTING)
            .map(|n| {
                let body = registration(&format!("lasting-{round}-{n}"), &host);
                let admin = admin.clone();
                tokio::spawn(async move { admin.post("/v1/service_brokers", &body).await })
            })
            .collect();
        let writers: Vec<_> = (0..WRITERS)
            .map(|n| tokio::spawn(write(manager.admin(), format!("{round}-{n}"))))
            .collect();
        host.wait_for(Verb::Catalog, LASTING).await.unwrap();
        tokio::time::sleep(Duration::from_millis(50)).await;

        let status = manager.stop().await;
        assert!(status.success(), "{status}\n{}", manager.output());
        let mut made = Vec::new();
        for request in lasting {
            made.push(id(&request.await.unwrap().expect(201)));
        }
        let mut written = Vec::new();
        for writer in writers {
            written.extend(writer.await.unwrap());
        }
        assert!(written.len() >= WRITERS, "the load was none");

        manager.restart().await;
        for broker in made {
            let path = format!("/v1/service_brokers/{broker}");
            assert_eq!(admin.get(&path).await.expect(200)["ready"], true);
        }
        for (name, answered) in written {
            let path = format!("/v1/platforms/{name}");
            let found = admin.get(&path).await.status;
            match answered {
                true => assert_eq!(found, 200, "{name} was answered"),
                // Refused at the door: not a trace of it may be there.
                false => assert_eq!(found, 404, "{name} was refused, and is there"),
            }
        }
    }
}

/// Registers platforms one after the other until the manager is gone: their names, and whether that was answered.
async fn write(admin: Client, prefix: String) -> Vec<(String, bool)> {
    let mut written = Vec::new();
    for n in 0.. {
        let name = format!("writer-{prefix}-{n}");
        let body = json!({"id": name, "name": name, "type": "cloudfoundry"});
        let headers = [("content-type", "application/json")];
        let made = admin
            .try_send(Method::POST, "/v1/platforms", &headers, body.to_string())
            .await;
        match made {
            Ok(answer) if answer.status == 201 => written.push((name, true)),
            // Said in time, and clearly.
            Ok(answer) => {
                assert_eq!(answer.status, 503, "{answer:?}");
                written.push((name, false));
                return written;
            }
            Err(Error::Send(_)) => {
                written.push((name, false));
                return written;
            }
            Err(half) => panic!("{name} was half answered: {half}"),
        }
    }
    written
}

/// Requests that lie in the sockets when the signal comes: on new connections that nobody may have accepted yet, and
/// on connections that have had an answer before.
async fn what_was_sent_before_sigterm_is_answered(engine: Engine) {
    let mut manager = Manager::start(engine).await;
    let address = manager.url().replace("http://", "");
    let request = format!(
        "GET /v1/platforms HTTP/1.1\r\nhost: manager\r\nauthorization: Bearer {}\r\n\r\n",
        manager.token()
    );
    for _ in 0..ROUNDS {
        let mut sockets = Vec::new();
        for n in 0..20 {
            let mut socket = TcpStream::connect(&address).await.unwrap();
            if n % 2 == 0 {
                socket.write_all(request.as_bytes()).await.unwrap();
                answer(&mut socket).await;
            }
            sockets.push(socket);
        }
        for socket in &mut sockets {
            socket.write_all(request.as_bytes()).await.unwrap();
        }
        manager.process().signal("TERM").unwrap();
        for socket in &mut sockets {
            let (head, body) = answer(socket).await;
            assert!(head.starts_with("HTTP/1.1 200"), "{head}");
            let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert!(body["num_items"].is_number(), "{body}");
            // And then it is closed in good order.
            assert_eq!(socket.read(&mut [0; 1]).await.unwrap(), 0);
        }
        assert!(manager.process().wait().await.unwrap().success());
        assert!(
            TcpStream::connect(&address).await.is_err(),
            "later ones are refused"
        );
        manager.restart().await;
    }
}

/// One whole answer: its head and its body.
async fn answer(socket: &mut TcpStream) -> (String, Vec<u8>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let byte = socket.read_u8().await;
        head.push(byte.expect("a request that was sent in time is not answered"));
    }
    let head = String::from_utf8(head).unwrap();
    let lower = head.to_lowercase();
    let length = lower.split("content-length: ").nth(1).unwrap();
    let length = length.split("\r\n").next().unwrap().parse().unwrap();
    let mut body = vec![0; length];
    let read = socket.read_exact(&mut body).await;
    read.expect("half an answer");
    (head, body)
}
