//! A plan as the cases see it: what the catalog announces, and the parameters to use.
//!
//! Read leniently from the raw catalog, so that a broken offering does not keep the others from being judged;
//! what is broken is found by the cases of `catalog`.

use crate::options::{Options, PlanParameters};
use crate::{Object, sample};
use serde_json::{Value, json};

/// A plan and its offering.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) service_id: String,
    pub(crate) service_name: String,
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) bindable: bool,
    pub(crate) updateable: bool,
    pub(crate) rotatable: bool,
    pub(crate) instances_retrievable: bool,
    pub(crate) bindings_retrievable: bool,
    pub(crate) context_updates: bool,
    pub(crate) requires: Vec<String>,
    pub(crate) maintenance: Option<String>,
    pub(crate) max_polling: Option<u64>,
    pub(crate) create_schema: Option<Value>,
    pub(crate) update_schema: Option<Value>,
    pub(crate) bind_schema: Option<Value>,
    /// Ids of the other plans of the offering.
    pub(crate) siblings: Vec<String>,
    /// A plan of another offering.
    pub(crate) stranger: Option<(String, String)>,
    given: PlanParameters,
}

impl Plan {
    /// `offering/plan`, for people.
    pub(crate) fn label(&self) -> String {
        format!("{}/{}", self.service_name, self.name)
    }

    /// Parameters for provision: the given ones, else what the schema cannot do without.
    pub(crate) fn provision_parameters(&self) -> Option<Object> {
        match &self.given.provision {
            Some(given) => Some(given.expose().clone()),
            None => self.create_schema.as_ref().and_then(sample::smallest),
        }
    }

    /// Parameters for update: the given ones, else something the schema allows.
    pub(crate) fn update_parameters(&self) -> Option<Object> {
        match &self.given.update {
            Some(given) => Some(given.expose().clone()),
            None => self.update_schema.as_ref().and_then(sample::something),
        }
    }

    /// Parameters for bind: the given ones, else what the schema cannot do without.
    pub(crate) fn bind_parameters(&self) -> Option<Object> {
        match &self.given.bind {
            Some(given) => Some(given.expose().clone()),
            None => self.bind_schema.as_ref().and_then(sample::smallest),
        }
    }

    /// Provision parameters that are valid and not the usual ones.
    pub(crate) fn other_provision_parameters(&self) -> Option<Object> {
        let usual = self.provision_parameters().unwrap_or_default();
        sample::different(self.create_schema.as_ref(), &usual)
    }

    /// Bind parameters that are valid and not the usual ones.
    pub(crate) fn other_bind_parameters(&self) -> Option<Object> {
        let usual = self.bind_parameters().unwrap_or_default();
        sample::different(self.bind_schema.as_ref(), &usual)
    }
}

/// Every plan of a catalog that has ids to be called by.
pub(crate) fn all(catalog: &Value, options: &Options) -> Vec<Plan> {
    let none = Vec::new();
    let offerings = catalog["services"].as_array().unwrap_or(&none);
    let mut plans: Vec<Plan> = offerings
        .iter()
        .flat_map(|offering| {
            let plans = offering["plans"].as_array().into_iter().flatten();
            plans.filter_map(|plan| read(offering, plan, options))
        })
        .collect();
    let ids: Vec<(String, String)> = plans
        .iter()
        .map(|plan| (plan.service_id.clone(), plan.id.clone()))
        .collect();
    for plan in &mut plans {
        let mine = |service: &str| service == plan.service_id;
        plan.siblings = ids
            .iter()
            .filter(|(service, id)| mine(service) && *id != plan.id)
            .map(|(_, id)| id.clone())
            .collect();
        plan.stranger = ids.iter().find(|(service, _)| !mine(service)).cloned();
    }
    plans
}

/// The plans a run is asked to look at.
pub(crate) fn chosen(plans: Vec<Plan>, options: &Options) -> Vec<Plan> {
    let named = |wanted: &[String], id: &str, name: &str| {
        wanted.is_empty() || wanted.iter().any(|want| want == id || want == name)
    };
    plans
        .into_iter()
        .filter(|plan| named(&options.services, &plan.service_id, &plan.service_name))
        .filter(|plan| named(&options.plans, &plan.id, &plan.name))
        .collect()
}

fn read(offering: &Value, plan: &Value, options: &Options) -> Option<Plan> {
    let text = |value: &Value, key: &str| {
        let text = value[key].as_str()?;
        (!text.is_empty()).then(|| text.to_owned())
    };
    let flag = |key: &str| offering[key].as_bool().unwrap_or(false);
    let id = text(plan, "id")?;
    let name = text(plan, "name").unwrap_or_else(|| id.clone());
    let service_id = text(offering, "id")?;
    let schema = |of: &str, verb: &str| match &plan["schemas"][of][verb]["parameters"] {
        Value::Null => None,
        schema => Some(schema.clone()),
    };
    Some(Plan {
        service_name: text(offering, "name").unwrap_or_else(|| service_id.clone()),
        service_id,
        bindable: plan["bindable"].as_bool().unwrap_or(flag("bindable")),
        updateable: plan["plan_updateable"]
            .as_bool()
            .unwrap_or(flag("plan_updateable")),
        rotatable: plan["binding_rotatable"].as_bool().unwrap_or(false),
        instances_retrievable: flag("instances_retrievable"),
        bindings_retrievable: flag("bindings_retrievable"),
        context_updates: flag("allow_context_updates"),
        requires: offering["requires"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .map(str::to_owned)
            .collect(),
        maintenance: text(&plan["maintenance_info"], "version"),
        max_polling: plan["maximum_polling_duration"].as_u64(),
        create_schema: schema("service_instance", "create"),
        update_schema: schema("service_instance", "update"),
        bind_schema: schema("service_binding", "create"),
        siblings: Vec::new(),
        stranger: None,
        given: options.parameters.plan(&id, &name),
        id,
        name,
    })
}

/// The context a Cloud Foundry sends for an instance.
pub(crate) fn cf_context(organization: &str, space: &str) -> Value {
    json!({
        "platform": "cloudfoundry",
        "organization_guid": organization,
        "organization_name": "conformance",
        "space_guid": space,
        "space_name": "conformance",
        "instance_name": "conformance",
    })
}
