//! The schemas: what OpenAPI says is what the shapes are, and everything has a sentence.

use qm_manager_api::*;
use serde_json::Value;
use std::collections::BTreeMap;
use utoipa::{IntoParams, ToSchema, openapi::path::ParameterIn};

fn add<T: ToSchema>(all: &mut BTreeMap<String, Value>) {
    let mut schemas = vec![(T::name().into_owned(), T::schema())];
    T::schemas(&mut schemas);
    for (name, schema) in schemas {
        all.insert(name, serde_json::to_value(schema).unwrap());
    }
}

fn all() -> BTreeMap<String, Value> {
    let mut all = BTreeMap::new();
    add::<Broker>(&mut all);
    add::<NewBroker>(&mut all);
    add::<BrokerPatch>(&mut all);
    add::<Platform>(&mut all);
    add::<NewPlatform>(&mut all);
    add::<PlatformPatch>(&mut all);
    add::<Visibility>(&mut all);
    add::<NewVisibility>(&mut all);
    add::<VisibilityPatch>(&mut all);
    add::<Offering>(&mut all);
    add::<OfferingPatch>(&mut all);
    add::<Plan>(&mut all);
    add::<PlanPatch>(&mut all);
    add::<Instance>(&mut all);
    add::<NewInstance>(&mut all);
    add::<InstancePatch>(&mut all);
    add::<Parameters>(&mut all);
    add::<Grant>(&mut all);
    add::<NewGrant>(&mut all);
    add::<Binding>(&mut all);
    add::<NewBinding>(&mut all);
    add::<BindingPatch>(&mut all);
    add::<Operation>(&mut all);
    add::<Credential>(&mut all);
    add::<NewCredential>(&mut all);
    add::<BrokerDetails>(&mut all);
    add::<VisibilityDetails>(&mut all);
    add::<Change>(&mut all);
    add::<Info>(&mut all);
    add::<Health>(&mut all);
    add::<Readiness>(&mut all);
    add::<EffectiveConfig>(&mut all);
    add::<LoggingConfig>(&mut all);
    add::<LoggingPatch>(&mut all);
    add::<AgentVersions>(&mut all);
    add::<AuditRecord>(&mut all);
    add::<User>(&mut all);
    add::<NewUser>(&mut all);
    add::<UserPatch>(&mut all);
    add::<Client>(&mut all);
    add::<NewClient>(&mut all);
    add::<ClientPatch>(&mut all);
    add::<TokenRequest>(&mut all);
    add::<TokenResponse>(&mut all);
    add::<OAuthError>(&mut all);
    add::<Discovery>(&mut all);
    add::<Jwks>(&mut all);
    add::<ErrorBody>(&mut all);
    add::<Empty>(&mut all);
    all
}

/// The object itself, or the part of `allOf` that is not a reference to `Base`.
fn own(schema: &Value) -> &Value {
    schema["allOf"]
        .as_array()
        .and_then(|parts| parts.iter().find(|part| part.get("$ref").is_none()))
        .unwrap_or(schema)
}

fn required(schema: &Value) -> Vec<&str> {
    own(schema)["required"]
        .as_array()
        .map(|names| names.iter().filter_map(Value::as_str).collect())
        .unwrap_or_default()
}

#[test]
fn every_type_and_field_has_a_sentence() {
    for (name, schema) in all() {
        // Of what may be null, the sentence stands with the other alternative.
        let said = |value: &Value| {
            let text = &value["description"];
            let text = text.as_str().or(value["oneOf"][0]["description"].as_str());
            text.or(value["oneOf"][1]["description"].as_str())
                .is_some_and(|text| text.len() > 3)
        };
        assert!(said(&schema) || said(own(&schema)), "{name}: {schema}");
        for (field, property) in own(&schema)["properties"].as_object().into_iter().flatten() {
            assert!(said(property), "{name}.{field}: {property}");
        }
    }
}

#[test]
fn every_reference_leads_somewhere() {
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(fields) => {
                if let Some(Value::String(to)) = fields.get("$ref") {
                    found.push(to.clone());
                }
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }
    let all = all();
    let mut found = Vec::new();
    for schema in all.values() {
        references(schema, &mut found);
    }
    assert!(found.len() > 50, "{found:?}");
    for to in found {
        let name = to.strip_prefix("#/components/schemas/").unwrap();
        assert!(all.contains_key(name), "{to}");
    }
}

