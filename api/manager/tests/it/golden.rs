//! One full example of every shape, as the bytes on the wire. Every secret place holds [`CANARY`].
//!
//! Used by the tests on bytes, on secrets and on repeated fields.

use qm_manager_api::*;
use serde::{Serialize, de::DeserializeOwned};
use std::fmt::Debug;

pub(crate) const CANARY: &str = "hunter2";

/// A shape, what it looks like, and what can be done with it.
pub(crate) struct Golden {
    pub(crate) name: &'static str,
    pub(crate) json: String,
    /// Decodes and encodes again.
    pub(crate) again: fn(&str) -> Result<String, serde_json::Error>,
    /// Decodes and prints.
    pub(crate) shown: fn(&str) -> String,
}

fn golden<T: DeserializeOwned + Serialize + Debug>(
    name: &'static str,
    json: impl Into<String>,
) -> Golden {
    Golden {
        name,
        json: json.into(),
        again: |json| serde_json::to_string(&serde_json::from_str::<T>(json)?),
        shown: |json| {
            let shape: T = serde_json::from_str(json).unwrap();
            format!("{shape:?} {shape:#?}")
        },
    }
}

const BASE: &str = r#""id":"a1","created_at":"2024-05-01T10:00:00.123456Z","updated_at":"2024-05-01T10:00:01.5Z","labels":{"env":["dev","qa"]},"ready":true"#;

const OPERATION: &str = r#"{"id":"o1","created_at":"2024-05-01T10:00:00Z","updated_at":"2024-05-01T10:00:04Z","labels":{"force":["true"]},"ready":true,"description":"making it","type":"delete","state":"in progress","resource_id":"a1","transitive_resources":[{"id":"p1","type":"/v1/service_plans","operation_type":"create"},{"criteria":[{"LeftOp":"id"}],"type":"/v1/visibilities","operation_type":"delete"}],"resource_type":"/v1/service_instances","errors":{"cascade_errors":[{"parent_type":"/v1/platforms","parent_id":"cf-1","resource_type":"/v1/service_instances","resource_id":"i1","message":"no"}]},"platform_id":"service-manager","correlation_id":"c1","parent_id":"o2","cascade_root_id":"o3","reschedule":true,"reschedule_timestamp":"2024-05-01T10:00:05Z","deletion_scheduled":"0001-01-01T00:00:00Z","attempts":2,"next_attempt_at":"2024-05-01T10:00:05Z","deadline":"2024-05-08T10:00:00Z","steps":[{"at":"2024-05-01T10:00:00Z","description":"accepted"}],"first_error":"it said no","last_error":"away","broker_error":{"StatusCode":422,"ErrorMessage":"AsyncRequired","Description":"no"}}"#;

const CHANGES: &str = r#"[{"op":"replace","key":"env","values":["dev"]}]"#;

