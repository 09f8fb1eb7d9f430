//! What clients in the field send, odd as it is, and what is refused.

use crate::golden;
use qm_manager_api::{body::Fault, *};
use serde::de::DeserializeOwned;

fn read<T: DeserializeOwned>(json: &str) -> T {
    body::read(json.as_bytes()).unwrap_or_else(|fault| panic!("{json}: {fault}"))
}

fn fault<T: DeserializeOwned>(json: &str) -> String {
    match body::read::<T>(json.as_bytes()) {
        Ok(_) => panic!("{json} was read"),
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn null_is_an_empty_change_of_a_platform() {
    assert_eq!(read::<PlatformPatch>("null"), PlatformPatch::default());
    assert_eq!(read::<PlatformPatch>("{}"), PlatformPatch::default());
    assert_eq!(
        serde_json::to_string(&PlatformPatch::default()).unwrap(),
        "{}"
    );
    assert_eq!(
        fault::<PlatformPatch>("[]"),
        "the body must be a JSON object"
    );
    assert_eq!(
        fault::<PlatformPatch>(r#"{"name":5}"#),
        "name: must be a string"
    );
}

#[test]
fn unknown_fields_are_ignored() {
    let platform: NewPlatform = read(
        r#"{"name":"k","type":"kubernetes","ready":true,"created_at":"0001-01-01T00:00:00Z","credentials":{"basic":{}}}"#,
    );
    assert_eq!(platform.name, "k");
    assert_eq!(
        read::<BrokerPatch>(r#"{"id":"x","updated_at":"t","anything":{}}"#),
        BrokerPatch::default()
    );
    // smctl sends service_id; the BTP operator sends ready and usable.
    let instance: NewInstance =
        read(r#"{"name":"i","service_id":"s","service_plan_id":"p","ready":false,"usable":false}"#);
    assert_eq!(
        instance,
        NewInstance {
            name: "i".to_owned(),
            service_plan_id: Some("p".to_owned()),
            ..NewInstance::default()
        }
    );
    assert_eq!(
        read::<InstancePatch>(r#"{"shared":true,"ready":false,"usable":false}"#),
        InstancePatch {
            shared: Patch::Value(true),
            ..InstancePatch::default()
        }
    );
}

#[test]
fn a_proxy_sends_its_whole_credential_with_empty_fields() {
    let credential: NewCredential = read(
        r#"{"id":"","created_at":"0001-01-01T00:00:00Z","updated_at":"0001-01-01T00:00:00Z","ready":false,"username":"u","password_hash":"h","old_username":"","old_password_hash":"","platform_id":"","broker_id":"b1","notification_id":"","active":false}"#,
    );
    assert_eq!(credential.broker_id, "b1");
    assert_eq!(credential.notification_id, "");
    assert_eq!(
        read::<NewCredential>(
            r#"{"username":"u","password_hash":"h","broker_id":"b1","notification_id":null}"#
        ),
        credential
    );
}

#[test]
fn null_where_nothing_is_meant() {
    let broker: NewBroker = read(
        r#"{"id":null,"name":"db","broker_url":"u","description":null,"credentials":null,"labels":null}"#,
    );
    assert_eq!(broker.credentials, None);
    assert!(broker.labels.is_empty());
    assert!(!read::<NewPlatform>(r#"{"name":"k","type":"t","technical":null}"#).technical);
    assert!(read::<BrokerPatch>(r#"{"labels":null}"#).labels.is_empty());
    assert_eq!(
        read::<NewPlatform>(r#"{"name":"k","type":"t","labels":{"a":null,"b":[]}}"#).labels,
        [("a".to_owned(), vec![]), ("b".to_owned(), vec![])]
            .into_iter()
            .collect()
    );
    // The BTP operator removes a label so.
    assert_eq!(
        read::<BindingPatch>(r#"{"labels":[{"op":"remove","key":"_k8sname","values":null}]}"#)
            .labels,
        [LabelChange {
            op: LabelOp::Remove,
            key: "_k8sname".to_owned(),
            values: Vec::new(),
        }]
    );
}

#[test]
fn a_label_change_may_have_a_word_of_its_own_and_no_values() {
    let change: LabelChange = read(r#"{"op":"remove_value","key":"k"}"#);
    assert_eq!(change.op, LabelOp::Other("remove_value".to_owned()));
    assert!(change.values.is_empty());
}

#[test]
fn labels_are_a_map_or_a_list_and_never_the_other() {
    assert_eq!(
        fault::<BrokerPatch>(r#"{"labels":{"env":["dev"]}}"#),
        "labels: must be an array"
    );
    assert_eq!(
        fault::<NewPlatform>(r#"{"name":"k","type":"t","labels":[]}"#),
        "labels: must be an object of string arrays"
    );
    assert_eq!(
        fault::<NewPlatform>(r#"{"name":"k","type":"t","labels":{"env":"dev"}}"#),
        "labels.env: must be an array"
    );
}

#[test]
fn offerings_and_plans_take_labels_only() {
    let body = r#"{"labels":[],"name":"x"}"#;
    for fault in [fault::<OfferingPatch>(body), fault::<PlanPatch>(body)] {
        assert_eq!(fault, "name: must be `labels`");
    }
}

#[test]
fn what_is_required_is_named() {
    assert_eq!(fault::<NewBroker>("{}"), "name: is required");
    assert_eq!(
        fault::<NewBroker>(r#"{"name":"db"}"#),
        "broker_url: is required"
    );
    assert_eq!(fault::<NewPlatform>(r#"{"name":"k"}"#), "type: is required");
    assert_eq!(fault::<NewVisibility>("{}"), "service_plan_id: is required");
    assert_eq!(
        fault::<NewCredential>(r#"{"broker_id":"b","username":"u"}"#),
        "password_hash: is required"
    );
    assert_eq!(
        fault::<NewUser>(r#"{"name":"a","password":"hunter2","roles":["king"]}"#),
        "roles[0]: must be one of `viewer`, `developer`, `admin`, `purge`"
    );
    assert_eq!(
        fault::<NewBroker>(
            r#"{"name":"db","broker_url":"u","credentials":{"bearer":{},"basic":{}}}"#
        ),
        "credentials.bearer.token: is required"
    );
}

#[test]
fn a_fault_never_repeats_a_secret() {
    let faults = [
        fault::<NewBroker>(r#"{"name":"db","broker_url":"u","credentials":{"basic":"hunter2"}}"#),
        fault::<NewBroker>(
            r#"{"name":"db","broker_url":"u","credentials":{"basic":{"password":["hunter2"]}}}"#,
        ),
        fault::<PlatformPatch>(r#"{"technical":"hunter2"}"#),
        fault::<NewInstance>(r#"{"name":"i","parameters":"hunter2"}"#),
        fault::<NewPlatform>(r#"{"name":"k","type":"t","labels":"hunter2"}"#),
        fault::<UserPatch>(r#"{"roles":["hunter2"]}"#),
    ];
    for fault in faults {
        assert!(!fault.contains("hunter2"), "{fault}");
    }
}

#[test]
fn a_field_given_twice_is_refused() {
    for golden in golden::all() {
        let Some(inside) = golden.json.strip_prefix('{') else {
            continue;
        };
        let names: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(&golden.json).unwrap();
        // Free-form objects: whoever reads the bytes looks for repeated keys at any depth.
        if ["parameters", "config", "agents", "empty"].contains(&golden.name) {
            continue;
        }
        for (name, value) in names {
            let twice = format!(r#"{{"{name}":{value},{inside}"#);
            let error = (golden.again)(&twice)
                .expect_err(&format!("{}: {name} twice", golden.name))
                .to_string();
            assert!(
                error.contains(&format!("duplicate field `{name}`")),
                "{}: {error}",
                golden.name
            );
        }
    }
}

#[test]
fn a_key_given_twice_is_refused_at_any_depth() {
    let table = [
        (r#"{"name":"k","type":"t","name":"k"}"#, "name"),
        (
            r#"{"name":"k","type":"t","unknown":1,"unknown":1}"#,
            "unknown",
        ),
        (
            r#"{"name":"k","type":"t","labels":{"env":["dev"],"env":["qa"]}}"#,
            "labels.env",
        ),
        (
            r#"{"name":"k","type":"t","x":[{"a":null},{"a":true,"b":{"c":-1,"d":1.5,"c":1}}]}"#,
            "x[1].b.c",
        ),
        // The same key, written in another way.
        (r#"{"name":"k","type":"t","n\u0061me":"k"}"#, "name"),
    ];
    for (json, path) in table {
        assert_eq!(
            body::read::<NewPlatform>(json.as_bytes()),
            Err(Fault::Duplicate {
                path: path.to_owned()
            }),
            "{json}"
        );
        assert_eq!(
            fault::<NewPlatform>(json),
            format!("invalid json: duplicate key {path}")
        );
    }
    read::<NewPlatform>(r#"{"name":"k","type":"t","x":[{"a":1},{"a":1,"b":{"a":1}}]}"#);
}

#[test]
fn labels_refuse_a_key_given_twice_by_themselves() {
    let error = serde_json::from_str::<Labels>(r#"{"env":["dev"],"env":["qa"]}"#).unwrap_err();
    assert!(
        error.to_string().contains("duplicate field `env`"),
        "{error}"
    );
}

#[test]
fn a_body_is_an_object() {
    for json in ["[]", " [\"k\",\"t\"]", "5", "\"hunter2\"", "null"] {
        assert_eq!(
            fault::<NewPlatform>(json),
            "the body must be a JSON object",
            "{json}"
        );
    }
    assert_eq!(
        fault::<NewPlatform>(""),
        "the body is empty; it must be a JSON object"
    );
    assert_eq!(
        fault::<NewPlatform>(r#"{"name":"k""#),
        "the body is not valid JSON: EOF while parsing an object at line 1, column 11"
    );
    let deep = format!(
        r#"{{"name":"k","type":"t","x":{}{}}}"#,
        "[".repeat(200),
        "]".repeat(200)
    );
    assert_eq!(
        fault::<NewPlatform>(&deep),
        "the body nests more than 128 deep"
    );
}
