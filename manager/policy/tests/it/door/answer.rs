//! How a broker's answers go back.

use bytes::Bytes;
use http::{Response, header};
use qm_policy::door::answer;
use serde_json::{Value, json};

fn mapped(status: u16, body: &str) -> Response<Bytes> {
    let body = Bytes::copy_from_slice(body.as_bytes());
    let response = Response::builder().status(status).body(body).unwrap();
    answer("db", response)
}

/// What the platform reads; the status must be the broker's.
fn read(status: u16, body: &str) -> Value {
    let response = mapped(status, body);
    assert_eq!(response.status().as_u16(), status);
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
    serde_json::from_slice(response.body()).unwrap()
}

#[test]
fn a_success_goes_back_byte_by_byte() {
    for body in [r#"{ "b" : 1, "a":2.50 }"#, "{}", " {}\n", "[]", "null"] {
        for status in [200, 201, 202] {
            let response = mapped(status, body);
            assert_eq!(response.body(), body.as_bytes());
            assert_eq!(response.status().as_u16(), status);
        }
    }
}

#[test]
fn a_failure_is_named_and_keeps_its_other_fields() {
    let words = |text: &str| format!("Service broker db failed with: {text}");
    let cases = [
        (
            r#"{"error":"ConcurrencyError","description":"busy"}"#,
            json!({"error": "ConcurrencyError", "description": words("busy")}),
        ),
        (
            r#"{"description":"no","instance_usable":false,"update_repeatable":false}"#,
            json!({"description": words("no"), "instance_usable": false, "update_repeatable": false}),
        ),
        (
            r#"{"error":"AsyncRequired"}"#,
            json!({"error": "AsyncRequired", "description": words(r#"{"error":"AsyncRequired"}"#)}),
        ),
        ("{}", json!({"description": words("{}")})),
        (
            r#"{"description":5}"#,
            json!({"description": words(r#"{"description":5}"#)}),
        ),
        (
            r#"{"description":""}"#,
            json!({"description": words(r#"{"description":""}"#)}),
        ),
        ("[1, 2]", json!({"description": words("[1, 2]")})),
        (r#""oops""#, json!({"description": words(r#""oops""#)})),
    ];
    for (body, wanted) in cases {
        for status in [400, 409, 410, 422, 500, 503] {
            assert_eq!(read(status, body), wanted, "{body}");
        }
    }
}

#[test]
fn what_is_no_json_is_described() {
    let words = |text: &str| json!({"description": format!("Service broker db responded with invalid JSON: {text}")});
    for status in [200, 201, 302, 404, 500] {
        assert_eq!(read(status, ""), words("the body is empty"));
        assert_eq!(read(status, " \n"), words("the body is empty"));
    }
    let html = "<h1>Bad Gateway</h1>";
    assert_eq!(read(502, html), words(html));
    assert_eq!(read(200, html), words("expected value at line 1 column 1"));
    assert_eq!(read(503, "{} {}"), words("{} {}"));
}

#[test]
fn broken_credentials_are_not_repeated() {
    for body in [r#"{"credentials":{"password":"hunter2"#, "hunter2"] {
        for status in [200, 201, 202] {
            let found = read(status, body).to_string();
            assert!(!found.contains("hunter2"), "{found}");
        }
    }
    let bytes = Bytes::from_static(b"{\"password\":\"hunter2\xff\"}");
    let response = answer("db", Response::new(bytes));
    let text = String::from_utf8(response.body().to_vec()).unwrap();
    assert!(text.contains("not UTF-8") && !text.contains("hunter2"));
}

#[test]
fn long_nonsense_is_cut() {
    let found = read(500, &"ä".repeat(100_000));
    let text = found["description"].as_str().unwrap();
    assert!(text.ends_with("ä..."));
    assert!(text.chars().count() < 1_100, "{}", text.len());
}

#[test]
fn an_answer_without_a_body_stays_without() {
    for status in [204, 304] {
        assert!(mapped(status, "").body().is_empty());
        assert!(mapped(status, "{}").body().is_empty());
    }
}

#[test]
fn headers_of_the_connection_and_of_the_origin_stay_behind() {
    let response = Response::builder()
        .header("Connection", "close, X-Hop")
        .header("X-Hop", "1")
        .header("Keep-Alive", "5")
        .header("Transfer-Encoding", "chunked")
        .header("Content-Length", "2")
        .header("Set-Cookie", "a=b")
        .header("Strict-Transport-Security", "max-age=1")
        .header("Retry-After", "7")
        .header("ETag", "\"e\"")
        .header("Content-Type", "application/json; charset=utf-8")
        .header("X-Broker-API-Request-Identity", "r")
        .body(Bytes::from_static(b"{}"))
        .unwrap();
    let response = answer("db", response);
    let mut names: Vec<_> = response
        .headers()
        .keys()
        .map(http::HeaderName::as_str)
        .collect();
    names.sort_unstable();
    let kept = [
        "content-type",
        "etag",
        "retry-after",
        "x-broker-api-request-identity",
    ];
    assert_eq!(names, kept);
    let kept = &response.headers()[header::CONTENT_TYPE];
    assert_eq!(kept, "application/json; charset=utf-8");
}

#[test]
fn headers_of_the_brokers_own_bytes_go_with_them() {
    let response = Response::builder()
        .status(500)
        .header("ETag", "\"e\"")
        .header("Content-Type", "text/html")
        .header("Retry-After", "7")
        .body(Bytes::from_static(b"{}"))
        .unwrap();
    let response = answer("db", response);
    assert!(!response.headers().contains_key(header::ETAG));
    assert_eq!(response.headers()[header::CONTENT_TYPE], "application/json");
    assert_eq!(response.headers()[header::RETRY_AFTER], "7");
}
