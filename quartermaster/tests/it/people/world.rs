//! A manager with a broker, and somebody who asks for instances and bindings.

use crate::harness::answer::{id, items, text};
use crate::harness::wait::within;
use crate::harness::{Answer, Client, Engine, Manager, Setup, brokers, login};
use qm_testkit::hostile::{Config, HostileBroker, Phase};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::Duration;

pub(super) const INSTANCES: &str = "/v1/service_instances";
pub(super) const BINDINGS: &str = "/v1/service_bindings";
const WORD: &str = "correct horse battery";
/// How long operations are waited for: what a dead process held is taken up when its lease has run out.
const PATIENCE: Duration = Duration::from_secs(180);

/// A manager, a broker, and the ids of its two plans at the manager.
pub(super) struct World {
    pub(super) manager: Manager,
    pub(super) broker: HostileBroker,
    pub(super) broker_id: String,
    /// Of the plan that works in the call.
    pub(super) sync: String,
    /// Of the plan that takes its time.
    pub(super) slow: String,
}

/// Settings under which what the manager does by itself is done soon.
pub(super) fn quick(engine: Engine) -> Setup {
    Setup::new(engine)
        .set("QM_OPERATIONS_POLL_INTERVAL", "50ms")
        .set("QM_OPERATIONS_LEASE", "2s")
        .set("QM_OPERATIONS_MITIGATION_GRACE", "100ms")
        .set("QM_OPERATIONS_FOLLOW_AFTER", "100ms")
        .set("QM_OPERATIONS_FIRST_POLL", "50ms")
        .set("QM_OPERATIONS_SLOWEST_POLL", "200ms")
        .set("QM_OPERATIONS_RETRY_INTERVAL", "100ms")
        .set("QM_SERVER_REQUEST_TIMEOUT", "30s")
        .set("QM_BROKERS_TIMEOUT", "2s")
        .set("QM_BROKERS_QUEUE_TIMEOUT", "100ms")
        .set("QM_BROKERS_HEADER_TIMEOUT", "2s")
        .set("QM_BROKERS_CONNECT_TIMEOUT", "1s")
        .set("QM_BROKERS_BREAKER_FAILURES", "100000")
}

impl World {
    pub(super) async fn start(engine: Engine) -> Self {
        Self::on(quick(engine)).await
    }

    /// With other settings.
    pub(super) async fn on(setup: Setup) -> Self {
        Self::around(setup.start().await, brokers::broker().await).await
    }

    /// With the standard catalog but for one field of its offering.
    pub(super) async fn with_offering(engine: Engine, field: &str, value: Value) -> Self {
        let mut catalog = standard();
        catalog["services"][0][field] = value;
        Self::with_catalog(quick(engine), &catalog).await
    }

    /// With a catalog of its own, whose plans have the names of the standard one.
    pub(super) async fn with_catalog(setup: Setup, catalog: &Value) -> Self {
        let config = Config {
            catalog: brokers::read(catalog),
            ..Config::default()
        };
        let broker = HostileBroker::start_with(config).await.unwrap();
        Self::around(setup.start().await, broker).await
    }

    /// Around a broker of one's own.
    pub(super) async fn around(manager: Manager, broker: HostileBroker) -> Self {
        let admin = manager.admin();
        let registered = brokers::register(&admin, "hostile", &broker).await;
        let plan = async |name| id(&brokers::plan_named(&admin, &registered, name).await);
        for plan in brokers::plans(&admin, &registered).await {
            brokers::show(&admin, &plan, None).await.expect(201);
        }
        Self {
            sync: plan("sync").await,
            slow: plan("async").await,
            broker_id: id(&registered),
            manager,
            broker,
        }
    }

    /// Whoever asks, when nobody in particular does.
    pub(super) fn person(&self) -> Person {
        Person(self.manager.admin())
    }

