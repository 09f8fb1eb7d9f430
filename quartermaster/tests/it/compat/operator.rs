//! The SAP BTP service operator, as its client puts requests on the wire: Go's query encoding, its headers, its
//! bodies, and what it reads out of the answers.
//!
//! The rule: each helper sends what the operator sends, field by field, and fails where the operator would.

mod later;
mod life;
mod pages;
mod refused;

use crate::harness::answer::{id, items, text};
use crate::harness::{Answer, Client, Engine, Manager, Setup, brokers, eventually, login};
use http::Method;
use qm_testkit::hostile::{HostileBroker, standard_catalog};
use serde_json::{Value, json};

const INSTANCES: &str = "/v1/service_instances";
const BINDINGS: &str = "/v1/service_bindings";
/// What the operator's webhook puts into a resource: the user who wrote it, as Kubernetes describes users.
const USER: &str = r#"{"username":"admin","uid":"1","groups":["system:masters","system:authenticated"],"extra":{"k/v":["x"]}}"#;

/// A manager with a broker whose offering has tags and whose plans can be shared, and an operator with credentials
/// of its own.
struct Cluster {
    manager: Manager,
    broker: HostileBroker,
    operator: Client,
}

impl Cluster {
    async fn start(engine: Engine) -> Self {
        Self::on(quick(engine)).await
    }

    async fn on(setup: Setup) -> Self {
        let manager = setup.start().await;
        let mut catalog = serde_json::to_value(standard_catalog()).unwrap();
        catalog["services"][0]["tags"] = json!(["db", "relational"]);
        for plan in catalog["services"][0]["plans"].as_array_mut().unwrap() {
            plan["metadata"] = json!({"supportsInstanceSharing": true});
        }
        let broker = brokers::broker_with(&catalog).await;
        let admin = manager.admin();
        let registered = brokers::register(&admin, "hostile", &broker).await;
        for plan in brokers::plans(&admin, &registered).await {
            brokers::show(&admin, &plan, None).await.expect(201);
        }
        Self {
            operator: log_in(&manager).await,
            manager,
            broker,
        }
    }

    /// Any call of the operator, with the headers of all its calls.
    async fn call(&self, method: Method, path: &str, user: &str, body: &str) -> Answer {
        let headers = [
            ("Content-Type", "application/json"),
            ("client-name", "sap-btp-service-operator"),
            ("client-version", "0.11.6"),
            ("User-Agent", "Go-http-client/1.1"),
            ("X-CorrelationID", "0b2b4d3c-7c55-4f0a-9a0d-6d5d0b8d2c11"),
            ("X-Originating-Identity", user),
        ];
        let sent = if user.is_empty() { 5 } else { 6 };
        let body = body.to_owned();
        self.operator
            .send(method, path, &headers[..sent], body)
            .await
    }

