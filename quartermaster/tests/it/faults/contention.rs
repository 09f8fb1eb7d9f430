//! Many callers at one thing: one visibility, one label, one name. One wins, and nobody who was told that it worked
//! is lost.

use crate::harness::brokers::{broker, plan_named, register, registration};
use crate::harness::{Answer, Client, Engine, Manager, Platform, answer::id};
use crate::model_platform::ModelPlatform;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;

const CALLERS: usize = 12;
const ROUNDS: usize = 5;

on_both_engines!(
    one_name,
    one_visibility_for_a_plan_and_platform,
    public_or_for_platforms_but_never_both,
    one_label_of_a_visibility,
    one_label_of_a_broker,
    one_removal,
);

/// Lets all callers go at once.
async fn all<F: Future<Output = Answer> + Send + 'static>(
    call: impl Fn(usize) -> F,
) -> Vec<Answer> {
    let calls: Vec<_> = (0..CALLERS).map(|n| tokio::spawn(call(n))).collect();
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.unwrap());
    }
    answers
}

/// How often each status was answered.
fn statuses(answers: &[Answer]) -> BTreeMap<u16, usize> {
    let mut counts = BTreeMap::new();
    for answer in answers {
        *counts.entry(answer.status).or_default() += 1;
    }
    counts
}

async fn one_name(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let host = broker().await;
    for round in 0..ROUNDS {
        let name = format!("name-{round}");
        let body = json!({"name": name, "type": "cloudfoundry"});
        let platforms = all(|_| post(&admin, "/v1/platforms", &body)).await;
        let wanted = BTreeMap::from([(201, 1), (409, CALLERS - 1)]);
        assert_eq!(statuses(&platforms), wanted, "{platforms:#?}");

        let body = registration(&name, &host);
        let brokers = all(|_| post(&admin, "/v1/service_brokers", &body)).await;
        assert_eq!(statuses(&brokers), wanted, "{brokers:#?}");
        // The one that was told so is the one that is there.
        let winner = brokers.iter().find(|answer| answer.status == 201).unwrap();
        let path = format!("/v1/service_brokers/{}", id(&winner.body));
        assert_eq!(admin.get(&path).await.expect(200)["name"], name.as_str());
    }
    let count = admin.get("/v1/service_brokers").await.expect(200);
    assert_eq!(count["num_items"], ROUNDS);
}

async fn one_visibility_for_a_plan_and_platform(engine: Engine) {
    let site = Site::new(engine).await;
    for _ in 0..ROUNDS {
        let body = json!({"service_plan_id": site.plan, "platform_id": site.platform});
        let made = all(|_| post(&site.admin, "/v1/visibilities", &body)).await;
        let wanted = BTreeMap::from([(201, 1), (409, CALLERS - 1)]);
        assert_eq!(statuses(&made), wanted, "{made:#?}");
        site.clear().await;
    }
}

async fn public_or_for_platforms_but_never_both(engine: Engine) {
    let site = Site::new(engine).await;
    for round in 0..ROUNDS {
        let made = all(|n| {
            // Half of them want it public, the others for a platform.
            let mut body = json!({"service_plan_id": site.plan});
            if n % 2 == round % 2 {
                body["platform_id"] = json!(site.platform);
            }
            post(&site.admin, "/v1/visibilities", &body)
        })
        .await;
        let counts = statuses(&made);
        assert_eq!(counts.get(&201), Some(&1), "{made:#?}");
        assert_eq!(
            counts.keys().filter(|status| **status >= 500).count(),
            0,
            "{made:#?}"
        );
        let left = site.admin.get("/v1/visibilities").await.expect(200);
        assert_eq!(left["num_items"], 1);
        site.clear().await;
    }
}

async fn one_label_of_a_visibility(engine: Engine) {
    let site = Site::new(engine).await;
    let body = json!({"service_plan_id": site.plan, "platform_id": site.platform});
    let made = site.admin.post("/v1/visibilities", &body).await.expect(201);
    let path = format!("/v1/visibilities/{}", id(&made));
    let mut told = BTreeSet::new();
    for round in 0..ROUNDS {
        let values = |n: usize| format!("org-{round}-{n}");
        let changed =
            all(|n| patch(&site.admin, &path, &add("organization_guid", &values(n)))).await;
        for (n, answer) in changed.into_iter().enumerate() {
            // Nothing is in their way: each must succeed.
            let shown = answer.expect(200);
            assert!(
                held(&shown, "organization_guid").contains(&values(n)),
                "{shown}"
            );
            told.insert(values(n));
        }
    }
    let shown = site.admin.get(&path).await.expect(200);
    assert_eq!(held(&shown, "organization_guid"), told);
    site.model.agrees("after all label changes").await;
    // Two changes of the same value: the second one finds it done.
    let same = all(|_| patch(&site.admin, &path, &add("organization_guid", "same"))).await;
    assert_eq!(statuses(&same), BTreeMap::from([(200, CALLERS)]));
    site.model.agrees("after the same label change").await;
}

