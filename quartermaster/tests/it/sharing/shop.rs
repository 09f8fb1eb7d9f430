//! A manager with a broker of which some plans can be shared, and all of which everybody may see.

use crate::harness::answer::{id, items, text};
use crate::harness::{Answer, Client, Engine, Setup, brokers, login};
use crate::osb::world::{Door, World, quick};
use qm_testkit::hostile::{ASYNC_PLAN, SERVICE, SYNC_PLAN};
use serde_json::{Value, json};

/// A plan of the first offering that cannot be shared.
pub(super) const PLAIN_PLAN: &str = "plain-plan";
const WORD: &str = "correct horse battery";

pub(super) struct Shop {
    pub(super) world: World,
    plans: Vec<Value>,
}

/// The catalog: `hostile` with `sync`, `async` and `plain`, and `other` with `only`.
pub(super) fn catalog(shareable: bool) -> Value {
    let plan = |id: &str, name: &str, metadata: Value| {
        let mut plan = brokers::plan(id, name);
        plan["metadata"] = metadata;
        plan
    };
    let shared = || json!({"supportsInstanceSharing": shareable});
    let mut first = brokers::offering(
        SERVICE,
        "hostile",
        &[
            plan(SYNC_PLAN, "sync", shared()),
            plan(ASYNC_PLAN, "async", shared()),
            plan(PLAIN_PLAN, "plain", json!({})),
        ],
    );
    for key in [
        "plan_updateable",
        "instances_retrievable",
        "bindings_retrievable",
        "allow_context_updates",
    ] {
        first[key] = json!(true);
    }
    let other = brokers::offering(
        "other-service",
        "other",
        &[plan("other-plan", "only", shared())],
    );
    json!({"services": [first, other]})
}

impl Shop {
    pub(super) async fn open(engine: Engine) -> Self {
        Self::with(quick(engine), &catalog(true)).await
    }

    pub(super) async fn with(setup: Setup, catalog: &Value) -> Self {
        let manager = setup.start().await;
        let broker = brokers::broker_with(catalog).await;
        let world = World::around(manager, broker).await;
        let plans = plans(&world).await;
        Self { world, plans }
    }

    pub(super) fn admin(&self) -> Client {
        self.world.manager.admin()
    }

    pub(super) fn door(&self) -> Door {
        self.world.door()
    }

    /// Reads the plans anew, and shows those to everybody that nobody sees.
    pub(super) async fn look_again(&mut self) {
        self.plans = plans(&self.world).await;
        for plan in &self.plans {
            let shown = brokers::show(&self.admin(), plan, None).await;
            assert!([201, 409].contains(&shown.status), "{shown:#?}");
        }
    }

    /// A plan of the offering `hostile`.
    pub(super) fn plan(&self, name: &str) -> &Value {
        let plan = self.plans.iter().find(|plan| plan["catalog_name"] == name);
        plan.unwrap_or_else(|| panic!("no plan {name} in {:?}", self.plans))
    }

    /// The broker's id of the plan of references.
    pub(super) fn reference_plan(&self) -> String {
        text(self.plan("reference-instance"), "catalog_id")
    }

    /// Somebody of a tenant who may make instances.
    pub(super) async fn developer(&self, name: &str, tenant: &str) -> Client {
        let body =
            json!({"name": name, "password": WORD, "roles": ["developer"], "tenant": tenant});
        self.admin().post("/v1/users", &body).await.expect(201);
        let url = self.world.manager.url();
        Client::bearer(&url, &login::access_token(&url, name, WORD).await)
    }

    /// Makes an instance and gives its id.
    pub(super) async fn make(&self, who: &Client, name: &str, plan: &str) -> String {
        let body = json!({"name": name, "service_plan_id": id(self.plan(plan))});
        let path = "/v1/service_instances?async=false";
        id(&who.post(path, &body).await.expect(201))
    }

    /// The same, shared.
    pub(super) async fn make_shared(&self, who: &Client, name: &str, plan: &str) -> String {
        let made = self.make(who, name, plan).await;
        share(who, &made, true).await.expect(200);
        made
    }

    /// Asks for a reference.
    pub(super) async fn refer(&self, who: &Client, name: &str, parameters: &Value) -> Answer {
        let body = json!({
            "name": name,
            "service_plan_id": id(self.plan("reference-instance")),
            "parameters": parameters,
        });
        who.post("/v1/service_instances", &body).await
    }

    /// Makes a reference and gives its id.
    pub(super) async fn referred(&self, who: &Client, name: &str, to: &str) -> String {
        let meant = json!({"referenced_instance_id": to});
        id(&self.refer(who, name, &meant).await.expect(201))
    }

    /// The calls that the broker got about an instance.
    pub(super) fn calls_about(&self, instance: &str) -> usize {
        let calls = self.world.broker.calls();
        let about = calls
            .iter()
            .filter(|call| call.instance.as_deref() == Some(instance));
        about.count()
    }

    /// What a platform sends to have a reference.
    pub(super) fn wanted(&self, parameters: &Value) -> Value {
        let mut body = crate::osb::world::wanted(&self.reference_plan());
        body["parameters"] = parameters.clone();
        body
    }
}

async fn plans(world: &World) -> Vec<Value> {
    let admin = world.manager.admin();
    let broker = format!("/v1/service_brokers/{}", world.broker_id);
    let broker = admin.get(&broker).await.expect(200);
    let plans = brokers::plans(&admin, &broker).await;
    let offerings = admin.get("/v1/service_offerings").await.expect(200);
    let first = items(&offerings);
    let first = first.iter().find(|one| one["catalog_name"] == "hostile");
    let first = id(first.expect("the offering is there"));
    let of_first = |plan: &Value| plan["service_offering_id"] == first.as_str();
    // Those of the first offering come first, so that a name is found there.
    let (mut own, others): (Vec<_>, Vec<_>) = plans.into_iter().partition(of_first);
    own.extend(others);
    own
}

pub(super) fn path(id: &str) -> String {
    format!("/v1/service_instances/{id}")
}

/// Shares an instance or ends that.
pub(super) async fn share(who: &Client, id: &str, shared: bool) -> Answer {
    who.patch(&path(id), &json!({"shared": shared})).await
}
