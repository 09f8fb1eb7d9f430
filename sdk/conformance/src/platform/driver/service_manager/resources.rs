//! Instances and bindings at the Service Manager, and the operations that make them.

use super::http::Reply;
use super::{ServiceManager, said};
use crate::platform::driver::{State, Told};
use serde_json::{Map, Value, json};
use std::time::Instant;
use tokio::time::{Duration, sleep};

/// Between two looks at an operation.
const PAUSE: Duration = Duration::from_millis(250);

impl ServiceManager {
    pub(super) async fn create_instance(
        &self,
        broker: &str,
        name: &str,
        plan: &str,
        parameters: Option<Value>,
    ) -> Result<Told, Told> {
        let mut body = json!({ "name": name, "service_plan_id": self.plan(broker, plan)? });
        set(&mut body, "parameters", parameters);
        let reply = self
            .http
            .post("/v1/service_instances?async=true", &body)
            .await?;
        self.ended(reply).await
    }

    pub(super) async fn update_instance(
        &self,
        broker: &str,
        instance: &str,
        plan: Option<&str>,
        parameters: Option<Value>,
        maintenance_info: Option<Value>,
    ) -> Result<Told, Told> {
        let mut body = json!({});
        if let Some(plan) = plan {
            set(
                &mut body,
                "service_plan_id",
                Some(json!(self.plan(broker, plan)?)),
            );
        }
        set(&mut body, "parameters", parameters);
        set(&mut body, "maintenance_info", maintenance_info);
        let path = format!("/v1/service_instances/{instance}?async=true");
        let reply = self.http.patch(&path, &body).await?;
        self.ended(reply).await
    }

    pub(super) async fn create_binding(
        &self,
        instance: &str,
        name: &str,
        parameters: Option<Value>,
    ) -> Result<Told, Told> {
        let mut body = json!({ "name": name, "service_instance_id": instance });
        set(&mut body, "parameters", parameters);
        let reply = self
            .http
            .post("/v1/service_bindings?async=true", &body)
            .await?;
        self.ended(reply).await
    }

    pub(super) async fn delete(&self, kind: &str, id: &str) -> Result<Told, Told> {
        let reply = self.http.delete(&format!("{kind}/{id}?async=true")).await?;
        self.ended(reply).await
    }

    pub(super) async fn show(&self, kind: &str, id: &str) -> Result<Told, Told> {
        let reply = self.http.get(&format!("{kind}/{id}")).await?;
        let mut told = match reply.status {
            200 | 404 => Told::succeeded(),
            _ => return Ok(said(&reply)),
        };
        told.exists = Some(reply.status == 200);
        told.dashboard_url = reply.text("dashboard_url").filter(|url| !url.is_empty());
        told.credentials = reply.json["credentials"].as_object().cloned();
        Ok(told)
    }

    fn plan(&self, broker: &str, catalog_id: &str) -> Result<String, Told> {
        let plans = self.registered(broker).plans;
        plans.get(catalog_id).cloned().ok_or_else(|| {
            let text = format!("the Service Manager does not list the plan {catalog_id}");
            Told::new(State::Refused, text)
        })
    }

    /// Follows an accepted operation to its end.
    async fn ended(&self, reply: Reply) -> Result<Told, Told> {
        match reply.status {
            200 | 201 => {
                let told = Told::succeeded();
                return Ok(match reply.text("id") {
                    Some(id) => told.with_handle(id),
                    None => told,
                });
            }
            202 => {}
            _ => return Ok(said(&reply)),
        }
        let location = reply
            .headers
            .get("location")
            .and_then(|value| value.to_str().ok());
        let Some(path) = location.and_then(path_of) else {
            let text = format!("202 without a Location below /v1: {}", reply.line());
            return Ok(Told::new(State::Broken, text));
        };
        let handle = path.split('/').nth(3).unwrap_or_default().to_owned();
        let started = Instant::now();
        loop {
            let reply = self.http.get(&path).await?;
            let state = reply.text("state");
            let told = match (reply.status, state.as_deref()) {
                (200, Some("succeeded")) => Some(Told::succeeded()),
                (200, Some("failed")) => Some(Told::new(State::Failed, why(&reply.json))),
                // The record of a deletion may go with what was deleted.
                (404, _) => Some(Told::new(
                    State::Broken,
                    format!("{path}: {}", reply.line()),
                )),
                _ if started.elapsed() > self.patience => {
                    let text = format!("the operation {path} was {}", reply.line());
                    Some(Told::new(State::Pending, text))
                }
                _ => None,
            };
            if let Some(told) = told {
                return Ok(told.with_handle(handle));
            }
            sleep(PAUSE).await;
        }
    }
}

fn set(body: &mut Value, name: &str, value: Option<Value>) {
    if let (Some(body), Some(value)) = (body.as_object_mut(), value) {
        body.insert(name.to_owned(), value);
    }
}

/// The path of a Location, with or without a host.
fn path_of(location: &str) -> Option<String> {
    let at = location.find("/v1/")?;
    Some(location[at..].to_owned())
}

fn why(operation: &Value) -> String {
    let errors = operation["errors"].as_object().cloned().unwrap_or_default();
    match errors.get("description").and_then(Value::as_str) {
        Some(text) => text.to_owned(),
        None if errors == Map::new() => "the operation has failed".to_owned(),
        None => Value::Object(errors).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_may_have_a_host() {
        let path = "/v1/service_instances/i/operations/o";
        assert_eq!(path_of(path).as_deref(), Some(path));
        assert_eq!(path_of("http://h:1/v1/x").as_deref(), Some("/v1/x"));
        assert_eq!(path_of("/elsewhere"), None);
    }

    #[test]
    fn the_cause_is_told() {
        let failed = json!({ "errors": { "error": "BrokerError", "description": "it broke" } });
        assert_eq!(why(&failed), "it broke");
        assert_eq!(why(&json!({})), "the operation has failed");
    }
}
