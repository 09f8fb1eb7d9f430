//! The wire examples that clients were written against, byte for byte.

use qm_manager_api::*;
use serde::{Serialize, de::DeserializeOwned};
use serde_json::value::RawValue;

fn same<T: DeserializeOwned + Serialize>(json: &str) -> T {
    let shape: T = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&shape).unwrap(), json);
    shape
}

#[test]
fn list_page() {
    let page: Page<Visibility> = same(
        r#"{"token":"MTc=","num_items":42,"items":[{"id":"a1","created_at":"2024-05-01T10:00:00.123456Z","updated_at":"2024-05-01T10:00:01.5Z","labels":{"env":["dev","qa"]},"ready":true,"platform_id":"","service_plan_id":"p1"}]}"#,
    );
    assert_eq!(page.next(), Some("MTc="));
    let visibility = page.into_items().remove(0);
    assert_eq!(visibility.base.labels["env"], ["dev", "qa"]);
    assert_eq!(visibility.platform_id, "");
}

#[test]
fn operation() {
    let operation: Operation = same(
        r#"{"id":"o1","created_at":"2024-05-01T10:00:00Z","updated_at":"2024-05-01T10:00:04Z","ready":true,"type":"create","state":"failed","resource_id":"i1","resource_type":"/v1/service_instances","errors":{"error":"BrokerError","description":"…"},"platform_id":"service-manager","correlation_id":"c1","reschedule":false,"reschedule_timestamp":"0001-01-01T00:00:00Z","deletion_scheduled":"0001-01-01T00:00:00Z"}"#,
    );
    assert_eq!(
        operation,
        Operation {
            base: Base {
                id: "o1".to_owned(),
                created_at: "2024-05-01T10:00:00Z".into(),
                updated_at: "2024-05-01T10:00:04Z".into(),
                labels: Labels::new(),
                ready: true,
            },
            description: None,
            kind: OperationType::Create,
            state: OperationState::Failed,
            resource_id: "i1".to_owned(),
            transitive_resources: Vec::new(),
            resource_type: instance::PATH.to_owned(),
            errors: Some(OperationErrors::new("BrokerError", "…")),
            platform_id: "service-manager".to_owned(),
            correlation_id: "c1".to_owned(),
            parent_id: None,
            cascade_root_id: None,
            reschedule: false,
            reschedule_timestamp: Timestamp::ZERO,
            deletion_scheduled: Timestamp::ZERO,
            attempts: None,
            next_attempt_at: None,
            deadline: None,
            steps: Vec::new(),
            first_error: None,
            last_error: None,
            broker_error: None,
        }
    );
}

#[test]
fn notification() {
    let notification: Notification<Box<RawValue>> = same(
        r#"{"id":"n1","created_at":"2024-05-01T10:00:00Z","updated_at":"2024-05-01T10:00:00Z","ready":true,"resource":"/v1/visibilities","type":"MODIFIED","platform_id":"cf-1","revision":311,"payload":{"new":{"resource":{"id":"v1","platform_id":"cf-1","service_plan_id":"p1","ready":true},"additional":{"broker_id":"b1","broker_name":"db","service_plan":{"id":"p1","catalog_id":"cp1","name":"small"}}},"old":{"resource":{"id":"v1"},"additional":{}},"label_changes":[{"op":"add","key":"organization_guid","values":["org-1"]}]},"correlation_id":"c1"}"#,
    );
    assert_eq!(notification.resource, visibility::PATH);
    assert_eq!(notification.kind, Change::Modified);
    assert_eq!(notification.revision, 311);

    let payload: Payload<Object, Object> =
        serde_json::from_str(notification.payload.get()).unwrap();
    assert_eq!(payload.new.unwrap().additional["broker_name"], "db");
    assert_eq!(payload.old.unwrap().resource["id"], "v1");
    assert_eq!(
        payload.label_changes,
        [LabelChange {
            op: LabelOp::Add,
            key: "organization_guid".to_owned(),
            values: vec!["org-1".to_owned()],
        }]
    );
}

#[test]
fn broker_registration() {
    let broker: NewBroker = same(
        r#"{"name":"db","broker_url":"https://db.example","description":"","credentials":{"basic":{"username":"u","password":"p"},"tls":{"client_certificate":"<PEM>","client_key":"<PEM>"}},"labels":{"region":["eu"]}}"#,
    );
    let credentials = broker.credentials.unwrap();
    assert_eq!(credentials.basic.unwrap().password.expose(), "p");
    assert!(!credentials.tls.unwrap().sm_provided_tls_credentials);
}

#[test]
fn reference_instance() {
    let instance: NewInstance = same(
        r#"{"name":"ref","service_plan_id":"<reference plan id>","parameters":{"selectors":{"instance_label_selector":["region eq 'eu'"]}}}"#,
    );
    assert!(
        instance
            .parameters
            .unwrap()
            .expose()
            .contains_key("selectors")
    );
}

#[test]
fn errors_of_operations() {
    let cascade: OperationErrors = same(
        r#"{"cascade_errors":[{"resource_type":"/v1/service_instances","resource_id":"i1","message":"no"}]}"#,
    );
    assert_eq!(cascade.cascade_errors[0].parent_id, None);
    same::<OperationErrors>(r#"{"error":"BrokerError:no","errors":["{}"]}"#);
}

#[test]
fn error() {
    let body = ErrorBody::new(error::word::NOT_FOUND, "could not find such /v1/platforms");
    assert_eq!(
        serde_json::to_string(&body).unwrap(),
        r#"{"error":"NotFound","description":"could not find such /v1/platforms"}"#
    );
    // A client of ours reads what others send with it.
    let foreign: ErrorBody = serde_json::from_str(
        r#"{"description":"no","broker_error":{"StatusCode":500,"ErrorMessage":null,"Description":"d","ResponseError":null}}"#,
    )
    .unwrap();
    assert_eq!(foreign.error, None);
    assert_eq!(foreign.broker_error.unwrap().expose().status_code, 500);
}

#[test]
fn info_without_the_optional_fields() {
    let info: Info = serde_json::from_str(r#"{"token_issuer_url":"https://i.example"}"#).unwrap();
    assert!(
        info.token_basic_auth,
        "clients take a missing field for true"
    );
}
