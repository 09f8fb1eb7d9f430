//! Parameters against the plan's schema and the author's type: every violation at once, no value shown.

use crate::desk::Said;
use bytes::Bytes;
use quartermaster_sdk::prelude::*;
use quartermaster_sdk::testing::Platform;
use serde::Deserialize;
use serde_json::{Value, json};

const CATALOG: &str = r#"
services:
- id: s
  name: strict
  description: Looks closely
  bindable: true
  plans:
  - id: p
    name: plan
    description: Has schemas
    schemas:
      service_instance:
        create: { parameters: &a { $schema: "http://json-schema.org/draft-04/schema#", type: object,
          additionalProperties: false, required: [name],
          properties: { name: { type: string, pattern: "^[a-z]+$", maxLength: 8 },
                        size: { type: integer, minimum: 1 }, kind: { enum: [red, green] },
                        nested: { type: object, properties: { deep: { type: array, items: { type: boolean } } } } } } }
        update: { parameters: { $schema: "https://json-schema.org/draft/2020-12/schema", type: object,
          properties: { size: { const: 7 } } } }
      service_binding: { create: { parameters: { $schema: "http://json-schema.org/draft-07/schema#",
          type: object, maxProperties: 1 } } }
  - { id: q, name: bare, description: Has a type only }
"#;

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Wanted {
    #[serde(rename = "name")]
    _name: Option<String>,
    #[serde(rename = "size")]
    _size: Option<u32>,
    #[serde(rename = "kind")]
    _kind: Option<Kind>,
    #[serde(rename = "nested")]
    _nested: Option<Value>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Red,
    Green,
}

struct Strict;

impl Broker for Strict {
    type Parameters = Wanted;
    type Changes = Wanted;
    type BindParameters = NoParameters;

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
    async fn bind(self: Arc<Self>, _: Bind<NoParameters>) -> Reply<Binding> {
        Ok(now(Binding::default()))
    }
    async fn unbind(self: Arc<Self>, _: Unbind) -> Reply<()> {
        Ok(now(()))
    }
}

async fn send(platform: &Platform, method: &str, path: &str, body: Value) -> Said {
    let request = http::Request::builder()
        .method(method)
        .uri(format!("/v2/service_instances/{path}"))
        .header("X-Broker-API-Version", "2.17");
    let (head, bytes) = platform
        .send(request.body(Bytes::from(body.to_string())).unwrap())
        .await
        .into_parts();
    let body = serde_json::from_slice(&bytes).unwrap();
    Said {
        status: head.status.as_u16(),
        headers: head.headers,
        body,
        bytes,
    }
}

fn create(plan: &str, parameters: &Value) -> Value {
    json!({ "service_id": "s", "plan_id": plan, "organization_guid": "o", "space_guid": "s",
            "parameters": parameters })
}

#[tokio::test]
async fn all_violations_are_named_and_no_value_is_shown() {
    let platform = Platform::of(Strict).await.unwrap();
    let secret = "CANARY-hunter2";
    let bad = json!({ "name": secret, "size": -42_424_242, "kind": secret,
                      "nested": { "deep": [true, secret] }, "unknown": secret });
    let said = send(&platform, "PUT", "i", create("p", &bad)).await.is(400);
    let text = said.description();
    for place in [
        "parameters/name",
        "parameters/size",
        "parameters/kind",
        "parameters/nested/deep/1",
    ] {
        assert!(text.contains(place), "{place} in {text}");
    }
    assert!(text.contains("unknown"), "{text}");
    assert!(
        !text.contains("CANARY") && !text.contains("42424242"),
        "{text}"
    );
    // A missing property is named, and the empty object is an object.
    let said = send(&platform, "PUT", "i", create("p", &json!({})))
        .await
        .is(400);
    assert!(
        said.description().contains("name"),
        "{}",
        said.description()
    );
    send(
        &platform,
        "PUT",
        "i",
        create("p", &json!({ "name": "abc", "kind": "red" })),
    )
    .await
    .is(201);
    let update = json!({ "service_id": "s", "parameters": { "size": 424_242 } });
    let said = send(&platform, "PATCH", "i", update).await.is(400);
    assert!(
        said.description().contains("parameters/size") && !said.description().contains("424242")
    );
    let bind =
        json!({ "service_id": "s", "plan_id": "p", "parameters": { "a": secret, "b": secret } });
    let said = send(&platform, "PUT", "i/service_bindings/b", bind)
        .await
        .is(400);
    assert!(
        !said.description().contains("CANARY"),
        "{}",
        said.description()
    );
}

#[tokio::test]
async fn the_authors_type_is_a_schema_too() {
    let platform = Platform::of(Strict).await.unwrap();
    let secret = "CANARY-hunter2";
    for (bad, place) in [
        (json!({ "kind": secret }), "kind"),
        (json!({ "size": secret }), "size"),
        (json!({ "size": -42_424_242 }), "size"),
        (json!({ "name": { secret: secret } }), "name"),
        (json!({ "nested": 1, "size": 4_294_967_296_u64 }), "size"),
    ] {
        let said = send(&platform, "PUT", "i", create("q", &bad)).await.is(400);
        let text = said.description();
        assert!(
            text.contains("parameters") && text.contains(place),
            "{bad}: {text}"
        );
        assert!(
            !text.contains("CANARY") && !text.contains("42424242"),
            "{text}"
        );
    }
    let said = send(
        &platform,
        "PUT",
        "i",
        create("q", &json!({ "surprise": secret })),
    )
    .await
    .is(400);
    assert!(
        !said.description().contains("CANARY"),
        "{}",
        said.description()
    );
    send(&platform, "PUT", "i", create("q", &json!({ "size": 3 })))
        .await
        .is(201);
    let bind = json!({ "service_id": "s", "plan_id": "q", "parameters": { "any": secret } });
    let said = send(&platform, "PUT", "i/service_bindings/b", bind)
        .await
        .is(400);
    assert!(
        !said.description().contains("CANARY"),
        "{}",
        said.description()
    );
}

#[tokio::test]
async fn a_catalog_that_breaks_the_protocol_does_not_start() {
    struct Broken;
    impl Broker for Broken {
        type Parameters = NoParameters;
        type Changes = NoParameters;
        type BindParameters = NoParameters;
        fn catalog(&self) -> Result<Catalog, CatalogError> {
            from_yaml(
                &CATALOG
                    .replace("name: bare", "name: plan")
                    .replace("type: integer", "type: integers"),
            )
        }
        async fn provision(self: Arc<Self>, _: Provision<NoParameters>) -> Reply<Provisioned> {
            Ok(now(Provisioned::default()))
        }
        async fn update(self: Arc<Self>, _: Update<NoParameters>) -> Reply<Updated> {
            Ok(now(Updated::default()))
        }
        async fn deprovision(self: Arc<Self>, _: Deprovision) -> Reply<()> {
            Ok(now(()))
        }
        async fn bind(self: Arc<Self>, _: Bind<NoParameters>) -> Reply<Binding> {
            Ok(now(Binding::default()))
        }
        async fn unbind(self: Arc<Self>, _: Unbind) -> Reply<()> {
            Ok(now(()))
        }
    }
    let text = Platform::of(Broken).await.unwrap_err().to_string();
    assert!(text.contains("plans[1].name"), "{text}");
}
