//! A platform that stops reading: it is cut, and nobody else waits for it.

use super::catalogs;
use crate::harness::brokers::{broker, register};
use crate::harness::{Engine, Platform, Setup, answer::id, eventually};
use crate::model_platform::ModelPlatform;
use serde_json::{Value, json};
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};

on_both_engines!(who_does_not_read_is_cut_and_nobody_waits);

/// Messages are large, so that no socket takes many of them.
const CHANGES: usize = 60;
const FILLER: usize = 200_000;

async fn who_does_not_read_is_cut_and_nobody_waits(engine: Engine) {
    let manager = Setup::new(engine)
        .set("QM_NOTIFICATIONS_QUEUE", "20")
        .set("QM_NOTIFICATIONS_PING_TIMEOUT", "5s")
        .start()
        .await;
    let admin = manager.admin();
    let reader = Platform::register(&manager, "reader", "cloudfoundry").await;
    let stalled = Platform::register(&manager, "stalled", "cloudfoundry").await;
    let model = ModelPlatform::start(reader);
    model.connected().await;
    let host = broker().await;
    host.set_catalog(crate::harness::brokers::read(&large()));
    let registered = register(&admin, "large", &host).await;
    let path = format!("/v1/service_brokers/{}", id(&registered));
    model.agrees("at first").await;
    let before = model.applied();

    let mut stuck = open(&stalled).await;
    eventually("the stalled one counts as connected", async || {
        let criterion = format!("active eq true and id eq '{}'", stalled.id);
        let path = crate::harness::query("/v1/platforms", &[("fieldQuery", &criterion)]);
        (admin.get(&path).await.expect(200)["num_items"] == 1).then_some(())
    })
    .await;
    for n in 0..CHANGES {
        // Each is answered, whoever reads or not, and the reader has it before the next one is made.
        let body = json!({"description": format!("change {n}")});
        admin.patch(&path, &body).await.expect(200);
        eventually("the reader has this change", async || {
            (model.applied() > before + n).then_some(())
        })
        .await;
    }
    model.agrees("while the other one is stuck").await;
    assert_eq!(model.resyncs(), 1);

    // It was cut: what is left in its socket comes to an end before all changes have been read.
    let mut bytes = 0;
    let mut buffer = vec![0; 1 << 16];
    let end = tokio::time::timeout(Duration::from_secs(180), async {
        while let Ok(read @ 1..) = stuck.read(&mut buffer).await {
            bytes += read;
        }
    });
    end.await.expect("the stalled platform was not cut");
    assert!(
        bytes < CHANGES * FILLER,
        "{bytes} bytes: it was told everything"
    );

    // It comes back as a proxy does, and catches up.
    let model = ModelPlatform::start(stalled);
    model.agrees("after it came back").await;
}

fn large() -> Value {
    let mut catalog = catalogs::steady("large", 2);
    catalog["services"][0]["plans"][0]["metadata"] = json!({"filler": "x".repeat(FILLER)});
    catalog
}

/// A stream with a small buffer that is opened and then left alone.
async fn open(platform: &Platform) -> TcpStream {
    let address = platform
        .url
        .strip_prefix("http://")
        .unwrap()
        .parse()
        .unwrap();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    let client = platform.client();
    let head = format!(
        "GET /v1/notifications HTTP/1.1\r\nhost: manager\r\nauthorization: {}\r\nupgrade: websocket\r\n\
         connection: Upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        client.authorization().unwrap()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    while !answer.ends_with(b"\r\n\r\n") {
        answer.push(stream.read_u8().await.unwrap());
    }
    assert!(
        answer.starts_with(b"HTTP/1.1 101"),
        "{}",
        String::from_utf8_lossy(&answer)
    );
    stream
}