#[test]
fn what_is_always_there_is_required_and_nothing_else() {
    let all = all();
    let table: [(&str, &[&str]); 11] = [
        ("Base", &["id", "created_at", "updated_at", "ready"]),
        ("Broker", &["name", "description", "broker_url"]),
        ("Platform", &["type", "name", "description"]),
        ("Visibility", &["platform_id", "service_plan_id"]),
        (
            "Instance",
            &["name", "service_plan_id", "platform_id", "usable"],
        ),
        ("Binding", &["name", "service_instance_id"]),
        (
            "Operation",
            &[
                "type",
                "state",
                "resource_id",
                "resource_type",
                "platform_id",
                "correlation_id",
                "reschedule",
                "reschedule_timestamp",
                "deletion_scheduled",
            ],
        ),
        ("NewBroker", &["name", "broker_url", "credentials"]),
        ("NewVisibility", &["service_plan_id"]),
        ("BrokerPatch", &[]),
        ("LabelChange", &["op", "key"]),
    ];
    for (name, wanted) in table {
        assert_eq!(required(&all[name]), wanted, "{name}");
    }
    for (name, schema) in &all {
        if name.ends_with("Patch") {
            assert!(required(schema).is_empty(), "{name}");
        }
    }
}

#[test]
fn fields_have_the_kind_that_is_sent() {
    let all = all();
    let kind = |name: &str, field: &str| own(&all[name])["properties"][field]["type"].clone();
    assert_eq!(kind("BasicCredentials", "password"), "string");
    assert_eq!(
        kind("BrokerPatch", "name"),
        serde_json::json!(["string", "null"])
    );
    assert_eq!(
        kind("InstancePatch", "parameters"),
        serde_json::json!(["object", "null"])
    );
    assert_eq!(
        kind("Plan", "metadata"),
        serde_json::json!(["object", "null"])
    );
    assert_eq!(kind("BrokerPatch", "labels"), "array");
    assert_eq!(all["Timestamp"]["type"], "string");
    assert_eq!(all["Timestamp"]["format"], "date-time");
    assert_eq!(all["Labels"]["type"], "object");
    assert_eq!(
        all["Labels"]["additionalProperties"]["items"]["type"],
        "string"
    );
    assert_eq!(
        all["LabelOp"]["enum"],
        serde_json::json!(["add", "add_values", "remove", "remove_values", "replace"])
    );
    assert_eq!(
        all["OperationState"]["enum"],
        serde_json::json!(["pending", "in progress", "succeeded", "failed"])
    );
}

#[test]
fn lists_and_notifications_have_a_schema_per_content() {
    let mut all = BTreeMap::new();
    add::<Page<Broker>>(&mut all);
    add::<Notification<VisibilityPayload>>(&mut all);
    let page = all
        .iter()
        .find(|(name, _)| name.starts_with("Page"))
        .unwrap()
        .1;
    assert_eq!(required(page), ["num_items"]);
    assert!(page.to_string().contains("schemas/Broker"), "{page}");
    let notification = all
        .iter()
        .find(|(name, _)| name.starts_with("Notification"))
        .unwrap()
        .1;
    assert!(
        notification.to_string().contains("broker_name"),
        "{notification}"
    );
}

#[test]
fn query_parameters_have_their_names_on_the_wire() {
    fn names<T: IntoParams>() -> Vec<String> {
        T::into_params(|| Some(ParameterIn::Query))
            .into_iter()
            .map(|parameter| {
                let parameter = serde_json::to_value(parameter).unwrap();
                assert_eq!(parameter["in"], "query");
                assert_eq!(parameter["required"], false);
                assert!(parameter["description"].is_string(), "{parameter}");
                parameter["name"].as_str().unwrap().to_owned()
            })
            .collect()
    }
    assert_eq!(
        names::<ListQuery>(),
        [
            "fieldQuery",
            "labelQuery",
            "max_items",
            "token",
            "attach_last_operations"
        ]
    );
    assert_eq!(names::<BulkDeleteQuery>(), ["fieldQuery", "labelQuery"]);
    assert_eq!(names::<AsyncQuery>(), ["async"]);
    assert_eq!(names::<DeleteQuery>(), ["async", "cascade", "force"]);
    assert_eq!(names::<PlatformPatchQuery>(), ["regenerateCredentials"]);
    assert_eq!(names::<CredentialQuery>(), ["force"]);
    assert_eq!(names::<NotificationQuery>(), ["last_notification_revision"]);
}