    async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path, "", "").await
    }

    /// All pages of a list. The operator adds the token of each next page to those it has sent before.
    async fn list(&self, path: &str, parameters: &[(&str, &str)]) -> Vec<Value> {
        let mut parameters: Vec<(String, String)> = parameters
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let mut all = Vec::new();
        loop {
            let page = self.get(&go_query(path, &parameters)).await.expect(200);
            all.extend(items(&page));
            match page["token"].as_str() {
                None | Some("") => return all,
                Some(token) => parameters.push(("token".to_owned(), token.to_owned())),
            }
            assert!(parameters.len() < 30, "a list that does not end");
        }
    }

    /// Offering and plan by the names of the broker, without a data centre: the id of the plan.
    async fn plan(&self, name: &str) -> String {
        let criterion = "catalog_name eq 'hostile' and data_center eq ''";
        let offerings = self
            .list("/v1/service_offerings", &[("fieldQuery", criterion)])
            .await;
        assert_eq!(offerings.len(), 1, "{offerings:?}");
        assert_eq!(offerings[0]["tags"], json!(["db", "relational"]));
        let criterion = format!(
            "catalog_name eq '{name}' and service_offering_id in ('{}')",
            id(&offerings[0])
        );
        let plans = self
            .list("/v1/service_plans", &[("fieldQuery", &criterion)])
            .await;
        assert_eq!(plans.len(), 1, "{plans:?}");
        assert_eq!(plans[0]["service_offering_id"], offerings[0]["id"]);
        id(&plans[0])
    }

    /// Provision: no `async`, and two fields that mean nothing.
    async fn provision(&self, name: &str, plan: &str) -> Answer {
        let plan = self.plan(plan).await;
        let body = json!({
            "name": name, "service_plan_id": plan, "parameters": {"size": 1},
            "labels": labels(name), "ready": false, "usable": false,
        });
        self.call(Method::POST, INSTANCES, USER, &body.to_string())
            .await
    }

    async fn bind(&self, name: &str, instance: &str) -> Answer {
        let body = json!({"name": name, "service_instance_id": instance, "labels": labels(name)});
        self.call(Method::POST, BINDINGS, USER, &body.to_string())
            .await
    }

    async fn delete(&self, collection: &str, id: &str) -> Answer {
        let path = format!("{collection}/{id}");
        self.call(Method::DELETE, &path, USER, "").await
    }

    /// What is looked for when a resource has lost its status: it must be one or none.
    async fn recover(&self, collection: &str, name: &str) -> Vec<Value> {
        let field = format!(
            "name eq '{name}' and context/clusterid eq 'cluster-1' and context/namespace eq 'team-a'"
        );
        let label = format!("_k8sname eq '{name}'");
        let parameters = [
            ("attach_last_operations", "true"),
            ("fieldQuery", &field),
            ("labelQuery", &label),
        ];
        self.list(collection, &parameters).await
    }

    /// Polls until the operation has ended; its last answer.
    async fn polled(&self, location: &str) -> Value {
        eventually("the operation has ended", async || {
            let operation = self.get(location).await.expect(200);
            match text(&operation, "state").as_str() {
                "pending" | "in progress" => None,
                _ => Some(operation),
            }
        })
        .await
    }

    /// Polls a deletion, for which "there is no such thing" is as good as success.
    async fn gone(&self, location: &str) {
        eventually("the deletion has ended", async || {
            let answer = self.get(location).await;
            if answer.status == 404 {
                return Some(());
            }
            let operation = answer.expect(200);
            assert_ne!(operation["state"], "failed", "{operation}");
            (operation["state"] == "succeeded").then_some(())
        })
        .await;
    }
}

/// Settings under which what the manager does by itself is done soon.
fn quick(engine: Engine) -> Setup {
    Setup::new(engine)
        .set("QM_OPERATIONS_POLL_INTERVAL", "50ms")
        .set("QM_OPERATIONS_FIRST_POLL", "50ms")
        .set("QM_OPERATIONS_SLOWEST_POLL", "200ms")
        .set("QM_OPERATIONS_FOLLOW_AFTER", "100ms")
        .set("QM_OPERATIONS_MITIGATION_GRACE", "100ms")
        .set("QM_OPERATIONS_RETRY_INTERVAL", "100ms")
        .set("QM_BROKERS_BREAKER_FAILURES", "100000")
}

/// Client credentials in the form of the request, never in a header.
async fn log_in(manager: &Manager) -> Client {
    let body = json!({"description": "operator", "roles": ["developer"]});
    let made = manager.admin().post("/v1/clients", &body).await.expect(201);
    let fields = [
        ("client_id", &*id(&made)),
        ("client_secret", &*text(&made, "secret")),
        ("grant_type", "client_credentials"),
    ];
    let tokens = login::grant_as(&manager.url(), "", &fields)
        .await
        .expect(200);
    Client::bearer(&manager.url(), &text(&tokens, "access_token"))
}

fn labels(name: &str) -> Value {
    json!({"_namespace": ["team-a"], "_k8sname": [name], "_clusterid": ["cluster-1"]})
}

/// The id in the `Location` of a 202, as the operator cuts it out.
#[track_caller]
fn id_in(location: &str, collection: &str) -> String {
    let below = location.strip_prefix(&format!("{collection}/"));
    let cut = below.and_then(|below| below.split_once("/operations/"));
    let (id, operation) = cut.unwrap_or_else(|| panic!("{location} is not below {collection}"));
    assert!(!id.is_empty() && !operation.is_empty(), "{location}");
    id.to_owned()
}

/// A path with a query as Go writes it: names in order, blanks as `+`.
fn go_query(path: &str, parameters: &[(String, String)]) -> String {
    if parameters.is_empty() {
        return path.to_owned();
    }
    let mut parameters: Vec<_> = parameters.iter().collect();
    parameters.sort_by(|one, other| one.0.cmp(&other.0));
    let pairs = parameters
        .iter()
        .map(|(name, value)| format!("{}={}", go_escape(name), go_escape(value)));
    format!("{path}?{}", pairs.collect::<Vec<_>>().join("&"))
}

fn go_escape(text: &str) -> String {
    let escape = |byte: u8| match byte {
        b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
            char::from(byte).to_string()
        }
        b' ' => "+".to_owned(),
        other => format!("%{other:02X}"),
    };
    text.bytes().map(escape).collect()
}
