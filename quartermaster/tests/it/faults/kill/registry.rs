//! The whole registry as the administrator sees it, read once per round.

use crate::harness::answer::{items, text};
use crate::harness::{Client, query};
use serde_json::Value;
use std::collections::BTreeMap;

/// Everything there is, by id.
pub(super) struct Registry {
    pub(super) brokers: BTreeMap<String, Value>,
    pub(super) platforms: BTreeMap<String, Value>,
    pub(super) visibilities: BTreeMap<String, Value>,
    /// By broker: catalog id and description of each plan.
    plans: BTreeMap<String, BTreeMap<String, String>>,
}

impl Registry {
    /// Lists of one moment: an operation that is taken up meanwhile shows as a broker that differs before and after.
    pub(super) async fn read(admin: &Client) -> Self {
        loop {
            let before = all(admin, "/v1/service_brokers").await;
            let read = Self::once(admin).await;
            if read.brokers == before {
                return read;
            }
        }
    }

    async fn once(admin: &Client) -> Self {
        let offerings = all(admin, "/v1/service_offerings").await;
        let mut plans: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
        for plan in all(admin, "/v1/service_plans").await.values() {
            let offering = offerings.get(&text(plan, "service_offering_id"));
            if let Some(offering) = offering {
                let entry = (text(plan, "catalog_id"), text(plan, "description"));
                plans
                    .entry(text(offering, "broker_id"))
                    .or_default()
                    .extend([entry]);
            }
        }
        Self {
            brokers: all(admin, "/v1/service_brokers").await,
            platforms: all(admin, "/v1/platforms").await,
            visibilities: all(admin, "/v1/visibilities").await,
            plans,
        }
    }

    /// The plans of a broker.
    pub(super) fn plans_of(&self, broker: &str) -> BTreeMap<String, String> {
        self.plans.get(broker).cloned().unwrap_or_default()
    }
}

async fn all(admin: &Client, path: &str) -> BTreeMap<String, Value> {
    let mut found = BTreeMap::new();
    let mut token = String::new();
    loop {
        let mut parameters = vec![("max_items", "200"), ("attach_last_operations", "true")];
        if !token.is_empty() {
            parameters.push(("token", &token));
        }
        let page = admin.get(&query(path, &parameters)).await.expect(200);
        for item in items(&page) {
            found.insert(text(&item, "id"), item);
        }
        match page["token"].as_str() {
            Some(next) if !next.is_empty() => token = next.to_owned(),
            _ => return found,
        }
    }
}
