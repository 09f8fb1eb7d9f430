//! How much one caller may ask.

use crate::harness::{Client, Engine, Manager, Platform, Setup};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

on_both_engines!(
    a_caller_is_slowed_down_and_others_are_not,
    rules_are_for_paths_and_methods,
    parameters_can_be_switched_off,
    wrong_proofs_are_slowed_down_and_right_ones_are_not,
    half_sent_bodies_leave_room_for_others,
);

async fn a_caller_is_slowed_down_and_others_are_not(engine: Engine) {
    let setup = Setup::new(engine)
        .set("QM_RATE_LIMIT_ENABLED", "true")
        .set("QM_RATE_LIMIT_RULES", "5-H:/v1/visibilities");
    let manager = setup.start().await;
    let first = Platform::register(&manager, "a", "t").await;
    let second = Platform::register(&manager, "b", "t").await;
    for _ in 0..5 {
        first.client().get("/v1/visibilities").await.expect(200);
    }
    let refused = first.client().get("/v1/visibilities").await;
    let after = refused.header("retry-after").unwrap().to_owned();
    refused.refused(429, "BadRequest");
    // `Retry-After` is an HTTP date: the BTP operator panics on a number.
    assert!(after.len() >= 19 && after.ends_with(" GMT"), "{after}");
    second.client().get("/v1/visibilities").await.expect(200);
    first.client().get("/v1/platforms").await.expect(200);
}

async fn rules_are_for_paths_and_methods(engine: Engine) {
    let setup = Setup::new(engine)
        .set("QM_RATE_LIMIT_ENABLED", "true")
        .set("QM_RATE_LIMIT_RULES", "2-H:/v1/platforms:POST")
        .set("QM_RATE_LIMIT_EXCLUDE_PATHS", "/v1/info");
    let manager = setup.start().await;
    let admin = manager.admin();
    for name in ["a", "b"] {
        Platform::register(&manager, name, "t").await;
    }
    let third = json!({"name": "c", "type": "t"});
    admin
        .post("/v1/platforms", &third)
        .await
        .refused(429, "BadRequest");
    for _ in 0..5 {
        admin.get("/v1/platforms").await.expect(200);
    }
}

async fn parameters_can_be_switched_off(engine: Engine) {
    let setup = Setup::new(engine).set("QM_API_DISABLED_QUERY_PARAMETERS", "environment");
    let manager = setup.start().await;
    let admin = manager.admin();
    for path in ["/v1/service_offerings", "/v1/service_plans"] {
        let answer = admin.get(&format!("{path}?environment=cf")).await;
        answer.refused(501, "NotImplemented");
        admin.get(path).await.expect(200);
    }
    admin.get("/v1/platforms?environment=cf").await.expect(200);
}

async fn wrong_proofs_are_slowed_down_and_right_ones_are_not(engine: Engine) {
    let manager = Manager::start(engine).await;
    let platform = Platform::register(&manager, "a", "t").await;
    let wrong = [
        Client::basic(&manager.url(), "nobody", "wrong"),
        Client::bearer(&manager.url(), "wrong"),
    ];
    // As many as it takes; at first each is told that it is wrong.
    let mut told = 0;
    let refused = 'slowed: loop {
        for client in &wrong {
            let answer = client.get("/v1/visibilities").await;
            if answer.status != 401 {
                break 'slowed answer;
            }
            told += 1;
            assert!(told < 10_000, "nobody is slowed down");
        }
    };
    assert!(told >= 10, "{told}");
    let after = refused.header("retry-after").unwrap().to_owned();
    refused.refused(429, "BadRequest");
    assert!(after.len() >= 19 && after.ends_with(" GMT"), "{after}");
    // They come from the same address.
    manager.admin().get("/v1/visibilities").await.expect(200);
    platform.client().get("/v1/visibilities").await.expect(200);
    // Who brings no proof has brought no wrong one.
    let nobody = manager.anybody().get("/v1/visibilities").await;
    nobody.refused(401, "Unauthorized");
}

async fn half_sent_bodies_leave_room_for_others(engine: Engine) {
    let setup = Setup::new(engine).set("QM_SERVER_MAX_IN_FLIGHT", "8");
    let manager = setup.start().await;
    let address = manager.url().replace("http://", "");
    let mut half_sent = JoinSet::new();
    for _ in 0..8 {
        let mut stream = TcpStream::connect(&address).await.unwrap();
        let half = "POST /oauth/token HTTP/1.1\r\nHost: manager\r\nContent-Length: 1000\r\n\
                    Content-Type: application/x-www-form-urlencoded\r\n\r\ngrant_type=";
        stream.write_all(half.as_bytes()).await.unwrap();
        half_sent.spawn(async move {
            let mut status = [0; 12];
            stream.read_exact(&mut status).await.unwrap();
            String::from_utf8_lossy(&status).into_owned()
        });
    }
    // A quarter of the places is what one address gets for that; the others hear so, and nobody else is kept out.
    for _ in 0..6 {
        let status = half_sent.join_next().await.unwrap().unwrap();
        assert_eq!(status, "HTTP/1.1 503");
    }
    manager.admin().get("/v1/visibilities").await.expect(200);
    // And those that were waited for are not waited for for long.
    for _ in 0..2 {
        let status = half_sent.join_next().await.unwrap().unwrap();
        assert_eq!(status, "HTTP/1.1 408");
    }
}
