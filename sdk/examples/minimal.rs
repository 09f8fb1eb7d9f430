//! A whole broker: asynchronous, bindable, rotatable, durable. It hands out tokens.
//!
//! `cargo run -p quartermaster-sdk --example minimal -- --user admin --password secret`

use quartermaster_sdk::prelude::*;
use serde::Deserialize;
use serde_json::json;
use std::time::Duration;

const CATALOG: &str = r#"
services:
- id: 5c0ff1ce-0001-4000-8000-000000000001
  name: token
  description: Tokens for programs that need one
  bindable: true
  plan_updateable: true
  instances_retrievable: true
  bindings_retrievable: true
  plans:
  - id: 5c0ff1ce-0001-4000-8000-000000000011
    name: instant
    description: Ready at once
    binding_rotatable: true
    maintenance_info: { version: 1.0.0 }
    metadata: { supportsInstanceSharing: true }
    schemas: { service_instance: { create: { parameters: &schema {
      $schema: "http://json-schema.org/draft-07/schema#", type: object, additionalProperties: false,
      properties: { label: { type: string, maxLength: 64 } } } }, update: { parameters: *schema } } }
  - { id: 5c0ff1ce-0001-4000-8000-000000000012, name: relaxed, description: Takes its time,
      binding_rotatable: true, maximum_polling_duration: 60 }
"#;

/// What a user may ask for.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Wanted {
    label: Option<String>,
}

struct Tokens;

impl Broker for Tokens {
    type Parameters = Wanted;
    type Changes = Wanted;
    type BindParameters = NoParameters;

    fn catalog(&self) -> Result<Catalog, CatalogError> {
        from_yaml(CATALOG)
    }

    async fn provision(self: Arc<Self>, call: Provision<Wanted>) -> Reply<Provisioned> {
        if call.plan.name == "instant" {
            return Ok(now(Provisioned::default()));
        }
        Ok(later(async move {
            let what = call
                .parameters
                .label
                .map_or("a token", |_| "a labelled token");
            call.progress.say(format!("preparing {what}")).await;
            tokio::time::sleep(Duration::from_millis(300)).await;
            Ok(Provisioned::default())
        }))
    }

    async fn update(self: Arc<Self>, call: Update<Wanted>) -> Reply<Updated> {
        Ok(unhurried(&call.plan.name, Updated::default()))
    }

    async fn deprovision(self: Arc<Self>, call: Deprovision) -> Reply<()> {
        Ok(unhurried(&call.plan.name, ()))
    }

    async fn bind(self: Arc<Self>, call: Bind<NoParameters>) -> Reply<Binding> {
        let credentials = json!({ "token": uuid::Uuid::new_v4().to_string() });
        let binding = Binding::with_credentials(credentials);
        Ok(unhurried(&call.plan.name, binding))
    }

    async fn unbind(self: Arc<Self>, call: Unbind) -> Reply<()> {
        Ok(unhurried(&call.plan.name, ()))
    }
}

/// Now on the instant plan, later on the other: one return value decides.
fn unhurried<T: Send + 'static>(plan: &str, value: T) -> Outcome<T> {
    if plan == "instant" {
        return now(value);
    }
    later(async move {
        tokio::time::sleep(Duration::from_millis(300)).await;
        Ok(value)
    })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    Ok(ServeArgs::from_command_line().serve(Tokens).await?)
}
