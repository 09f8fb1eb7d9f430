//! Brokers and catalogs of the small platform.

use super::super::habits::{Flaw, Got, Kind};
use super::{Known, Reference, refused};
use qm_conformance::platform::{Broker, Told};
use serde_json::{Value, json};

impl Reference {
    pub(super) async fn register(&self, broker: Broker) -> Told {
        let name = broker.name.clone();
        let known = Known {
            broker,
            catalog: Value::Null,
            etag: None,
        };
        self.store().brokers.insert(name.clone(), known);
        let told = self.refresh(&name).await;
        if !told.is_done() {
            self.store().brokers.remove(&name);
        }
        told
    }

    pub(super) async fn refresh(&self, broker: &str) -> Told {
        let got = self
            .send(broker, Kind::Catalog, "/v2/catalog".to_owned(), &[], None)
            .await;
        let Got::Answer(status, headers, body) = got else {
            return refused("the broker does not answer");
        };
        let mut store = self.store();
        let known = store.brokers.get_mut(broker).unwrap();
        match (status, body) {
            (304, _) if self.has(Flaw::ForgetsOn304) => known.catalog = json!({ "services": [] }),
            (304, _) => {}
            (200, Some(catalog)) => {
                if (self.0.habits.refuses)(&catalog) {
                    return refused("the catalog is not right");
                }
                known.catalog = catalog;
                let etag = headers.get("etag").and_then(|value| value.to_str().ok());
                known.etag = etag.map(str::to_owned);
            }
            _ => return refused("no catalog"),
        }
        Told::succeeded()
    }

    pub(super) async fn unregister(&self, broker: &str) -> Told {
        let (instances, bindings) = {
            let store = self.store();
            let mine = store.instances.iter().filter(|(_, i)| i.broker == broker);
            let instances: Vec<String> = mine.map(|(handle, _)| handle.clone()).collect();
            let mine = store
                .bindings
                .iter()
                .filter(|(_, b)| instances.contains(&b.instance));
            let bindings: Vec<String> = mine.map(|(handle, _)| handle.clone()).collect();
            (instances, bindings)
        };
        for binding in bindings {
            self.unbind(&binding).await;
        }
        for instance in instances {
            let told = self.delete(&instance).await;
            if !told.is_done() {
                return told;
            }
        }
        self.store().brokers.remove(broker);
        Told::succeeded()
    }

    /// An offering and a plan by the plan's id.
    pub(super) fn plan(&self, broker: &str, plan_id: &str) -> Option<(Value, Value)> {
        let catalog = self.known(broker).catalog;
        let mut plans = Vec::new();
        for service in catalog["services"].as_array()? {
            for plan in service["plans"].as_array()? {
                plans.push((service.clone(), plan.clone()));
            }
        }
        let right = plans.iter().find(|(_, plan)| plan["id"] == plan_id)?;
        // A platform that compares names otherwise finds the first with that name.
        let name = |plan: &Value| (self.0.habits.name)(plan["name"].as_str().unwrap());
        let wanted = name(&right.1);
        plans.iter().find(|(_, plan)| name(plan) == wanted).cloned()
    }

    /// A plan by its name, as a platform does it that has not understood ids.
    pub(super) fn plan_by_name(&self, broker: &str, name: &str) -> Option<String> {
        let catalog = self.known(broker).catalog;
        let services = catalog["services"].as_array()?.clone();
        let mut plans = services
            .iter()
            .flat_map(|service| service["plans"].as_array().cloned().unwrap_or_default());
        plans
            .find(|plan| plan["name"] == name)
            .and_then(|plan| plan["id"].as_str().map(str::to_owned))
    }
}
