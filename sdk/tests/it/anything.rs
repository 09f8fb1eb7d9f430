//! Any request, made from any bytes, and the rule that every answer keeps. Shared with the fuzz target.
//!
//! Free bytes hardly ever make a request that gets far, so most parts are chosen from what matters and
//! then damaged. The rule: bad input is never answered with 5xx, always with JSON that says what is wrong,
//! and never with a value that was sent as a parameter.

use bytes::Bytes;
use http::{Method, Request, Response};
use quartermaster_sdk::prelude::*;
use serde::Deserialize;
use serde_json::{Value, json};

/// Stands in parameters and must stand in no answer but a fetch.
const CANARY: &str = "CANARY-7f3a";

const CATALOG: &str = r#"
services:
- id: s
  name: anything
  description: Takes anything
  bindable: true
  plan_updateable: true
  instances_retrievable: true
  bindings_retrievable: true
  plans:
  - id: p
    name: plan
    description: With a schema
    binding_rotatable: true
    maintenance_info: { version: 1.0.0 }
    schemas: { service_instance: { create: { parameters: { $schema: "http://json-schema.org/draft-07/schema#",
      type: object, properties: { name: { type: string, pattern: "^[a-zA-Z0-9-]*$" }, size: { type: integer } } } } } }
  - { id: q, name: other, description: With a type only, bindable: false }
"#;

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Wanted {
    #[serde(rename = "name")]
    _name: Option<String>,
    #[serde(rename = "size")]
    _size: Option<u8>,
    #[serde(rename = "kind")]
    _kind: Option<Kind>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Red,
    Green,
}

/// A broker that does everything at once.
pub(crate) struct Docile;

impl Broker for Docile {
    type Parameters = Wanted;
    type Changes = Wanted;
    type BindParameters = Wanted;

    fn catalog(&self) -> Result<Catalog, CatalogError> {
        from_yaml(CATALOG)
    }
    async fn provision(self: Arc<Self>, _: Provision<Wanted>) -> Reply<Provisioned> {
        Ok(now(Provisioned::default()))
    }
    async fn update(self: Arc<Self>, _: Update<Wanted>) -> Reply<Updated> {
        Ok(now(Updated::default()))
    }
    async fn deprovision(self: Arc<Self>, _: Deprovision) -> Reply<()> {
        Ok(now(()))
    }
    async fn bind(self: Arc<Self>, _: Bind<Wanted>) -> Reply<Binding> {
        Ok(now(Binding::with_credentials(json!({ "key": "value" }))))
    }
    async fn unbind(self: Arc<Self>, _: Unbind) -> Reply<()> {
        Ok(now(()))
    }
}

/// Bytes that decide.
pub(crate) struct Feed<'a>(pub(crate) &'a [u8]);

impl<'a> Feed<'a> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn byte(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    /// True once in so many times.
    fn once_in(&mut self, times: u8) -> bool {
        self.byte().is_multiple_of(times)
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[usize::from(self.byte()) % from.len()].clone()
    }

    fn bytes(&mut self, most: u8) -> &'a [u8] {
        let length = usize::from(self.byte() % most).min(self.0.len());
        let (taken, rest) = self.0.split_at(length);
        self.0 = rest;
        taken
    }
}

/// The next request; `None` when the bytes make none that http could carry.
pub(crate) fn request(feed: &mut Feed<'_>) -> Option<Request<Bytes>> {
    let path = path(feed);
    let mut method = match feed.once_in(10) {
        true => feed.pick(&["POST", "HEAD", "OPTIONS", "PROPFIND", "TRACE"]),
        false => feed.pick(&["PUT", "PUT", "PATCH", "DELETE", "GET"]),
    };
    if path.ends_with("last_operation") && !feed.once_in(10) {
        method = "GET";
    }
    let query = query(feed);
    let mut request = Request::builder()
        .method(Method::from_bytes(method.as_bytes()).ok()?)
        .uri(format!("{path}{query}"));
    for (name, value) in headers(feed) {
        request = request.header(name, value);
    }
    let body = body(feed, path.contains("service_bindings"));
    request.body(Bytes::from(body)).ok()
}

fn id(feed: &mut Feed<'_>, usual: &'static str) -> String {
    match feed.byte() % 12 {
        0 => {
            let free = feed.bytes(12);
            free.iter().map(|byte| format!("%{byte:02x}")).collect()
        }
        1 | 2 => feed
            .pick(&[
                "a%2Fb", "%00", "%ff", "%zz", "..", "", "%20", "i;x=1", "b", "c",
            ])
            .to_owned(),
        _ => usual.to_owned(),
    }
}

fn path(feed: &mut Feed<'_>) -> String {
    let instance = format!("/v2/service_instances/{}", id(feed, "i"));
    let binding = format!("{instance}/service_bindings/{}", id(feed, "b"));
    match feed.byte() % 16 {
        0..=6 => instance,
        7 => format!("{instance}/last_operation"),
        8..=11 => binding,
        12 => format!("{binding}/last_operation"),
        13 => "/v2/catalog".to_owned(),
        14 => feed
            .pick(&[
                "/",
                "/v2",
                "/v2/",
                "//v2/catalog",
                "/v2/catalog/",
                "/v2/service_instances",
                "*",
            ])
            .to_owned(),
        _ => {
            let free = String::from_utf8_lossy(feed.bytes(24)).replace([' ', '?', '#'], "");
            format!("/v2/{free}")
        }
    }
}

