//! One good catalog, broken in one way at a time. Each break is found, at its path, under its rule.

use quartermaster_osb::{Catalog, Level, Problem, catalog::problems_of};
use serde_json::{Value, json};

const OFFERING: &str = "acb56d7c-xxxx-xxxx-xxxx-feb140a59a66";

fn good() -> Value {
    json!({"services": [
        {
            "name": "fake-service",
            "id": "11111111-2222-3333-4444-555555555555",
            "description": "a service",
            "bindable": true,
            "tags": ["relational"],
            "requires": ["route_forwarding"],
            "metadata": {"displayName": "Fake"},
            "dashboard_client": {"id": "client", "secret": "hunter2", "redirect_uri": "http://h"},
            "plan_updateable": true,
            "plans": [
                {
                    "id": "66666666-2222-3333-4444-555555555555",
                    "name": "small",
                    "description": "a plan",
                    "free": false,
                    "binding_rotatable": true,
                    "maximum_polling_duration": 60,
                    "maintenance_info": {"version": "1.2.3-rc.1+b5", "description": "new kernel"},
                    "schemas": {
                        "service_instance": {"create": {"parameters": schema()}, "update": {}},
                        "service_binding": {"create": {"parameters": schema()}}
                    }
                },
                {
                    "id": "77777777-2222-3333-4444-555555555555",
                    "name": "large",
                    "description": "a plan",
                    "bindable": false
                }
            ]
        },
        {
            "name": "other.service",
            "id": "88888888-2222-3333-4444-555555555555",
            "description": "another service",
            "bindable": false,
            "plans": [{
                "id": "99999999-2222-3333-4444-555555555555",
                "name": "small",
                "description": "the same name in another offering is fine"
            }]
        }
    ]})
}

fn schema() -> Value {
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "http://schemas.example/own",
        "type": "object",
        "properties": {
            "size": {"$ref": "#/definitions/size"},
            "self": {"$ref": "http://schemas.example/own#/definitions/size"},
            "$ref": {"type": "string"},
            "default": {"type": "object", "default": {"$ref": "http://elsewhere.example"}}
        },
        "definitions": {"size": {"type": "integer"}}
    })
}

/// Sets the value at a pointer; with `None` removes it.
fn broken(pointer: &str, value: Option<Value>) -> Value {
    let mut catalog = good();
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let parent = catalog.pointer_mut(parent).unwrap();
    match (parent, value) {
        (Value::Object(object), Some(value)) => {
            object.insert(key.to_owned(), value);
        }
        (Value::Object(object), None) => {
            object.remove(key).unwrap();
        }
        (Value::Array(array), Some(value)) => array[key.parse::<usize>().unwrap()] = value,
        other => panic!("{pointer}: {other:?}"),
    }
    catalog
}

fn found(catalog: &Value) -> Vec<(String, &'static str, Level)> {
    problems_of(catalog)
        .into_iter()
        .map(|problem| (problem.path, problem.rule, problem.level))
        .collect()
}

#[test]
fn a_good_catalog_has_no_problems() {
    assert_eq!(problems_of(&good()), []);
    let typed: Catalog = serde_json::from_value(good()).unwrap();
    assert_eq!(typed.problems(), []);
    assert_eq!(problems_of(&json!({"services": []})), []);
}