    /// Somebody with a role, of a tenant or of none.
    pub(super) async fn somebody(&self, name: &str, role: &str, tenant: Option<&str>) -> Person {
        let mut body = json!({"name": name, "password": WORD, "roles": [role]});
        if let Some(tenant) = tenant {
            body["tenant"] = json!(tenant);
        }
        let admin = self.manager.admin();
        admin.post("/v1/users", &body).await.expect(201);
        let token = login::access_token(&self.manager.url(), name, WORD).await;
        Person(Client::bearer(&self.manager.url(), &token))
    }

    /// What is sent for an instance of the plan that works in the call.
    pub(super) fn wish(&self, name: &str) -> Value {
        json!({"name": name, "service_plan_id": self.sync})
    }

    /// What is sent for an instance of the plan that takes its time.
    pub(super) fn slow_wish(&self, name: &str) -> Value {
        json!({"name": name, "service_plan_id": self.slow})
    }

    /// An instance that is there; its id.
    pub(super) async fn made(&self, name: &str) -> String {
        let made = self.person().create("", &self.wish(name)).await;
        id(&made.expect(201))
    }

    /// One of the plan that takes its time.
    pub(super) async fn made_slowly(&self, name: &str) -> String {
        let wish = self.slow_wish(name);
        let made = self.person().create("?async=false", &wish).await;
        id(&made.expect(201))
    }

    /// A binding that is there; its id.
    pub(super) async fn bound(&self, instance: &str, name: &str) -> String {
        id(&self.person().bind("", instance, name).await.expect(201))
    }

    /// The same where the broker takes its time.
    pub(super) async fn bound_slowly(&self, instance: &str, name: &str) -> String {
        let bound = self.person().bind("?async=false", instance, name).await;
        id(&bound.expect(201))
    }

    /// What the broker was asked so far.
    pub(super) fn asked(&self) -> usize {
        self.broker.calls().len()
    }

    /// The operations that have not ended.
    pub(super) fn open_operations(&self) -> Vec<String> {
        self.manager.sql(
            "SELECT resource_type || ' ' || resource_id || ' ' || type || ' ' || phase || ' ' || state || ' ' || attempts \
             || ' ' || COALESCE(last_error, '') || ' ' || due_at || ' ' || COALESCE(lease_until, 0) FROM operation WHERE phase <> 'done'",
        )
    }

    /// Waits until nothing is under way. What is, is printed when it changes, for those who have to find out why not.
    pub(super) async fn settled(&self) {
        let mut before = Vec::new();
        within(PATIENCE, "nothing is under way", async || {
            let open = self.open_operations();
            if open != before {
                println!("under way: {open:?}");
                before.clone_from(&open);
            }
            open.is_empty().then_some(())
        })
        .await;
    }

    /// What the manager says there is, instances and bindings: whether it is ready, by its id.
    pub(super) async fn recorded(&self) -> BTreeMap<String, bool> {
        let mut all = BTreeMap::new();
        for path in [INSTANCES, BINDINGS] {
            for item in self.person().all(path).await {
                all.insert(id(&item), item["ready"] == true);
            }
        }
        all
    }

    /// What the broker has: the same of its own memory.
    pub(super) fn existing(&self) -> BTreeMap<String, bool> {
        let ready = |phase| matches!(phase, Phase::Ready | Phase::Updating | Phase::Deleting);
        let mut all = BTreeMap::new();
        for instance in self.broker.instances() {
            all.insert(instance.id, ready(instance.phase));
            for binding in instance.bindings {
                all.insert(binding.id, ready(binding.phase));
            }
        }
        all
    }

    /// Waits until nothing is under way, and holds both records against each other: what is ready is at the broker,
    /// and nothing else is there. What was never made may be seen as that at the manager, and is not at the broker.
    pub(super) async fn agree(&self) -> Vec<String> {
        self.settled().await;
        self.compared().await
    }

    /// The same without waiting.
    pub(super) async fn compared(&self) -> Vec<String> {
        let recorded = self.recorded().await;
        let ready: Vec<_> = recorded.iter().filter(|(_, ready)| **ready).collect();
        let existing = self.existing();
        let existing: Vec<_> = existing.iter().collect();
        assert_eq!(ready, existing, "the manager's record and the broker's own");
        recorded.into_keys().collect()
    }
}

