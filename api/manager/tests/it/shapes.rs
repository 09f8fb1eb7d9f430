//! The bytes of every shape: full, and with everything left out that may be.

use crate::golden;
use qm_manager_api::*;
use serde::{Serialize, de::DeserializeOwned};

#[test]
fn a_full_shape_is_written_as_it_was_read() {
    for golden in golden::all() {
        assert_eq!(
            (golden.again)(&golden.json).unwrap(),
            golden.json,
            "{}",
            golden.name
        );
    }
}

/// Reads the shortest form and writes it again: nothing is added.
fn short<T: DeserializeOwned + Serialize>(json: &str) {
    let shape: T = serde_json::from_str(json).unwrap();
    assert_eq!(serde_json::to_string(&shape).unwrap(), json);
}

#[test]
fn what_is_not_there_is_left_out() {
    const BASE: &str = r#"{"id":"a1","created_at":"2024-05-01T10:00:00Z","updated_at":"2024-05-01T10:00:00Z","ready":false"#;
    let with_base = |rest: &str| format!("{BASE},{rest}}}");
    short::<Broker>(&with_base(
        r#""name":"db","description":"","broker_url":"https://db.example""#,
    ));
    short::<Platform>(&with_base(
        r#""type":"kubernetes","name":"k","description":"""#,
    ));
    short::<Visibility>(&with_base(r#""platform_id":"","service_plan_id":"p1""#));
    short::<Offering>(&with_base(
        r#""name":"db","description":"","bindable":false,"instances_retrievable":false,"bindings_retrievable":false,"plan_updateable":false,"allow_context_updates":false,"broker_id":"b1","catalog_id":"cs1","catalog_name":"db""#,
    ));
    short::<Plan>(&with_base(
        r#""name":"small","description":"d","catalog_id":"cp1","catalog_name":"small","free":false,"service_offering_id":"s1""#,
    ));
    short::<Instance>(&with_base(
        r#""name":"i","service_plan_id":"p1","platform_id":"service-manager","usable":false"#,
    ));
    short::<Binding>(&with_base(r#""name":"b","service_instance_id":"i1""#));
    short::<Operation>(&with_base(
        r#""type":"update","state":"pending","resource_id":"a1","resource_type":"/v1/platforms","platform_id":"","correlation_id":"","reschedule":false,"reschedule_timestamp":"0001-01-01T00:00:00Z","deletion_scheduled":"0001-01-01T00:00:00Z""#,
    ));
    short::<Credential>(&with_base(
        r#""username":"u","password_hash":"h","old_username":"","old_password_hash":"","platform_id":"k1","broker_id":"b1","active":true"#,
    ));
    short::<Info>(
        r#"{"token_issuer_url":"i","token_basic_auth":true,"service_manager_tenant_id":""}"#,
    );
    short::<Health>(r#"{"status":"UP"}"#);
    short::<Readiness>(r#"{"ready":true}"#);
    short::<ErrorBody>("{}");
    short::<OperationErrors>("{}");
    short::<OperationErrors>(r#"{"errors":["{\"error\":\"BrokerError:no\"}"]}"#);
    short::<BrokerError>(r#"{"StatusCode":500}"#);
    short::<CatalogState>("{}");
    short::<Page<Empty>>(r#"{"num_items":5}"#);
    short::<Page<Empty>>(r#"{"num_items":0,"items":[]}"#);
    short::<Parameters>("null");
    short::<User>(r#"{"id":"u","name":"a","roles":[],"created_at":"t","updated_at":"t"}"#);
    short::<Client>(r#"{"id":"c","description":"","roles":[],"created_at":"t","updated_at":"t"}"#);
    short::<TokenResponse>(r#"{"access_token":"t","token_type":"Bearer"}"#);
    short::<OAuthError>(r#"{"error":"invalid_grant"}"#);
    short::<ListQuery>("{}");
    short::<NewBroker>(r#"{"name":"db","broker_url":"u"}"#);
    short::<NewPlatform>(r#"{"name":"k","type":"kubernetes"}"#);
    short::<NewVisibility>(r#"{"service_plan_id":"p1"}"#);
    short::<NewInstance>(r#"{"name":"i"}"#);
    short::<NewBinding>(r#"{"name":"b","service_instance_id":"i1"}"#);
    short::<NewCredential>(r#"{"broker_id":"b","username":"u","password_hash":"h"}"#);
}

#[test]
fn a_page_ends_where_clients_see_its_end() {
    let next = |json: &str| {
        let page: Page<Empty> = serde_json::from_str(json).unwrap();
        (page.next().map(str::to_owned), page.into_items().len())
    };
    let more = (Some("MTc=".to_owned()), 1);
    assert_eq!(next(r#"{"num_items":9,"items":[{}],"token":"MTc="}"#), more);
    assert_eq!(
        next(r#"{"num_items":1,"items":[{}],"token":""}"#),
        (None, 1)
    );
    assert_eq!(next(r#"{"num_items":1,"items":[{}]}"#), (None, 1));
    assert_eq!(next(r#"{"num_items":0,"items":null}"#), (None, 0));
    assert_eq!(next(r#"{"num_items":0}"#), (None, 0));

    let written = |page: &Page<Empty>| serde_json::to_string(page).unwrap();
    assert_eq!(written(&Page::count(3)), r#"{"num_items":3}"#);
    assert_eq!(
        written(&Page::new(vec![Empty {}], 3, Some("Mg==".to_owned()))),
        r#"{"token":"Mg==","num_items":3,"items":[{}]}"#
    );
}

#[test]
fn a_time_is_never_an_empty_text() {
    assert_eq!(Timestamp::default().as_str(), "0001-01-01T00:00:00Z");
    assert!(Timestamp::new("").is_zero());
    assert!(
        serde_json::from_str::<Timestamp>(r#""""#)
            .unwrap()
            .is_zero()
    );
    assert!(!Timestamp::from("2024-05-01T10:00:00Z").is_zero());
    assert_eq!(
        Timestamp::from("2024-05-01T10:00:00Z".to_owned()).to_string(),
        "2024-05-01T10:00:00Z"
    );
}

#[test]
fn the_words_are_those_that_clients_know() {
    let words = |values: &[&dyn erased::Json]| -> Vec<String> {
        values.iter().map(|value| value.json()).collect()
    };
    assert_eq!(
        words(&[
            &OperationState::Pending,
            &OperationState::InProgress,
            &OperationState::Succeeded,
            &OperationState::Failed,
        ]),
        [
            r#""pending""#,
            r#""in progress""#,
            r#""succeeded""#,
            r#""failed""#
        ]
    );
    assert_eq!(
        words(&[
            &OperationType::Create,
            &OperationType::Update,
            &OperationType::Delete
        ]),
        [r#""create""#, r#""update""#, r#""delete""#]
    );
    assert_eq!(
        words(&[&Change::Created, &Change::Modified, &Change::Deleted]),
        [r#""CREATED""#, r#""MODIFIED""#, r#""DELETED""#]
    );
    assert_eq!(
        words(&[
            &HealthStatus::Up,
            &HealthStatus::Down,
            &HealthStatus::Unknown
        ]),
        [r#""UP""#, r#""DOWN""#, r#""UNKNOWN""#]
    );
    assert_eq!(
        words(&[&Outcome::Succeeded, &Outcome::Refused, &Outcome::Failed]),
        [r#""succeeded""#, r#""refused""#, r#""failed""#]
    );
    assert_eq!(
        words(&[
            &LabelOp::Add,
            &LabelOp::AddValues,
            &LabelOp::Remove,
            &LabelOp::RemoveValues,
            &LabelOp::Replace,
            &LabelOp::Other("rename".to_owned()),
        ]),
        [
            r#""add""#,
            r#""add_values""#,
            r#""remove""#,
            r#""remove_values""#,
            r#""replace""#,
            r#""rename""#
        ]
    );
}

/// Values of different types in one list.
mod erased {
    pub(super) trait Json {
        fn json(&self) -> String;
    }

    impl<T: serde::Serialize> Json for T {
        fn json(&self) -> String {
            serde_json::to_string(self).unwrap()
        }
    }
}
