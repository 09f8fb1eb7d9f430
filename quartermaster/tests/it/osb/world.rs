//! A manager with a broker, whose plans everybody may see, and a platform that uses its door.

use crate::harness::answer::{id, items};
use crate::harness::{Answer, Client, Engine, Manager, Platform, Setup, brokers, eventually};
use qm_testkit::hostile::{ASYNC_PLAN, HostileBroker, SERVICE, SYNC_PLAN};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A manager, a broker, a platform.
pub(crate) struct World {
    pub(crate) manager: Manager,
    pub(crate) broker: HostileBroker,
    pub(crate) broker_id: String,
    pub(crate) platform: Platform,
}

/// Settings under which what the manager does by itself is done soon.
pub(crate) fn quick(engine: Engine) -> Setup {
    Setup::new(engine)
        .set("QM_OPERATIONS_POLL_INTERVAL", "100ms")
        .set("QM_OPERATIONS_LEASE", "2s")
        .set("QM_OPERATIONS_MITIGATION_GRACE", "100ms")
        .set("QM_OPERATIONS_FOLLOW_AFTER", "100ms")
        .set("QM_OPERATIONS_RETRY_INTERVAL", "100ms")
        .set("QM_BROKERS_TIMEOUT", "1s")
        .set("QM_BROKERS_QUEUE_TIMEOUT", "100ms")
        .set("QM_BROKERS_HEADER_TIMEOUT", "1s")
        .set("QM_BROKERS_CONNECT_TIMEOUT", "1s")
}

impl World {
    pub(crate) async fn start(engine: Engine) -> Self {
        Self::on(quick(engine)).await
    }

    /// With other settings.
    pub(crate) async fn on(setup: Setup) -> Self {
        let manager = setup.start().await;
        let broker = brokers::broker().await;
        Self::around(manager, broker).await
    }

    /// Around a broker of one's own.
    pub(crate) async fn around(manager: Manager, broker: HostileBroker) -> Self {
        let admin = manager.admin();
        let registered = brokers::register(&admin, "hostile", &broker).await;
        for plan in brokers::plans(&admin, &registered).await {
            brokers::show(&admin, &plan, None).await.expect(201);
        }
        Self {
            platform: Platform::register(&manager, "k", "kubernetes").await,
            broker_id: id(&registered),
            manager,
            broker,
        }
    }

    /// The platform at the door.
    pub(crate) fn door(&self) -> Door {
        Door {
            client: self.platform.client(),
            path: format!("/v1/osb/{}/v2", self.broker_id),
        }
    }

    /// The door for another platform.
    pub(crate) fn door_of(&self, platform: &Platform) -> Door {
        Door {
            client: platform.client(),
            ..self.door()
        }
    }

    /// What the manager says there is: ids of instances with whether they are ready, and of their bindings.
    pub(crate) async fn recorded(&self) -> BTreeMap<String, bool> {
        let admin = self.manager.admin();
        let mut all = BTreeMap::new();
        for path in ["/v1/service_instances", "/v1/service_bindings"] {
            let mut token = String::new();
            loop {
                let page = format!("{path}?max_items=200&token={token}");
                let page = admin.get(&page).await.expect(200);
                for item in items(&page) {
                    all.insert(id(&item), item["ready"] == true);
                }
                match page["token"].as_str() {
                    Some(next) if !next.is_empty() => token = next.to_owned(),
                    _ => break,
                }
            }
        }
        all
    }

    /// What the broker has: the same of its own memory.
    pub(crate) fn existing(&self) -> BTreeMap<String, bool> {
        use qm_testkit::hostile::Phase;
        let mut all = BTreeMap::new();
        for instance in self.broker.instances() {
            let ready = |phase| matches!(phase, Phase::Ready | Phase::Updating | Phase::Deleting);
            all.insert(instance.id, ready(instance.phase));
            for binding in instance.bindings {
                all.insert(binding.id, ready(binding.phase));
            }
        }
        all
    }

    /// The operations that have not ended.
    pub(crate) fn open_operations(&self) -> Vec<String> {
        self.manager.sql(
            "SELECT resource_id || ' ' || type || ' ' || phase FROM operation WHERE phase <> 'done'",
        )
    }

