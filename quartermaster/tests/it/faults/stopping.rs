//! SIGTERM under load: whatever was accepted is answered, what comes later is refused, and nothing is half answered.

use crate::harness::brokers::{broker, registration};
use crate::harness::{Client, Engine, Manager, answer::id};
use http::Method;
use qm_testkit::hostile::Fault;
use qm_testkit::http::Error;
use quartermaster_osb::Verb;
use serde_json::json;
use std::time::Duration;

on_both_engines!(sigterm_drops_no_accepted_request);

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
