//! The shape of every message: what is read is written again, known or unknown, and nothing secret prints.

use crate::golden::{self, CANARY};
use quartermaster_osb::{
    Accepted, Answer, Binding, Call, Context, MaintenanceInfo, Outcome, ProvisionRequest, Secret,
};
use serde_json::{Map, Value, json};

#[test]
fn what_is_read_is_written_again() {
    for golden in golden::all() {
        assert_eq!(
            (golden.again)(&golden.json).unwrap(),
            golden.json,
            "{}",
            golden.name
        );
    }
}

#[test]
fn unknown_fields_survive_at_every_level() {
    for golden in golden::all() {
        let mut json = golden.json;
        let added = add_unknown(&mut json, &|_, _| true);
        assert!(added > 0, "{}", golden.name);
        assert_eq!((golden.again)(&json).unwrap(), json, "{}", golden.name);
    }
}

#[test]
fn secrets_are_not_printed() {
    for golden in golden::all() {
        let mut json = golden.json;
        // Unknown fields may hold anything; contexts, labels and catalog metadata are public.
        add_unknown(&mut json, &|key, object| match key {
            "context" | "labels" | "attributes" | "app_annotations" => false,
            "metadata" => object.contains_key("labels") || object.contains_key("expires_at"),
            "parameters" => !object.contains_key("$schema"),
            _ => true,
        });
        assert!(json.to_string().contains(CANARY), "{}", golden.name);
        let shown = (golden.shown)(&json);
        assert!(!shown.contains(CANARY), "{}: {shown}", golden.name);
    }
}

#[test]
fn wrappers_do_not_print_secrets_either() {
    let body: ProvisionRequest = serde_json::from_value(golden::provision()).unwrap();
    let call = Call::Provision {
        instance: "i".parse().unwrap(),
        accepts_incomplete: true,
        body: Box::new(body),
    };
    let bound = Answer::Bound {
        created: true,
        body: Box::new(Binding {
            credentials: Some(Secret::new(json!(CANARY))),
            ..Binding::default()
        }),
    };
    // A broker that sends credentials with a 202, where none belong.
    let early: Accepted = serde_json::from_value(json!({"credentials": {"p": CANARY}})).unwrap();
    let early = Outcome::Success(Answer::Accepted(early));
    for shown in [
        format!("{call:?}"),
        format!("{bound:?}"),
        format!("{early:?}"),
    ] {
        assert!(!shown.contains(CANARY), "{shown}");
    }
}

/// Adds an unknown field to every object that `into` allows; says to how many.
fn add_unknown(value: &mut Value, into: &dyn Fn(&str, &Map<String, Value>) -> bool) -> usize {
    fn walk(
        key: &str,
        value: &mut Value,
        into: &dyn Fn(&str, &Map<String, Value>) -> bool,
    ) -> usize {
        match value {
            Value::Object(object) => {
                let mut added = 0;
                if !into(key, object) {
                    return added;
                }
                for (key, value) in object.iter_mut() {
                    added += walk(key, value, into);
                }
                object.insert("x_vendor".to_owned(), json!({"deep": [1.5, null, CANARY]}));
                added + 1
            }
            Value::Array(values) => values.iter_mut().map(|value| walk(key, value, into)).sum(),
            _ => 0,
        }
    }
    walk("", value, into)
}

#[test]
fn absent_stays_absent() {
    let least = json!({
        "service_id": "s", "plan_id": "p", "organization_guid": "o", "space_guid": "sp"
    });
    let body: ProvisionRequest = serde_json::from_value(least.clone()).unwrap();
    assert_eq!(serde_json::to_value(&body).unwrap(), least);
    for (message, wanted) in [
        (serde_json::to_string(&Binding::default()).unwrap(), "{}"),
        (serde_json::to_string(&Accepted::default()).unwrap(), "{}"),
    ] {
        assert_eq!(message, wanted);
    }
}

#[test]
fn the_application_comes_from_the_resource_first() {
    let app = |body: Value| {
        let body: quartermaster_osb::BindRequest = serde_json::from_value(body).unwrap();
        body.app().map(str::to_owned)
    };
    let both = json!({"service_id": "s", "plan_id": "p", "app_guid": "top", "bind_resource": {"app_guid": "in"}});
    let top = json!({"service_id": "s", "plan_id": "p", "app_guid": "top", "bind_resource": {"route": "r"}});
    let none = json!({"service_id": "s", "plan_id": "p"});
    assert_eq!(app(both).as_deref(), Some("in"));
    assert_eq!(app(top).as_deref(), Some("top"));
    assert_eq!(app(none), None);
}

#[test]
fn contexts_know_their_profile() {
    let context = |value: Value| -> Context { serde_json::from_value(value).unwrap() };
    let cf =
        context(json!({"platform": "cloudfoundry", "organization_guid": "o", "space_guid": 5}));
    assert_eq!(
        cf.missing(true),
        ["organization_name", "space_guid", "space_name"]
    );
    assert_eq!(
        cf.missing(false),
        [
            "organization_name",
            "space_guid",
            "space_name",
            "instance_name"
        ]
    );
    let k8s = context(json!({"platform": "kubernetes", "namespace": "n"}));
    assert_eq!(k8s.missing(true), ["clusterid"]);
    assert!(
        context(json!({"platform": "nomad"}))
            .missing(false)
            .is_empty()
    );
}

#[test]
fn plans_override_their_offering() {
    let catalog = golden::all().remove(0).json;
    let catalog: quartermaster_osb::Catalog = serde_json::from_value(catalog).unwrap();
    let (offering, plan) = catalog.plan("s", "p").unwrap();
    assert!(offering.binds(plan) && !offering.changes_plan(plan) && offering.plan_updateable);
    assert!(plan.create_schema().is_some() && plan.update_schema().is_some());
    assert!(plan.bind_schema().is_some());
    assert!(catalog.plan("s", "x").is_none() && catalog.plan("x", "p").is_none());
    let info = plan.maintenance_info.clone();
    assert!(matches!(info, Some(MaintenanceInfo { version, .. }) if version == "1.0.0"));
}