    /// Waits until nothing is under way and both records say the same.
    pub(crate) async fn agree(&self) -> BTreeMap<String, bool> {
        eventually("nothing is under way", async || {
            self.open_operations().is_empty().then_some(())
        })
        .await;
        let (recorded, existing) = (self.recorded().await, self.existing());
        assert_eq!(
            recorded, existing,
            "the manager's record and the broker's own"
        );
        recorded
    }

    /// An instance as the manager shows it.
    pub(crate) async fn instance(&self, id: &str) -> Answer {
        let path = format!("/v1/service_instances/{id}");
        self.manager.admin().get(&path).await
    }
}

/// A platform at a broker's door.
#[derive(Debug, Clone)]
pub(crate) struct Door {
    pub(crate) client: Client,
    pub(crate) path: String,
}

/// What a platform sends to create an instance.
pub(crate) fn wanted(plan: &str) -> Value {
    json!({
        "service_id": SERVICE,
        "plan_id": plan,
        "organization_guid": "org",
        "space_guid": "space",
        "context": {"platform": "kubernetes", "namespace": "n", "clusterid": "c", "instance_name": "mine"},
    })
}

impl Door {
    pub(crate) fn url(&self, instance: &str) -> String {
        format!("{}/service_instances/{instance}", self.path)
    }

    pub(crate) fn binding_url(&self, instance: &str, binding: &str) -> String {
        format!("{}/service_bindings/{binding}", self.url(instance))
    }

    pub(crate) async fn provision(&self, instance: &str) -> Answer {
        self.provision_as(instance, &wanted(SYNC_PLAN)).await
    }

    pub(crate) async fn provision_slowly(&self, instance: &str) -> Answer {
        self.provision_as(instance, &wanted(ASYNC_PLAN)).await
    }

    pub(crate) async fn provision_as(&self, instance: &str, body: &Value) -> Answer {
        let path = format!("{}?accepts_incomplete=true", self.url(instance));
        self.client.put(&path, body).await
    }

    pub(crate) async fn update(&self, instance: &str, change: &Value) -> Answer {
        let mut body = json!({"service_id": SERVICE});
        for (key, value) in change.as_object().unwrap() {
            body[key] = value.clone();
        }
        let path = format!("{}?accepts_incomplete=true", self.url(instance));
        self.client.patch(&path, &body).await
    }

    pub(crate) async fn deprovision(&self, instance: &str) -> Answer {
        self.deprovision_of(instance, SYNC_PLAN).await
    }

    pub(crate) async fn deprovision_of(&self, instance: &str, plan: &str) -> Answer {
        let path = format!(
            "{}?accepts_incomplete=true&service_id={SERVICE}&plan_id={plan}",
            self.url(instance)
        );
        self.client.delete(&path).await
    }

    pub(crate) async fn poll(&self, instance: &str) -> Answer {
        let path = format!("{}/last_operation", self.url(instance));
        self.client.get(&path).await
    }

    pub(crate) async fn bind(&self, instance: &str, binding: &str) -> Answer {
        self.bind_as(
            instance,
            binding,
            &json!({"service_id": SERVICE, "plan_id": SYNC_PLAN}),
        )
        .await
    }

    pub(crate) async fn bind_as(&self, instance: &str, binding: &str, body: &Value) -> Answer {
        let path = format!(
            "{}?accepts_incomplete=true",
            self.binding_url(instance, binding)
        );
        self.client.put(&path, body).await
    }

    pub(crate) async fn unbind(&self, instance: &str, binding: &str) -> Answer {
        let path = format!(
            "{}?accepts_incomplete=true&service_id={SERVICE}&plan_id={SYNC_PLAN}",
            self.binding_url(instance, binding)
        );
        self.client.delete(&path).await
    }

    /// Polls until the operation has ended, and gives its state.
    pub(crate) async fn end_of(&self, instance: &str) -> String {
        eventually("the operation ends", async || {
            let answer = self.poll(instance).await;
            if answer.status == 410 {
                return Some("gone".to_owned());
            }
            let state = answer.expect(200)["state"].as_str().unwrap().to_owned();
            (state != "in progress").then_some(state)
        })
        .await
    }
}
