//! The rules of the OSB doors, each against a table written by hand.

mod answer;
mod catalog;
mod enter;
mod owner;
mod plan;

use qm_model::broker::{Broker, CatalogState};
use qm_model::ctx::PlatformCaller;
use qm_model::id::{BrokerId, InstanceId, OfferingId, PlanId, PlatformId, VisibilityId};
use qm_model::instance::Instance;
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::visibility::Visibility;
use qm_model::{Caller, Ctx, Labels, Meta, Time};
use qm_policy::Settings;
use qm_policy::door::{Object, Refusal, Stock};
use serde_json::Value;

fn labels(pairs: &[(&str, &str)]) -> Labels {
    let pairs = pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()));
    Labels::from_pairs(pairs).unwrap()
}

fn meta(pairs: &[(&str, &str)]) -> Meta {
    Meta::new(Time(0), labels(pairs))
}

fn ctx(caller: Caller) -> Ctx {
    Ctx {
        caller,
        correlation_id: "c".to_owned(),
        remote: String::new(),
    }
}

/// The platform `p`, of a type.
fn platform(platform_type: &str) -> Ctx {
    ctx(Caller::Platform(caller(platform_type)))
}

fn caller(platform_type: &str) -> PlatformCaller {
    PlatformCaller {
        id: PlatformId::new("p").unwrap(),
        name: "platform p".to_owned(),
        platform_type: platform_type.to_owned(),
        username: "user".to_owned(),
        suspended: false,
        tenants: Vec::new(),
    }
}

fn broker(pairs: &[(&str, &str)]) -> Broker {
    Broker {
        id: BrokerId::new("b").unwrap(),
        name: "broker b".to_owned(),
        description: String::new(),
        url: "http://b".to_owned(),
        meta: meta(pairs),
        catalog: CatalogState::default(),
    }
}

/// `o` with its broker's id `s`.
fn offering(id: &str, catalog_id: &str) -> Offering {
    Offering {
        id: OfferingId::new(id).unwrap(),
        broker_id: BrokerId::new("b").unwrap(),
        name: id.to_owned(),
        description: String::new(),
        bindable: true,
        plan_updateable: true,
        instances_retrievable: true,
        bindings_retrievable: true,
        allow_context_updates: true,
        tags: Vec::new(),
        requires: Vec::new(),
        metadata: None,
        catalog_id: catalog_id.to_owned(),
        catalog_name: id.to_owned(),
        data_center: String::new(),
        meta: meta(&[]),
    }
}

fn plan(id: &str, offering: &str, catalog_id: &str, metadata: Option<Value>) -> Plan {
    Plan {
        id: PlanId::new(id).unwrap(),
        offering_id: OfferingId::new(offering).unwrap(),
        name: id.to_owned(),
        description: String::new(),
        free: true,
        bindable: None,
        plan_updateable: None,
        metadata,
        schemas: None,
        maximum_polling_duration: None,
        maintenance_info: None,
        catalog_id: catalog_id.to_owned(),
        catalog_name: id.to_owned(),
        meta: meta(&[]),
    }
}

fn visibility(plan: &str, platform: Option<&str>, pairs: &[(&str, &str)]) -> Visibility {
    Visibility {
        id: VisibilityId::new("v").unwrap(),
        platform_id: platform.map(|id| PlatformId::new(id).unwrap()),
        plan_id: PlanId::new(plan).unwrap(),
        meta: meta(pairs),
    }
}

/// One offering `s` with the plans `small` (the manager's `p-small`) and `large`.
fn stock(visibilities: Vec<Visibility>) -> Stock {
    let plans = vec![
        plan("p-small", "o-s", "small", None),
        plan("p-large", "o-s", "large", None),
    ];
    Stock::new(
        broker(&[]),
        vec![(offering("o-s", "s"), plans)],
        visibilities,
    )
}

fn instance(plan: &str, platform: &str, pairs: &[(&str, &str)]) -> Instance {
    Instance {
        id: InstanceId::new("i").unwrap(),
        name: "i".to_owned(),
        plan_id: PlanId::new(plan).unwrap(),
        platform_id: PlatformId::new(platform).unwrap(),
        dashboard_url: None,
        maintenance_info: None,
        context: None,
        referenced_instance_id: None,
        shared: None,
        usable: true,
        meta: meta(pairs),
    }
}

fn settings() -> Settings {
    Settings {
        tenant_label: "tenant".to_owned(),
    }
}

fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        other => panic!("{other} is no object"),
    }
}

/// `ok`, or the status, the word and the rule; and what is said names the rule or betrays nothing.
fn verdict<T>(result: Result<T, Refusal>) -> String {
    let Err(Refusal { rule, error }) = result else {
        return "ok".to_owned();
    };
    let text = error.to_string();
    let plain = matches!(error, qm_model::Error::Missing(_));
    assert_eq!(text.ends_with(&format!("(rule: {rule})")), !plain, "{text}");
    format!("{} {} {rule}", error.status(), error.word())
}
