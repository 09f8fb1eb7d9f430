//! Calls exactly as they stand on the wire, and the headers around them.

use http::{HeaderMap, HeaderValue};
use quartermaster_osb::{ApiVersion, Call, Envelope, Hints, OriginatingIdentity, Poll, header};
use serde_json::json;

fn envelope() -> Envelope {
    let mut headers = HeaderMap::new();
    headers.insert(header::CORRELATION_ID, HeaderValue::from_static("c-1"));
    Envelope {
        api_version: ApiVersion::V2_16,
        originating_identity: Some(OriginatingIdentity {
            platform: "cloudfoundry".to_owned(),
            value: json!({"user_id": "u"}).as_object().unwrap().clone(),
        }),
        request_identity: Some("r-1".to_owned()),
        headers,
    }
}

fn hints() -> Hints {
    Hints {
        service_id: Some("s".to_owned()),
        plan_id: Some("p".to_owned()),
    }
}

#[test]
fn every_call_has_its_line() {
    let (i, b) = (|| "i".parse().unwrap(), || "b/1".parse().unwrap());
    let poll = || Poll {
        hints: hints(),
        operation: Some("op 1".to_owned()),
    };
    let from = |json: serde_json::Value| serde_json::to_vec(&json).unwrap();
    let provision =
        json!({"organization_guid": "o", "plan_id": "p", "service_id": "s", "space_guid": "sp"});
    let update = json!({"service_id": "s"});
    let bind = json!({"plan_id": "p", "service_id": "s"});
    let rotate = json!({"predecessor_binding_id": "b0"});
    let cases: Vec<(Call, &str, Vec<u8>)> = vec![
        (
            Call::Catalog {
                if_none_match: None,
            },
            "GET /v2/catalog",
            vec![],
        ),
        (
            Call::Provision {
                instance: i(),
                accepts_incomplete: true,
                body: serde_json::from_value(provision.clone()).unwrap(),
            },
            "PUT /v2/service_instances/i?accepts_incomplete=true",
            from(provision),
        ),
        (
            Call::FetchInstance {
                instance: i(),
                hints: hints(),
            },
            "GET /v2/service_instances/i?service_id=s&plan_id=p",
            vec![],
        ),
        (
            Call::Update {
                instance: i(),
                accepts_incomplete: false,
                body: serde_json::from_value(update.clone()).unwrap(),
            },
            "PATCH /v2/service_instances/i",
            from(update),
        ),
        (
            Call::Deprovision {
                instance: i(),
                accepts_incomplete: true,
                hints: hints(),
            },
            "DELETE /v2/service_instances/i?service_id=s&plan_id=p&accepts_incomplete=true",
            vec![],
        ),
        (
            Call::PollInstance {
                instance: i(),
                poll: poll(),
            },
            "GET /v2/service_instances/i/last_operation?service_id=s&plan_id=p&operation=op%201",
            vec![],
        ),
        (
            Call::Bind {
                instance: i(),
                binding: b(),
                accepts_incomplete: true,
                body: serde_json::from_value(bind.clone()).unwrap(),
            },
            "PUT /v2/service_instances/i/service_bindings/b%2F1?accepts_incomplete=true",
            from(bind),
        ),
        (
            Call::Rotate {
                instance: i(),
                binding: b(),
                accepts_incomplete: false,
                body: serde_json::from_value(rotate.clone()).unwrap(),
            },
            "PUT /v2/service_instances/i/service_bindings/b%2F1",
            from(rotate),
        ),
        (
            Call::FetchBinding {
                instance: i(),
                binding: b(),
                hints: Hints::default(),
            },
            "GET /v2/service_instances/i/service_bindings/b%2F1",
            vec![],
        ),
        (
            Call::Unbind {
                instance: i(),
                binding: b(),
                accepts_incomplete: false,
                hints: hints(),
            },
            "DELETE /v2/service_instances/i/service_bindings/b%2F1?service_id=s&plan_id=p",
            vec![],
        ),
        (
            Call::PollBinding {
                instance: i(),
                binding: b(),
                poll: Poll::default(),
            },
            "GET /v2/service_instances/i/service_bindings/b%2F1/last_operation",
            vec![],
        ),
    ];
    for (call, line, body) in cases {
        let request = call.request("https://h:8443/osb/", &envelope()).unwrap();
        let (method, target) = line.split_once(' ').unwrap();
        assert_eq!(request.method(), method, "{line}");
        assert_eq!(
            request.uri().to_string(),
            format!("https://h:8443/osb{target}"),
            "{line}"
        );
        let sorted = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes).ok();
        assert_eq!(sorted(request.body()), sorted(&body), "{line}");
        let typed = request.headers().get("content-type").is_some();
        assert_eq!(typed, !body.is_empty(), "{line}");
    }
}

#[test]
fn the_envelope_becomes_headers_and_is_read_again() {
    let call = Call::Catalog {
        if_none_match: Some("\"v1\"".to_owned()),
    };
    let request = call.request("http://h", &envelope()).unwrap();
    let headers = request.headers();
    for (name, wanted) in [
        ("X-Broker-API-Version", "2.16"),
        (
            "X-Broker-API-Originating-Identity",
            "cloudfoundry eyJ1c2VyX2lkIjoidSJ9",
        ),
        ("X-Broker-API-Request-Identity", "r-1"),
        ("X-Correlation-ID", "c-1"),
        ("If-None-Match", "\"v1\""),
        ("Accept", "application/json"),
    ] {
        assert_eq!(headers[name], wanted);
    }
    assert_eq!(header::api_version(headers), Ok(Some(ApiVersion::V2_16)));
    let identity = header::originating_identity(headers).unwrap();
    assert_eq!(identity, envelope().originating_identity);
    assert_eq!(header::request_identity(headers).unwrap(), "r-1");
}

#[test]
fn missing_and_broken_headers_differ() {
    let mut headers = HeaderMap::new();
    assert_eq!(header::api_version(&headers), Ok(None));
    assert_eq!(header::originating_identity(&headers), Ok(None));
    assert_eq!(header::request_identity(&headers), None);
    headers.insert(header::API_VERSION, HeaderValue::from_static("latest"));
    headers.insert(
        header::ORIGINATING_IDENTITY,
        HeaderValue::from_bytes(b"\xff").unwrap(),
    );
    headers.insert(header::REQUEST_IDENTITY, HeaderValue::from_static(""));
    assert!(header::api_version(&headers).is_err());
    assert!(header::originating_identity(&headers).is_err());
    assert_eq!(header::request_identity(&headers), None);
}