fn with_base(rest: &str) -> String {
    format!(r#"{{{BASE},"last_operation":{OPERATION},{rest}}}"#)
}

fn plan() -> String {
    with_base(
        r#""name":"small","description":"A small one","catalog_id":"cp1","catalog_name":"small","free":true,"bindable":true,"plan_updateable":false,"metadata":{"supportedPlatforms":["kubernetes"]},"schemas":{"service_instance":{}},"maximum_polling_duration":60,"maintenance_info":{"version":"1.0.0"},"service_offering_id":"s1""#,
    )
}

fn offering() -> String {
    let plan = plan();
    with_base(&format!(
        r#""name":"db","description":"A database","bindable":true,"instances_retrievable":true,"bindings_retrievable":false,"plan_updateable":true,"allow_context_updates":false,"tags":["sql"],"requires":["syslog_drain"],"metadata":{{"displayName":"DB"}},"broker_id":"b1","catalog_id":"cs1","catalog_name":"db","plans":[{plan}]"#
    ))
}

fn broker_credentials() -> String {
    format!(
        r#"{{"basic":{{"username":"u","password":"{CANARY}"}},"tls":{{"client_certificate":"<PEM>","client_key":"{CANARY}","sm_provided_tls_credentials":true}},"bearer":{{"token":"{CANARY}"}},"token":"{CANARY}","oauth2":{{"token_url":"https://t.example","client_id":"c","client_secret":"{CANARY}","scope":"osb"}}}}"#
    )
}

fn broker() -> String {
    let credentials = broker_credentials();
    with_base(&format!(
        r#""name":"db","description":"Databases","broker_url":"https://db.example","credentials":{credentials},"catalog":{{"fetched_at":"2024-05-01T10:00:00Z","etag":"\"1\"","error":"503","held":{{"at":"2024-05-01T10:00:00Z","reason":"db/small has 3 instances","removed_plans":["db/small"],"added_plans":["db/tiny"],"changed_plans":["db/large"]}}}}"#
    ))
}

fn visibility() -> String {
    with_base(r#""platform_id":"cf-1","service_plan_id":"p1""#)
}

pub(crate) fn all() -> Vec<Golden> {
    let mut all = registry();
    all.extend(services());
    all.extend(stream());
    all.extend(identity());
    all.extend(small());
    all
}

fn registry() -> Vec<Golden> {
    let credentials = broker_credentials();
    vec![
        golden::<Page<Visibility>>(
            "page",
            format!(
                r#"{{"token":"MTc=","num_items":42,"num_items_estimated":true,"items":[{}]}}"#,
                visibility()
            ),
        ),
        golden::<Operation>("operation", OPERATION.replace("AsyncRequired", CANARY)),
        golden::<Broker>("broker", broker()),
        golden::<NewBroker>(
            "new broker",
            format!(
                r#"{{"id":"b1","name":"db","broker_url":"https://db.example","description":"","credentials":{credentials},"labels":{{"region":["eu"]}}}}"#
            ),
        ),
        golden::<BrokerPatch>(
            "broker patch",
            format!(
                r#"{{"name":"db","broker_url":"https://db.example","description":null,"credentials":{credentials},"labels":{CHANGES}}}"#
            ),
        ),
        golden::<Platform>(
            "platform",
            with_base(&format!(
                r#""type":"kubernetes","name":"k","description":"A cluster","credentials":{{"basic":{{"username":"u","password":"{CANARY}"}}}},"technical":true,"suspended":true"#
            )),
        ),
        golden::<NewPlatform>(
            "new platform",
            r#"{"id":"k1","name":"k","type":"kubernetes","description":"A cluster","technical":true,"suspended":true,"labels":{"monitored":["true"]}}"#,
        ),
        golden::<PlatformPatch>(
            "platform patch",
            format!(
                r#"{{"name":"k","type":"kubernetes","description":null,"technical":true,"suspended":false,"labels":{CHANGES}}}"#
            ),
        ),
        golden::<Visibility>("visibility", visibility()),
        golden::<NewVisibility>(
            "new visibility",
            r#"{"id":"v1","platform_id":"cf-1","service_plan_id":"p1","labels":{"organization_guid":["org-1"]}}"#,
        ),
        golden::<VisibilityPatch>(
            "visibility patch",
            format!(r#"{{"platform_id":null,"service_plan_id":"p1","labels":{CHANGES}}}"#),
        ),
        golden::<Offering>("offering", offering()),
        golden::<OfferingPatch>("offering patch", format!(r#"{{"labels":{CHANGES}}}"#)),
        golden::<Plan>("plan", plan()),
        golden::<PlanPatch>("plan patch", format!(r#"{{"labels":{CHANGES}}}"#)),
        golden::<Credential>(
            "credential",
            format!(
                r#"{{{BASE},"username":"u","password_hash":"{CANARY}","old_username":"","old_password_hash":"{CANARY}","platform_id":"k1","broker_id":"b1","notification_id":"n1","active":false}}"#
            ),
        ),
        golden::<NewCredential>(
            "new credential",
            format!(
                r#"{{"broker_id":"b1","username":"u","password_hash":"{CANARY}","notification_id":"n1"}}"#
            ),
        ),
    ]
}

fn services() -> Vec<Golden> {
    vec![
        golden::<Instance>(
            "instance",
            with_base(
                r#""name":"i","service_plan_id":"p1","referenced_instance_id":"i0","platform_id":"service-manager","dashboard_url":"https://d.example","maintenance_info":{"version":"1.0.0"},"context":{"platform":"kubernetes"},"usable":true,"shared":false,"state":"delete failed","message":"the broker refused""#,
            ),
        ),
        golden::<NewInstance>(
            "new instance",
            format!(
                r#"{{"id":"x","name":"i","service_plan_id":"p1","service_offering_name":"db","service_plan_name":"small","parameters":{{"password":"{CANARY}"}},"maintenance_info":{{"version":"1.0.0"}},"platform_id":"service-manager","dashboard_url":"https://d.example","shared":true,"referenced_instance_id":"i0","labels":{{"env":["dev"]}}}}"#
            ),
        ),
        golden::<InstancePatch>(
            "instance patch",
            format!(
                r#"{{"id":"x","name":"i","service_plan_id":"p1","parameters":{{"password":"{CANARY}"}},"maintenance_info":{{"version":"1.0.0"}},"platform_id":"service-manager","dashboard_url":null,"shared":true,"referenced_instance_id":"i0","labels":{CHANGES}}}"#
            ),
        ),
        golden::<Grant>(
            "grant",
            r#"{"id":"g1","service_instance_id":"i1","tenant":"t","platform_id":"k1","granted_by":"ada","created_at":"2024-05-01T10:00:00Z"}"#,
        ),
        golden::<NewGrant>("new grant", r#"{"tenant":"t","platform_id":"k1"}"#),
        golden::<Parameters>("parameters", format!(r#"{{"password":"{CANARY}"}}"#)),
        golden::<Binding>(
            "binding",
            with_base(&format!(
                r#""name":"b","service_instance_id":"i1","syslog_drain_url":"syslog://u:{CANARY}@l.example","route_service_url":"https://u:{CANARY}@r.example","volume_mounts":[{{"device":{{"mount_config":{{"key":"{CANARY}"}}}}}}],"endpoints":[{{"host":"h","ports":["5432"]}}],"context":{{"platform":"kubernetes"}},"bind_resource":{{"app_guid":"a"}},"credentials":{{"password":"{CANARY}"}},"parameters":{{"password":"{CANARY}"}}"#
            )),
        ),
        golden::<NewBinding>(
            "new binding",
            format!(
                r#"{{"id":"x","name":"b","service_instance_id":"i1","parameters":{{"password":"{CANARY}"}},"bind_resource":{{"app_guid":"a"}},"labels":{{"env":["dev"]}}}}"#
            ),
        ),
        golden::<BindingPatch>(
            "binding patch",
            format!(
                r#"{{"id":"x","name":"b","service_instance_id":"i1","parameters":{{"password":"{CANARY}"}},"bind_resource":null,"labels":{CHANGES}}}"#
            ),
        ),
    ]
}

fn stream() -> Vec<Golden> {
    let (broker, offering, visibility, plan) = (broker(), offering(), visibility(), plan());
    let side = format!(r#"{{"resource":{broker},"additional":{{"services":[{offering}]}}}}"#);
    let seen = format!(
        r#"{{"resource":{visibility},"additional":{{"broker_id":"b1","broker_name":"db","service_plan":{plan}}}}}"#
    );
    vec![
        golden::<Notification<BrokerPayload>>(
            "broker notification",
            format!(
                r#"{{{BASE},"resource":"/v1/service_brokers","type":"MODIFIED","platform_id":"k1","revision":311,"payload":{{"new":{side},"old":{side}}},"correlation_id":"c1"}}"#
            ),
        ),
        golden::<Notification<VisibilityPayload>>(
            "visibility notification",
            format!(
                r#"{{{BASE},"resource":"/v1/visibilities","type":"DELETED","revision":312,"payload":{{"old":{seen},"label_changes":{CHANGES}}},"correlation_id":"c1"}}"#
            ),
        ),
    ]
}

fn identity() -> Vec<Golden> {
    vec![
        golden::<User>(
            "user",
            r#"{"id":"u1","name":"ada","roles":["viewer","developer","admin","purge"],"tenant":"t","created_at":"2024-05-01T10:00:00Z","updated_at":"2024-05-01T10:00:00Z"}"#,
        ),
        golden::<NewUser>(
            "new user",
            format!(r#"{{"name":"ada","password":"{CANARY}","roles":["admin"],"tenant":"t"}}"#),
        ),
        golden::<UserPatch>(
            "user patch",
            format!(r#"{{"name":"ada","password":"{CANARY}","roles":["viewer"],"tenant":null}}"#),
        ),
        golden::<Client>(
            "client",
            format!(
                r#"{{"id":"ci","description":"CI","roles":["developer"],"tenant":"t","created_at":"2024-05-01T10:00:00Z","updated_at":"2024-05-01T10:00:00Z","secret":"{CANARY}"}}"#
            ),
        ),
        golden::<NewClient>(
            "new client",
            format!(
                r#"{{"id":"ci","description":"CI","secret":"{CANARY}","roles":["developer"],"tenant":"t"}}"#
            ),
        ),
        golden::<ClientPatch>(
            "client patch",
            format!(
                r#"{{"description":"CI","secret":"{CANARY}","roles":["developer"],"tenant":null}}"#
            ),
        ),
        golden::<TokenRequest>(
            "token request",
            format!(
                r#"{{"grant_type":"password","username":"ada","password":"{CANARY}","client_id":"cf","client_secret":"{CANARY}","refresh_token":"{CANARY}","scope":"openid"}}"#
            ),
        ),
        golden::<TokenResponse>(
            "token response",
            format!(
                r#"{{"access_token":"{CANARY}","token_type":"Bearer","expires_in":3600,"refresh_token":"{CANARY}","scope":"openid"}}"#
            ),
        ),
        golden::<OAuthError>(
            "oauth error",
            r#"{"error":"invalid_grant","error_description":"user or password is wrong"}"#,
        ),
        golden::<Discovery>(
            "discovery",
            r#"{"issuer":"https://m.example","authorization_endpoint":"https://m.example/oauth/authorize","token_endpoint":"https://m.example/oauth/token","jwks_uri":"https://m.example/oauth/jwks","response_types_supported":["token"],"subject_types_supported":["public"],"id_token_signing_alg_values_supported":["ES256"],"grant_types_supported":["password"],"token_endpoint_auth_methods_supported":["client_secret_basic"],"scopes_supported":["openid"],"claims_supported":["sub"],"mtls_endpoint_aliases":{"token_endpoint":"https://tls.example/oauth/token","authorization_endpoint":"https://tls.example/oauth/authorize"}}"#,
        ),
        golden::<Jwks>(
            "keys",
            r#"{"keys":[{"kty":"RSA","use":"sig","kid":"1","alg":"RS256","n":"AQAB","e":"AQAB"},{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}"#,
        ),
    ]
}

fn small() -> Vec<Golden> {
    vec![
        golden::<ErrorBody>(
            "error",
            r#"{"error":"BrokerError","description":"it said no","correlation_id":"c1","broker_error":{"StatusCode":422,"ErrorMessage":"AsyncRequired","Description":"hunter2"}}"#,
        ),
        golden::<Info>(
            "info",
            r#"{"token_issuer_url":"https://m.example","token_basic_auth":false,"service_manager_tenant_id":"t","context_rsa_public_key":"cHVi","context_successor_rsa_public_key":"cHVi"}"#,
        ),
        golden::<Health>(
            "health",
            r#"{"status":"DOWN","details":{"storage":{"name":"storage","status":"DOWN","error":"no connection","fatal":true,"details":{"pool":0},"check_time":"2024-05-01T10:00:00Z","num_failures":3,"first_failure_at":"2024-05-01T09:58:00Z"}}}"#,
        ),
        golden::<Readiness>(
            "readiness",
            r#"{"ready":false,"reasons":[{"what":"database","why":"cannot be reached"}]}"#,
        ),
        golden::<EffectiveConfig>("config", r#"{"store":{"key":"***"}}"#),
        golden::<LoggingConfig>(
            "logging",
            r#"{"level":"info","format":"json","output":"/dev/stderr"}"#,
        ),
        golden::<LoggingPatch>(
            "logging patch",
            r#"{"level":"debug","format":null,"output":"/dev/stderr"}"#,
        ),
        golden::<AgentVersions>("agents", r#"{"cf":["1.0.0"],"k8s":[]}"#),
        golden::<AuditRecord>(
            "audit record",
            r#"{"seq":7,"at":"2024-05-01T10:00:00Z","actor":{"kind":"person","name":"ada","id":"u1"},"action":"create","resource_type":"/v1/platforms","resource_id":"k1","remote":"192.0.2.1","correlation_id":"c1","outcome":"refused","status":403,"detail":"needs the role admin"}"#,
        ),
        golden::<ListQuery>(
            "list query",
            r#"{"fieldQuery":"ready eq true","labelQuery":"env eq 'dev'","max_items":0,"token":"MTc=","attach_last_operations":true}"#,
        ),
        golden::<BulkDeleteQuery>(
            "bulk delete query",
            r#"{"fieldQuery":"name eq 'db'","labelQuery":"env eq 'dev'"}"#,
        ),
        golden::<AsyncQuery>("async query", r#"{"async":false}"#),
        golden::<DeleteQuery>(
            "delete query",
            r#"{"async":true,"cascade":true,"force":true}"#,
        ),
        golden::<PlatformPatchQuery>("platform patch query", r#"{"regenerateCredentials":true}"#),
        golden::<CredentialQuery>("credential query", r#"{"force":true}"#),
        golden::<NotificationQuery>(
            "notification query",
            r#"{"last_notification_revision":311}"#,
        ),
        golden::<Empty>("empty", "{}"),
    ]
}
