//! Names for ids, so that tables can be read. Each collection is asked for once, and only when a table needs it.

use crate::client::{Client, Query};
use crate::doc::Doc;
use crate::problem::Problem;
use qm_manager_api as api;
use std::collections::HashMap;

/// Whose names are needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    Brokers,
    Offerings,
    /// With the names of their offerings.
    Plans,
    Platforms,
    Instances,
}

/// Names by id.
#[derive(Debug, Default)]
pub(crate) struct Names {
    brokers: HashMap<String, String>,
    offerings: HashMap<String, String>,
    plans: HashMap<String, String>,
    platforms: HashMap<String, String>,
    instances: HashMap<String, String>,
}

impl Names {
    /// Asks for what is needed. What may not be seen has no name, and its id is shown.
    pub(crate) async fn load(client: &Client, needs: &[Need]) -> Self {
        let of = |wanted: &'static [Need], path: &'static str| {
            let asked = needs.iter().any(|need| wanted.contains(need));
            async move {
                if !asked {
                    return Vec::new();
                }
                let found: Result<Vec<Doc>, Problem> = client.list(path, &Query::new()).await;
                found.unwrap_or_default()
            }
        };
        let (brokers, offerings, plans, platforms, instances) = tokio::join!(
            of(&[Need::Brokers], api::broker::PATH),
            of(&[Need::Offerings, Need::Plans], api::offering::PATH),
            of(&[Need::Plans], api::plan::PATH),
            of(&[Need::Platforms], api::platform::PATH),
            of(&[Need::Instances], api::instance::PATH),
        );
        let offerings = by_id(&offerings);
        let plans = plans.iter().map(|plan| {
            let offering = offerings.get(plan.str("service_offering_id"));
            let offering = offering.map_or("?", String::as_str);
            (
                plan.str("id").to_owned(),
                format!("{offering}/{}", plan.str("name")),
            )
        });
        Self {
            brokers: by_id(&brokers),
            plans: plans.collect(),
            offerings,
            platforms: by_id(&platforms),
            instances: by_id(&instances),
        }
    }

    pub(crate) fn broker(&self, id: &str) -> String {
        or_id(&self.brokers, id)
    }

    pub(crate) fn offering(&self, id: &str) -> String {
        or_id(&self.offerings, id)
    }

    /// `offering/plan`.
    pub(crate) fn plan(&self, id: &str) -> String {
        or_id(&self.plans, id)
    }

    pub(crate) fn platform(&self, id: &str) -> String {
        or_id(&self.platforms, id)
    }

    pub(crate) fn instance(&self, id: &str) -> String {
        or_id(&self.instances, id)
    }
}

fn by_id(docs: &[Doc]) -> HashMap<String, String> {
    docs.iter()
        .map(|doc| (doc.str("id").to_owned(), doc.str("name").to_owned()))
        .collect()
}

fn or_id(names: &HashMap<String, String>, id: &str) -> String {
    names.get(id).cloned().unwrap_or_else(|| id.to_owned())
}