async fn one_label_of_a_broker(engine: Engine) {
    let site = Site::new(engine).await;
    let path = format!("/v1/service_brokers/{}", site.broker);
    let mut told = BTreeSet::new();
    for round in 0..ROUNDS {
        let value = |n: usize| format!("v-{round}-{n}");
        let changed = all(|n| patch(&site.admin, &path, &add("team", &value(n)))).await;
        for (n, answer) in changed.into_iter().enumerate() {
            match answer.status {
                200 => drop(told.insert(value(n))),
                // A change of a broker lasts; who comes meanwhile is told to wait.
                _ => drop(answer.refused(422, "ConcurrentOperationInProgress")),
            }
        }
    }
    assert!(
        told.len() >= ROUNDS,
        "in each round at least one wins: {told:?}"
    );
    let shown = site.admin.get(&path).await.expect(200);
    assert_eq!(held(&shown, "team"), told);
    site.model.agrees("after all label changes").await;
}

async fn one_removal(engine: Engine) {
    let site = Site::new(engine).await;
    for _ in 0..ROUNDS {
        let body = json!({"service_plan_id": site.plan, "platform_id": site.platform});
        let made = site.admin.post("/v1/visibilities", &body).await.expect(201);
        let path = format!("/v1/visibilities/{}", id(&made));
        let gone = all(|n| {
            let (admin, path) = (site.admin.clone(), path.clone());
            async move {
                if n % 3 == 0 {
                    admin.patch(&path, &add("late", "x")).await
                } else {
                    admin.delete(&path).await
                }
            }
        })
        .await;
        let removed = gone
            .iter()
            .filter(|answer| answer.text.trim() == "{}" && answer.status == 200);
        assert_eq!(removed.count(), 1, "{gone:#?}");
        assert!(
            gone.iter()
                .all(|answer| [200, 404].contains(&answer.status)),
            "{gone:#?}"
        );
        site.admin.get(&path).await.expect(404);
    }
    site.model.agrees("after all removals").await;
}

fn add(key: &str, value: &str) -> Value {
    json!({"labels": [{"op": "add_values", "key": key, "values": [value]}]})
}

fn held(resource: &Value, key: &str) -> BTreeSet<String> {
    serde_json::from_value(resource["labels"][key].clone()).unwrap_or_default()
}

fn post(client: &Client, path: &str, body: &Value) -> impl Future<Output = Answer> + Send + use<> {
    let (client, path, body) = (client.clone(), path.to_owned(), body.clone());
    async move { client.post(&path, &body).await }
}

fn patch(client: &Client, path: &str, body: &Value) -> impl Future<Output = Answer> + Send + use<> {
    let (client, path, body) = (client.clone(), path.to_owned(), body.clone());
    async move { client.patch(&path, &body).await }
}

/// A manager with a broker, a plan of it, and a platform that listens.
struct Site {
    admin: Client,
    broker: String,
    plan: String,
    platform: String,
    model: ModelPlatform,
    _manager: Manager,
    _host: qm_testkit::hostile::HostileBroker,
}

impl Site {
    async fn new(engine: Engine) -> Self {
        let manager = Manager::start(engine).await;
        let admin = manager.admin();
        let host = broker().await;
        let registered = register(&admin, "one", &host).await;
        let plan = id(&plan_named(&admin, &registered, "sync").await);
        let platform = Platform::register(&manager, "listener", "cloudfoundry").await;
        let id_of_it = platform.id.clone();
        let model = ModelPlatform::start(platform);
        model.connected().await;
        Self {
            admin,
            broker: id(&registered),
            plan,
            platform: id_of_it,
            model,
            _manager: manager,
            _host: host,
        }
    }

    /// Takes all visibilities away.
    async fn clear(&self) {
        self.admin.delete("/v1/visibilities").await.expect(200);
        self.model.agrees("after a round").await;
    }
}
