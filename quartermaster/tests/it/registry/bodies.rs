//! Requests as bytes: bodies, content types, sizes, paths, correlation ids.

use crate::harness::answer::text;
use crate::harness::{Engine, Manager, Platform, Setup};
use http::Method;
use qm_testkit::http::raw;
use serde_json::json;
use std::time::Duration;

on_both_engines!(
    a_body_is_json_without_doubt,
    content_types_are_looked_at,
    large_requests_are_refused,
    paths_are_exact,
    errors_carry_the_correlation_id,
);

const PATH: &str = "/v1/platforms";

async fn a_body_is_json_without_doubt(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let json_type = [("content-type", "application/json")];
    for body in [
        "",
        " ",
        "{",
        "{\"name\":\"p\"",
        "nonsense",
        "{\"name\":\"p\",\"type\":\"t\"} trailing",
        "{\"name\":\"p\",\"type\":\"t\",}",
        "\u{feff}{\"name\":\"p\",\"type\":\"t\"}",
    ] {
        let answer = admin
            .send(Method::POST, PATH, &json_type, body.to_owned())
            .await;
        answer.refused(400, "BadRequest");
    }
    let invalid = b"{\"name\":\"\xff\",\"type\":\"t\"}".to_vec();
    admin
        .send(Method::POST, PATH, &json_type, invalid)
        .await
        .refused(400, "BadRequest");
    // A key twice, at any depth, is doubt.
    for (body, place) in [
        ("{\"name\":\"p\",\"name\":\"q\",\"type\":\"t\"}", "name"),
        (
            "{\"name\":\"p\",\"type\":\"t\",\"labels\":{\"a\":[\"1\"],\"a\":[\"2\"]}}",
            "labels.a",
        ),
        (
            "{\"name\":\"p\",\"type\":\"t\",\"x\":[{\"y\":1,\"y\":2}]}",
            "y",
        ),
    ] {
        let answer = admin.send(Method::POST, PATH, &json_type, body).await;
        let told = answer.refused(400, "BadRequest");
        assert!(told.contains("invalid json: duplicate key"), "{told}");
        assert!(told.contains(place), "{told}");
    }
    let page = admin.get(PATH).await.expect(200);
    assert_eq!(page["num_items"], 1, "nothing was made");
    // Deep nesting is an answer, not a crash. (Fields that nobody knows are passed over.)
    let deep = format!(
        "{{\"name\":\"p\",\"type\":\"t\",\"x\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    let answer = admin.send(Method::POST, PATH, &json_type, deep).await;
    assert!([201, 400].contains(&answer.status), "{answer:#?}");
    admin.get(PATH).await.expect(200);
}

async fn content_types_are_looked_at(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let body = |name: &str| json!({"name": name, "type": "t"}).to_string();
    for (name, headers) in [
        ("a", vec![]),
        (
            "b",
            vec![("content-type", "application/json; charset=utf-8")],
        ),
        ("c", vec![("content-type", "Application/JSON")]),
    ] {
        let answer = admin.send(Method::POST, PATH, &headers, body(name)).await;
        answer.expect(201);
    }
    for (kind, status) in [
        ("text/plain", 415),
        ("application/xml", 415),
        ("application/yaml", 415),
        ("application/x-www-form-urlencoded", 400),
    ] {
        let headers = [("content-type", kind)];
        let answer = admin.send(Method::POST, PATH, &headers, body("d")).await;
        assert_eq!(answer.status, status, "{kind}: {answer:#?}");
    }
    // smctl sends a content type with GET and DELETE too.
    let headers = [("content-type", "text/plain")];
    admin
        .send(Method::GET, PATH, &headers, "")
        .await
        .expect(200);
}

async fn large_requests_are_refused(engine: Engine) {
    let setup = Setup::new(engine).set("QM_SERVER_MAX_BODY_BYTES", "4096");
    let manager = setup.start().await;
    let admin = manager.admin();
    let body = json!({"name": "p", "type": "t", "description": "x".repeat(5000)});
    admin
        .post(PATH, &body)
        .await
        .refused(413, "PayloadTooLarge");
    // Also when the length is not told beforehand.
    let chunk = "x".repeat(5000);
    let request = format!(
        "POST {PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: {}\r\nContent-Type: application/json\r\n\
         Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n{:x}\r\n{chunk}\r\n0\r\n\r\n",
        admin.authorization().unwrap(),
        chunk.len(),
    );
    let address = manager.url()["http://".len()..].parse().unwrap();
    let answer = raw(address, request.as_bytes(), Duration::from_secs(20)).await;
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
    // A token of a large identity provider must pass.
    let headers = [("x-large", &*"h".repeat(8000))];
    admin
        .send(Method::GET, PATH, &headers, "")
        .await
        .expect(200);
}

async fn paths_are_exact(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    admin.get("/v1/nothing").await.expect(404);
    admin.get("/").await.expect(404);
    let wrong = admin.put(PATH, &json!({})).await;
    assert_eq!(wrong.status, 405, "{wrong:#?}");
    let allow = wrong.header("allow").unwrap_or_default().to_owned();
    for method in ["GET", "POST", "DELETE"] {
        assert!(allow.contains(method), "{allow}");
    }
    // A slash at the end leads to the same place.
    let slash = admin.get("/v1/platforms/").await;
    match slash.status {
        301 | 308 => assert_eq!(slash.header("location"), Some(PATH)),
        200 => {}
        _ => panic!("{slash:#?}"),
    }
    // An id is one segment, whatever it holds.
    let answer = admin.get("/v1/platforms/a%2Fb").await;
    answer.refused(404, "NotFound");
}

async fn errors_carry_the_correlation_id(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    for name in [
        "X-CorrelationID",
        "X-Correlation-ID",
        "X-ForRequest-ID",
        "X-Request-ID",
        "X-Vcap-Request-Id",
        "X-Broker-API-Request-Identity",
    ] {
        let headers = [(name, "find-me")];
        let answer = admin
            .send(Method::GET, "/v1/platforms/nobody", &headers, "")
            .await;
        assert_eq!(
            answer.body["correlation_id"], "find-me",
            "{name}: {answer:#?}"
        );
    }
    // `-` is what the proxies send for none; the first that says something counts.
    let headers = [("X-CorrelationID", "-"), ("X-Request-ID", "second")];
    let answer = admin
        .send(Method::GET, "/v1/platforms/nobody", &headers, "")
        .await;
    assert_eq!(answer.body["correlation_id"], "second");
    let answer = admin.get("/v1/platforms/nobody").await;
    assert!(
        text(&answer.body, "correlation_id").len() >= 32,
        "{answer:#?}"
    );
    // A line break in it cannot make a line of the log.
    Platform::register(&manager, "cf", "cloudfoundry").await;
}