#[test]
fn every_break_is_found() {
    use Level::{Must, Should};
    let large = json!({"$schema": "x", "description": "x".repeat(65_536)});
    let external = |target: &str| json!({"$schema": "x", "items": [{"$ref": target}]});
    let s = "/services/0";
    let p = "/services/0/plans/0";
    let schema = "/services/0/plans/0/schemas/service_instance/create/parameters";
    let cases: Vec<(String, Option<Value>, &str, &str, Level)> = vec![
        ("/services".into(), None, "$.services", "E1", Must),
        (
            "/services".into(),
            Some(json!({})),
            "$.services",
            "E1",
            Must,
        ),
        (
            "/services/1".into(),
            Some(json!("x")),
            "$.services[1]",
            "E1",
            Must,
        ),
        (format!("{s}/name"), None, "$.services[0].name", "E1", Must),
        (
            format!("{s}/name"),
            Some(json!(5)),
            "$.services[0].name",
            "E1",
            Must,
        ),
        (
            format!("{s}/name"),
            Some(json!(null)),
            "$.services[0].name",
            "E1",
            Must,
        ),
        (
            format!("{s}/name"),
            Some(json!("")),
            "$.services[0].name",
            "B11",
            Must,
        ),
        (
            format!("{s}/name"),
            Some(json!("other.service")),
            "$.services[1].name",
            "B11",
            Must,
        ),
        (
            format!("{s}/name"),
            Some(json!("fake service")),
            "$.services[0].name",
            "B12",
            Should,
        ),
        (
            format!("{s}/name"),
            Some(json!("x".repeat(256))),
            "$.services[0].name",
            "B12",
            Should,
        ),
        (format!("{s}/id"), None, "$.services[0].id", "E1", Must),
        (
            format!("{s}/id"),
            Some(json!("")),
            "$.services[0].id",
            "B11",
            Must,
        ),
        (
            format!("{s}/id"),
            Some(json!("88888888-2222-3333-4444-555555555555")),
            "$.services[1].id",
            "B11",
            Must,
        ),
        (
            format!("{s}/id"),
            Some(json!(OFFERING)),
            "$.services[0].id",
            "B12",
            Should,
        ),
        (
            format!("{s}/description"),
            None,
            "$.services[0].description",
            "E1",
            Must,
        ),
        (
            format!("{s}/description"),
            Some(json!("")),
            "$.services[0].description",
            "B11",
            Must,
        ),
        (
            format!("{s}/bindable"),
            None,
            "$.services[0].bindable",
            "E1",
            Must,
        ),
        (
            format!("{s}/bindable"),
            Some(json!("true")),
            "$.services[0].bindable",
            "E1",
            Must,
        ),
        (
            format!("{s}/bindable"),
            Some(json!(null)),
            "$.services[0].bindable",
            "E1",
            Must,
        ),
        (
            format!("{s}/tags"),
            Some(json!("a")),
            "$.services[0].tags",
            "E1",
            Must,
        ),
        (
            format!("{s}/tags"),
            Some(json!(["a", 5])),
            "$.services[0].tags[1]",
            "E1",
            Must,
        ),
        (
            format!("{s}/tags"),
            Some(json!(null)),
            "$.services[0].tags",
            "E1",
            Should,
        ),
        (
            format!("{s}/tags"),
            Some(json!([""])),
            "$.services[0].tags[0]",
            "B12",
            Should,
        ),
        (
            format!("{s}/requires"),
            Some(json!(["disk"])),
            "$.services[0].requires[0]",
            "B15",
            Must,
        ),
        (
            format!("{s}/requires"),
            Some(json!({})),
            "$.services[0].requires",
            "E1",
            Must,
        ),
        (
            format!("{s}/instances_retrievable"),
            Some(json!(1)),
            "$.services[0].instances_retrievable",
            "E1",
            Must,
        ),
        (
            format!("{s}/bindings_retrievable"),
            Some(json!(1)),
            "$.services[0].bindings_retrievable",
            "E1",
            Must,
        ),
        (
            format!("{s}/allow_context_updates"),
            Some(json!(1)),
            "$.services[0].allow_context_updates",
            "E1",
            Must,
        ),
        (
            format!("{s}/plan_updateable"),
            Some(json!(1)),
            "$.services[0].plan_updateable",
            "E1",
            Must,
        ),
        (
            format!("{s}/metadata"),
            Some(json!([])),
            "$.services[0].metadata",
            "E1",
            Must,
        ),
        (
            format!("{s}/dashboard_client"),
            Some(json!("x")),
            "$.services[0].dashboard_client",
            "E1",
            Must,
        ),
        (
            format!("{s}/dashboard_client/id"),
            None,
            "$.services[0].dashboard_client.id",
            "E1",
            Must,
        ),
        (
            format!("{s}/dashboard_client/secret"),
            None,
            "$.services[0].dashboard_client.secret",
            "E1",
            Must,
        ),
        (
            format!("{s}/dashboard_client/redirect_uri"),
            Some(json!(5)),
            "$.services[0].dashboard_client.redirect_uri",
            "E1",
            Must,
        ),
        (
            format!("{s}/plans"),
            None,
            "$.services[0].plans",
            "E1",
            Must,
        ),
        (
            format!("{s}/plans"),
            Some(json!(null)),
            "$.services[0].plans",
            "E1",
            Must,
        ),
        (
            format!("{s}/plans"),
            Some(json!([])),
            "$.services[0].plans",
            "B11",
            Must,
        ),
        (
            format!("{s}/plans/1"),
            Some(json!(5)),
            "$.services[0].plans[1]",
            "E1",
            Must,
        ),
        (
            format!("{p}/id"),
            None,
            "$.services[0].plans[0].id",
            "E1",
            Must,
        ),
        (
            format!("{p}/id"),
            Some(json!("")),
            "$.services[0].plans[0].id",
            "B11",
            Must,
        ),
        (
            format!("{p}/id"),
            Some(json!("99999999-2222-3333-4444-555555555555")),
            "$.services[1].plans[0].id",
            "B11",
            Must,
        ),
        (
            format!("{p}/name"),
            Some(json!("large")),
            "$.services[0].plans[1].name",
            "B11",
            Must,
        ),
        (
            format!("{p}/name"),
            Some(json!("my_plan")),
            "$.services[0].plans[0].name",
            "B12",
            Should,
        ),
        (
            format!("{p}/description"),
            None,
            "$.services[0].plans[0].description",
            "E1",
            Must,
        ),
        (
            format!("{p}/free"),
            Some(json!("no")),
            "$.services[0].plans[0].free",
            "E1",
            Must,
        ),
        (
            format!("{p}/metadata"),
            Some(json!(5)),
            "$.services[0].plans[0].metadata",
            "E1",
            Must,
        ),
        (
            format!("{p}/bindable"),
            Some(json!(false)),
            "$.services[0].plans[0].binding_rotatable",
            "B55",
            Should,
        ),
        (
            format!("{p}/binding_rotatable"),
            Some(json!(1)),
            "$.services[0].plans[0].binding_rotatable",
            "E1",
            Must,
        ),
        (
            format!("{p}/plan_updateable"),
            Some(json!(1)),
            "$.services[0].plans[0].plan_updateable",
            "E1",
            Must,
        ),
        (
            format!("{p}/maximum_polling_duration"),
            Some(json!(0)),
            "$.services[0].plans[0].maximum_polling_duration",
            "E1",
            Must,
        ),
        (
            format!("{p}/maximum_polling_duration"),
            Some(json!(1.5)),
            "$.services[0].plans[0].maximum_polling_duration",
            "E1",
            Must,
        ),
        (
            format!("{p}/maximum_polling_duration"),
            Some(json!("60")),
            "$.services[0].plans[0].maximum_polling_duration",
            "E1",
            Must,
        ),
        (
            format!("{p}/maintenance_info"),
            Some(json!(5)),
            "$.services[0].plans[0].maintenance_info",
            "E1",
            Must,
        ),
        (
            format!("{p}/maintenance_info/version"),
            None,
            "$.services[0].plans[0].maintenance_info.version",
            "E1",
            Must,
        ),
        (
            format!("{p}/maintenance_info/version"),
            Some(json!("1.0")),
            "$.services[0].plans[0].maintenance_info.version",
            "B14",
            Must,
        ),
        (
            format!("{p}/schemas"),
            Some(json!([])),
            "$.services[0].plans[0].schemas",
            "E1",
            Must,
        ),
        (
            format!("{p}/schemas/service_binding/create"),
            Some(json!(5)),
            "$.services[0].plans[0].schemas.service_binding.create",
            "E1",
            Must,
        ),
        (
            schema.into(),
            Some(json!(true)),
            "$.services[0].plans[0].schemas.service_instance.create.parameters",
            "E1",
            Must,
        ),
        (
            format!("{schema}/$schema"),
            None,
            "$.services[0].plans[0].schemas.service_instance.create.parameters.$schema",
            "B13",
            Must,
        ),
        (
            schema.into(),
            Some(external("http://elsewhere.example/a.json")),
            "$.services[0].plans[0].schemas.service_instance.create.parameters.items[0].$ref",
            "B13",
            Must,
        ),
        (
            schema.into(),
            Some(external("other.json#/a")),
            "$.services[0].plans[0].schemas.service_instance.create.parameters.items[0].$ref",
            "B13",
            Must,
        ),
        (
            schema.into(),
            Some(large),
            "$.services[0].plans[0].schemas.service_instance.create.parameters",
            "B13",
            Must,
        ),
    ];
    for (pointer, value, path, rule, level) in cases {
        let catalog = broken(&pointer, value);
        let wanted = (path.to_owned(), rule, level);
        let found = found(&catalog);
        assert!(
            found.contains(&wanted),
            "{pointer}: wanted {wanted:?}, found {found:?}"
        );
        if level == Must && rule == "E1" {
            let zero = pointer.ends_with("maximum_polling_duration");
            let schema = path.ends_with("parameters");
            assert!(
                zero || schema || serde_json::from_value::<Catalog>(catalog).is_err(),
                "{pointer} decodes all the same"
            );
        } else {
            let decoded = serde_json::from_value::<Catalog>(catalog);
            let empty = rule == "B11" && path.ends_with("id");
            assert!(empty || decoded.is_ok(), "{pointer}: {decoded:?}");
        }
    }
}