fn query(feed: &mut Feed<'_>) -> String {
    let mut pairs = Vec::new();
    if !feed.once_in(5) {
        pairs.push("service_id=s&plan_id=p".to_owned());
    }
    for _ in 0..feed.byte() % 3 {
        let key = feed.pick(&[
            "accepts_incomplete",
            "service_id",
            "plan_id",
            "operation",
            "x",
            "",
        ]);
        let value = feed.pick(&[
            "true", "false", "s", "p", "q", "", "%", "%ff", "%00", "1", "a%20b",
        ]);
        pairs.push(if feed.once_in(9) {
            key.to_owned()
        } else {
            format!("{key}={value}")
        });
    }
    if pairs.is_empty() {
        String::new()
    } else {
        format!("?{}", pairs.join("&"))
    }
}

fn headers(feed: &mut Feed<'_>) -> Vec<(&'static str, Vec<u8>)> {
    let mut headers = Vec::new();
    let version = feed.pick(&[
        "2.17", "2.17", "2.17", "2.17", "2.11", "2.99", "2.10", "3.0", "x", "",
    ]);
    if !feed.once_in(20) {
        headers.push(("X-Broker-API-Version", version.as_bytes().to_vec()));
    }
    if feed.once_in(8) {
        let kind = feed.pick(&[
            "application/json",
            "text/plain",
            "application/json; charset=latin1",
            "",
        ]);
        headers.push(("Content-Type", kind.as_bytes().to_vec()));
    }
    if feed.once_in(8) {
        let identity = feed.pick(&[
            "cloudfoundry eyJ1c2VyX2lkIjoiNjgzZWE3NDgifQ==",
            "kubernetes e30=",
            "kubernetes W10=",
            "cloudfoundry !!!",
            "cloudfoundry",
            "",
            "a b c",
        ]);
        headers.push((
            "X-Broker-API-Originating-Identity",
            identity.as_bytes().to_vec(),
        ));
    }
    if feed.once_in(4) {
        let name = feed.pick(&[
            "X-Broker-API-Request-Identity",
            "If-None-Match",
            "X-Request-Id",
            "Traceparent",
        ]);
        let free = feed
            .bytes(40)
            .iter()
            .map(|byte| byte | 0x20)
            .filter(|byte| *byte != 0x7f)
            .collect();
        headers.push((name, free));
    }
    headers
}

fn value(feed: &mut Feed<'_>) -> Value {
    feed.pick(&[
        json!(null),
        json!(true),
        json!(-1),
        json!(1e300),
        json!(18_446_744_073_709_551_615_u64),
        json!(""),
        json!("\u{0}\u{1f}"),
        json!(CANARY),
        json!([]),
        json!({}),
        json!([CANARY, { "a": CANARY }]),
        json!({ "name": CANARY, "size": CANARY, "kind": CANARY }),
        json!({ "name": CANARY, "size": 1 }),
        json!({ "kind": "red" }),
        json!({ "version": "1.0.0" }),
        json!({ "platform": "cloudfoundry" }),
        json!("x".repeat(2000)),
        json!("i"),
        json!("p"),
        json!("q"),
    ])
}

fn body(feed: &mut Feed<'_>, binding: bool) -> Vec<u8> {
    if feed.once_in(8) {
        return feed.bytes(64).to_vec();
    }
    let mut body = if binding && feed.once_in(4) {
        json!({ "predecessor_binding_id": "b" })
    } else {
        json!({ "service_id": "s", "plan_id": "p", "organization_guid": "o", "space_guid": "s" })
    };
    for _ in 0..(feed.byte() % 8).saturating_sub(4) {
        let key = feed.pick(&[
            "service_id",
            "plan_id",
            "organization_guid",
            "space_guid",
            "parameters",
            "parameters",
            "context",
            "maintenance_info",
            "previous_values",
            "bind_resource",
            "app_guid",
            "predecessor_binding_id",
            "x_vendor",
        ]);
        if feed.once_in(4) {
            body.as_object_mut().map(|fields| fields.remove(key));
        } else {
            body[key] = value(feed);
        }
    }
    let mut text = body.to_string().into_bytes();
    match feed.byte() % 16 {
        0 => text.truncate(usize::from(feed.byte())),
        1 => text.extend_from_slice(feed.bytes(8)),
        2 => text.splice(1..1, *b"\"service_id\":\"s\",").for_each(drop),
        3 => {
            let at = usize::from(feed.byte()) % text.len();
            text[at] = feed.byte();
        }
        4 => {
            text =
                format!("{{\"parameters\":{}{}}}", "[".repeat(400), "]".repeat(400)).into_bytes();
        }
        5 => text
            .splice(1..1, *b"\"context\":{\"a\":\"\\ud800\"},")
            .for_each(drop),
        _ => {}
    }
    text
}

/// The rule.
///
/// # Panics
/// When the answer breaks it.
pub(crate) fn judge(request: &Request<Bytes>, response: &Response<Bytes>) {
    let (status, body) = (response.status().as_u16(), response.body());
    let shown = || format!("{request:?} -> {status} {body:?}");
    assert!((200..500).contains(&status), "{}", shown());
    if status == 304 {
        return;
    }
    let said: Value = serde_json::from_slice(body).unwrap_or_else(|_| panic!("{}", shown()));
    assert!(said.is_object(), "{}", shown());
    assert_eq!(
        response.headers()["content-type"],
        "application/json",
        "{}",
        shown()
    );
    if status >= 400 && status != 410 {
        assert!(
            said["description"]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{}",
            shown()
        );
        let text = String::from_utf8_lossy(body);
        assert!(
            !text.contains("CANARY") && !text.contains("panicked"),
            "{}",
            shown()
        );
    }
}
