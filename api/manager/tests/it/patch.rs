//! Absent, `null` and a value are three things, in every field of every patch.

use qm_manager_api::*;

#[test]
fn the_three_are_told_apart_and_written_as_they_were() {
    let table = [
        ("{}", Patch::Absent),
        (r#"{"description":null}"#, Patch::Null),
        (r#"{"description":"d"}"#, Patch::Value("d".to_owned())),
        (r#"{"description":""}"#, Patch::Value(String::new())),
    ];
    for (json, wanted) in table {
        let patch: BrokerPatch = serde_json::from_str(json).unwrap();
        assert_eq!(patch.description, wanted, "{json}");
        assert_eq!(serde_json::to_string(&patch).unwrap(), json);
    }
}

#[test]
fn every_field_of_every_patch_takes_null() {
    fn all_null<T>(fields: &[&str])
    where
        T: serde::Serialize + serde::de::DeserializeOwned + Default + PartialEq,
    {
        for field in fields {
            let json = format!(r#"{{"{field}":null}}"#);
            let patch: T = serde_json::from_str(&json).unwrap();
            assert_eq!(serde_json::to_string(&patch).unwrap(), json);
            assert!(patch != T::default(), "{field} is taken for absent");
        }
    }
    all_null::<BrokerPatch>(&["name", "broker_url", "description", "credentials"]);
    all_null::<PlatformPatch>(&["name", "type", "description", "technical", "suspended"]);
    all_null::<VisibilityPatch>(&["platform_id", "service_plan_id"]);
    all_null::<InstancePatch>(&[
        "id",
        "name",
        "service_plan_id",
        "parameters",
        "maintenance_info",
        "platform_id",
        "dashboard_url",
        "shared",
        "referenced_instance_id",
    ]);
    all_null::<BindingPatch>(&[
        "id",
        "name",
        "service_instance_id",
        "parameters",
        "bind_resource",
    ]);
    all_null::<UserPatch>(&["name", "password", "roles", "tenant"]);
    all_null::<ClientPatch>(&["description", "secret", "roles", "tenant"]);
    all_null::<LoggingPatch>(&["level", "format", "output"]);
}

#[test]
fn its_ways_out() {
    let table = [
        (Patch::Absent, None, None),
        (Patch::Null, None, Some(None)),
        (Patch::from(1), Some(1), Some(Some(1))),
    ];
    for (patch, value, nested) in table {
        assert_eq!(patch.value(), value);
        assert_eq!(patch.into_nested(), nested);
        assert_eq!(patch.as_ref().map(|n| *n), patch);
        assert_eq!(patch.map(|n| n + 1).value(), value.map(|n| n + 1));
    }
    assert!(Patch::<i32>::default().is_absent());
    assert!(Patch::<i32>::Null.is_null());
    assert!(!Patch::Value(1).is_absent() && !Patch::Value(1).is_null());
}