#[test]
fn all_problems_come_at_once() {
    let mut catalog = good();
    catalog["services"][0]["name"] = json!(5);
    catalog["services"][0]["plans"][0]["id"] = json!("");
    catalog["services"][0]["plans"][1] = json!({});
    catalog["services"][1] = json!({"x": 1});
    let paths: Vec<String> = problems_of(&catalog)
        .into_iter()
        .map(|problem| problem.path)
        .collect();
    assert_eq!(
        paths,
        [
            "$.services[0].name",
            "$.services[0].plans[0].id",
            "$.services[0].plans[1].id",
            "$.services[0].plans[1].name",
            "$.services[0].plans[1].description",
            "$.services[1].name",
            "$.services[1].id",
            "$.services[1].description",
            "$.services[1].bindable",
            "$.services[1].plans",
        ]
    );
}

#[test]
fn a_problem_reads_well_and_holds_no_secret() {
    let catalog = broken(
        "/services/0/dashboard_client/secret",
        Some(json!(["hunter2"])),
    );
    let shown: Vec<String> = problems_of(&catalog)
        .iter()
        .map(Problem::to_string)
        .collect();
    assert_eq!(
        shown,
        ["$.services[0].dashboard_client.secret: must be a string, not an array (E1, MUST)"]
    );
}

#[test]
fn null_is_read_as_absent() {
    let mut catalog = good();
    for key in [
        "tags",
        "requires",
        "instances_retrievable",
        "plan_updateable",
        "metadata",
    ] {
        catalog["services"][0][key] = Value::Null;
    }
    for key in [
        "free",
        "bindable",
        "binding_rotatable",
        "schemas",
        "maintenance_info",
    ] {
        catalog["services"][0]["plans"][0][key] = Value::Null;
    }
    assert!(
        found(&catalog)
            .iter()
            .all(|(_, _, level)| *level == Level::Should)
    );
    let catalog: Catalog = serde_json::from_value(catalog).unwrap();
    let plan = &catalog.services[0].plans[0];
    assert!(plan.free && !plan.binding_rotatable && catalog.services[0].tags.is_empty());
}
