//! The rules of sharing, each against a table written by hand.

mod consumer;
mod dependants;
mod plan;
mod transfer;
mod wanted;

use qm_model::id::{InstanceId, OfferingId, PlanId, PlatformId, ShareId};
use qm_model::instance::Instance;
use qm_model::plan::Plan;
use qm_model::share::Share;
use qm_model::{Labels, Meta, Time};
use qm_policy::door::Refusal;
use serde_json::{Value, json};

fn labels(pairs: &[(&str, &str)]) -> Labels {
    let pairs = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    Labels::from_pairs(pairs).unwrap()
}

/// A plan whose name is its id.
fn plan(name: &str, metadata: Option<Value>) -> Plan {
    Plan {
        id: PlanId::new(name).unwrap(),
        offering_id: OfferingId::new("o").unwrap(),
        name: name.to_owned(),
        description: String::new(),
        free: true,
        bindable: Some(true),
        plan_updateable: None,
        metadata,
        schemas: None,
        maximum_polling_duration: None,
        maintenance_info: None,
        catalog_id: name.to_owned(),
        catalog_name: name.to_owned(),
        meta: Meta::new(Time(0), Labels::new()),
    }
}

fn shareable(name: &str) -> Plan {
    plan(name, Some(json!({"supportsInstanceSharing": true})))
}

/// An instance of a plan on the platform `p`.
fn instance(plan: &str, shared: Option<bool>, refers: Option<&str>) -> Instance {
    Instance {
        id: InstanceId::new("i").unwrap(),
        name: "i".to_owned(),
        plan_id: PlanId::new(plan).unwrap(),
        platform_id: PlatformId::new("p").unwrap(),
        dashboard_url: None,
        maintenance_info: None,
        context: None,
        referenced_instance_id: refers.map(|id| InstanceId::new(id).unwrap()),
        shared,
        usable: true,
        meta: Meta::new(Time(0), Labels::new()),
    }
}

fn grant(tenant: Option<&str>, platform: Option<&str>) -> Share {
    Share {
        id: ShareId::new("g").unwrap(),
        instance_id: InstanceId::new("i").unwrap(),
        tenant: tenant.map(str::to_owned),
        platform_id: platform.map(|id| PlatformId::new(id).unwrap()),
        granted_by: "somebody".to_owned(),
        created_at: Time(0),
    }
}

/// `ok`, or the status, the word and the rule; what is said names the rule.
fn verdict<T>(result: Result<T, Refusal>) -> String {
    let Err(Refusal { rule, error }) = result else {
        return "ok".to_owned();
    };
    let text = error.to_string();
    assert!(text.ends_with(&format!("(rule: {rule})")), "{text}");
    format!("{} {} {rule}", error.status(), error.word())
}
