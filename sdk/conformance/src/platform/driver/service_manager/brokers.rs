//! Brokers at the Service Manager: registration, visibility of plans, and taking everything away again.

use super::http::Reply;
use super::{Registered, ServiceManager, said};
use crate::platform::driver::{Broker, State, Told};
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::time::Instant;
use tokio::time::{Duration, sleep};

/// Between two tries to take something away.
const PAUSE: Duration = Duration::from_millis(500);

impl ServiceManager {
    pub(super) async fn register(&self, broker: &Broker) -> Result<Told, Told> {
        let body = json!({
            "name": broker.name,
            "broker_url": broker.url,
            "description": "made by smctl verify platform",
            "credentials": {
                "basic": { "username": broker.username, "password": broker.password.expose() },
            },
        });
        let reply = self.post("/v1/service_brokers?async=false", &body).await?;
        let (201, Some(id)) = (reply.status, reply.text("id")) else {
            return Ok(said(&reply));
        };
        self.keep(
            &broker.name,
            Registered {
                id,
                ..Registered::default()
            },
        );
        self.show_plans(&broker.name).await
    }

    /// Sets the scene. A server that says it is busy is asked again: this is not what is judged.
    async fn post(&self, path: &str, body: &Value) -> Result<Reply, Told> {
        let started = Instant::now();
        loop {
            let reply = self.http.post(path, body).await?;
            let busy = matches!(reply.status, 429 | 503);
            if !busy || started.elapsed() > self.patience {
                return Ok(reply);
            }
            sleep(PAUSE).await;
        }
    }

    pub(super) async fn refresh(&self, broker: &str) -> Result<Told, Told> {
        let id = self.registered(broker).id;
        let path = format!("/v1/service_brokers/{id}?async=false");
        let reply = self.http.patch(&path, &json!({})).await?;
        if reply.status != 200 {
            return Ok(said(&reply));
        }
        self.show_plans(broker).await
    }

    /// Learns the Service Manager's ids of all plans and makes those public that are not yet.
    async fn show_plans(&self, broker: &str) -> Result<Told, Told> {
        let mut registered = self.registered(broker);
        let query = format!("broker_id eq '{}'", registered.id);
        registered.plans.clear();
        for offering in self.all("/v1/service_offerings", &query).await? {
            let query = format!("service_offering_id eq '{}'", text(&offering, "id"));
            for plan in self.all("/v1/service_plans", &query).await? {
                registered
                    .plans
                    .insert(text(&plan, "catalog_id"), text(&plan, "id"));
            }
        }
        for plan in registered.plans.values() {
            if registered.visible.contains(plan) {
                continue;
            }
            let body = json!({ "service_plan_id": plan });
            let reply = self.post("/v1/visibilities", &body).await?;
            if reply.status != 201 {
                return Ok(said(&reply));
            }
            registered.visible.push(plan.clone());
        }
        self.keep(broker, registered);
        Ok(Told::succeeded())
    }

    /// Every entity that a query on fields finds.
    async fn all(&self, path: &str, query: &str) -> Result<Vec<Value>, Told> {
        let query = encoded(query);
        let mut items = Vec::new();
        let mut token = String::new();
        loop {
            let page = format!("{path}?fieldQuery={query}&max_items=100{token}");
            let reply = self.http.get(&page).await?;
            if reply.status != 200 {
                return Err(said(&reply));
            }
            if let Some(more) = reply.json["items"].as_array() {
                items.extend(more.iter().cloned());
            }
            match reply.text("token") {
                Some(next) if !next.is_empty() => token = format!("&token={}", encoded(&next)),
                _ => return Ok(items),
            }
        }
    }

    /// Removes bindings, instances, and at last the broker; again and again until patience ends.
    pub(super) async fn unregister(&self, broker: &str) -> Result<Told, Told> {
        let registered = self.registered(broker);
        if registered.id.is_empty() {
            // Its registration was refused or broken off; in the second case the server may still be at it.
            sleep(PAUSE * 2).await;
        }
        let started = Instant::now();
        loop {
            let left = match self.remove(broker, &registered).await {
                Ok(()) => return Ok(Told::succeeded()),
                Err(told) => told,
            };
            if started.elapsed() > self.patience * 2 {
                return Ok(Told::new(State::Failed, left.description));
            }
            sleep(PAUSE).await;
        }
    }

    async fn remove(&self, broker: &str, registered: &Registered) -> Result<(), Told> {
        let mut instances = Vec::new();
        for plan in registered.plans.values() {
            let query = format!("service_plan_id eq '{plan}'");
            instances.extend(self.all("/v1/service_instances", &query).await?);
        }
        let each = instances
            .iter()
            .map(|instance| self.remove_instance(instance));
        join_all(each)
            .await
            .into_iter()
            .collect::<Result<Vec<()>, Told>>()?;
        // A broker that was refused, or whose registration was broken off, is found by its name.
        let query = format!("name eq '{broker}'");
        for found in self.all("/v1/service_brokers", &query).await? {
            let path = format!("/v1/service_brokers/{}?async=false", text(&found, "id"));
            let reply = self.http.delete(&path).await?;
            if !matches!(reply.status, 200 | 404) {
                return Err(said(&reply));
            }
        }
        Ok(())
    }

    async fn remove_instance(&self, instance: &Value) -> Result<(), Told> {
        let id = text(instance, "id");
        let query = format!("service_instance_id eq '{id}'");
        for binding in self.all("/v1/service_bindings", &query).await? {
            gone(
                self.delete("/v1/service_bindings", &text(&binding, "id"))
                    .await?,
            )?;
        }
        gone(self.delete("/v1/service_instances", &id).await?)
    }
}

fn gone(told: Told) -> Result<(), Told> {
    if told.is_done() || told.description.starts_with("404 ") {
        Ok(())
    } else {
        Err(told)
    }
}

fn text(value: &Value, name: &str) -> String {
    value[name].as_str().unwrap_or_default().to_owned()
}

fn encoded(text: &str) -> String {
    crate::request::segment(text)
}