/// Somebody who asks over REST.
#[derive(Debug, Clone)]
pub(super) struct Person(pub(super) Client);

impl Person {
    /// `query` begins with `?` or is empty.
    pub(super) async fn create(&self, query: &str, wish: &Value) -> Answer {
        self.0.post(&format!("{INSTANCES}{query}"), wish).await
    }

    pub(super) async fn bind(&self, query: &str, instance: &str, name: &str) -> Answer {
        let wish = json!({"name": name, "service_instance_id": instance});
        self.0.post(&format!("{BINDINGS}{query}"), &wish).await
    }

    pub(super) async fn instance(&self, id: &str) -> Answer {
        self.0.get(&format!("{INSTANCES}/{id}")).await
    }

    pub(super) async fn binding(&self, id: &str) -> Answer {
        self.0.get(&format!("{BINDINGS}/{id}")).await
    }

    pub(super) async fn change(&self, id: &str, change: &Value) -> Answer {
        self.0.patch(&format!("{INSTANCES}/{id}"), change).await
    }

    /// `undelete`, `retry` or `rollback`.
    pub(super) async fn repair(&self, id: &str, how: &str) -> Answer {
        let path = format!("{INSTANCES}/{id}/{how}");
        self.0.call(http::Method::POST, &path, None).await
    }

    pub(super) async fn delete(&self, id: &str) -> Answer {
        self.0.delete(&format!("{INSTANCES}/{id}")).await
    }

    pub(super) async fn unbind(&self, id: &str) -> Answer {
        self.0.delete(&format!("{BINDINGS}/{id}")).await
    }

    /// All items of a list, page by page.
    pub(super) async fn all(&self, path: &str) -> Vec<Value> {
        let (mut all, mut token) = (Vec::new(), String::new());
        loop {
            let page = format!("{path}?max_items=200&attach_last_operations=true&token={token}");
            let page = self.0.get(&page).await.expect(200);
            all.extend(items(&page));
            match page["token"].as_str() {
                Some(next) if !next.is_empty() => token = next.to_owned(),
                _ => return all,
            }
        }
    }

    /// The operation at this path once it has ended.
    pub(super) async fn end(&self, location: &str) -> Value {
        within(PATIENCE, "the operation ends", async || {
            let operation = self.0.get(location).await.expect(200);
            let state = text(&operation, "state");
            (state == "succeeded" || state == "failed").then_some(operation)
        })
        .await
    }

    /// The same, which must have succeeded.
    pub(super) async fn good_end(&self, location: &str) -> Value {
        let operation = self.end(location).await;
        assert_eq!(operation["state"], "succeeded", "{operation:#}");
        operation
    }

    /// The same, which must have failed.
    pub(super) async fn bad_end(&self, location: &str) -> Value {
        let operation = self.end(location).await;
        assert_eq!(operation["state"], "failed", "{operation:#}");
        operation
    }
}

/// The id of the resource in a `Location`.
pub(super) fn id_in(location: &str) -> String {
    location.split('/').nth(3).unwrap().to_owned()
}

/// The hostile broker's own catalog.
pub(super) fn standard() -> Value {
    serde_json::to_value(qm_testkit::hostile::standard_catalog()).unwrap()
}

/// Holds a refusal against what every one of them must have: what happened and what to do, and the correlation id, by
/// which an operator finds it.
#[track_caller]
pub(super) fn plain(answer: Answer, status: u16, word: &str, says: &[&str]) -> String {
    let asked = answer.asked.clone();
    let id = answer.body["correlation_id"].as_str().unwrap_or_default();
    assert!(!id.is_empty(), "{asked}: no correlation id: {answer:#?}");
    let words = answer.refused(status, word);
    for part in says {
        assert!(words.contains(part), "{asked}: no {part:?} in {words:?}");
    }
    words
}
