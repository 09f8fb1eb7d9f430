//! smctl's commands about instances and bindings: each with the mode on every request of it, the look-ups included.

use super::smctl_list;
use crate::harness::answer::{id, text};
use crate::harness::{Answer, Client, Engine, Setup, brokers, eventually, query};
use http::Method;
use serde_json::{Value, json};

on_both_engines!(
    smctl_waits,
    smctl_does_not_wait,
    smctl_looks_at_what_there_is
);

const INSTANCES: &str = "/v1/service_instances";
const BINDINGS: &str = "/v1/service_bindings";

/// smctl as somebody logged in with it, in one of its two modes.
struct Smctl {
    client: Client,
    mode: &'static str,
    // Both live as long as the test.
    _manager: crate::harness::Manager,
    _broker: qm_testkit::hostile::HostileBroker,
}

impl Smctl {
    async fn start(engine: Engine, mode: &'static str) -> Self {
        let manager = Setup::new(engine)
            .set("QM_OPERATIONS_FIRST_POLL", "50ms")
            .set("QM_OPERATIONS_POLL_INTERVAL", "50ms")
            .start()
            .await;
        let mut catalog = serde_json::to_value(qm_testkit::hostile::standard_catalog()).unwrap();
        for plan in catalog["services"][0]["plans"].as_array_mut().unwrap() {
            plan["metadata"] = json!({"supportsInstanceSharing": true});
        }
        let broker = brokers::broker_with(&catalog).await;
        let client = manager.admin();
        brokers::register(&client, "db", &broker).await;
        Self {
            client,
            mode,
            _manager: manager,
            _broker: broker,
        }
    }

    async fn find(&self, collection: &str, criterion: &str) -> Vec<Value> {
        let parameters = [("async", self.mode), ("fieldQuery", criterion)];
        smctl_list(&self.client, collection, &parameters).await
    }

    async fn named(&self, collection: &str, name: &str) -> Value {
        let found = self.find(collection, &format!("name eq '{name}'")).await;
        assert_eq!(found.len(), 1, "{name}: {found:?}");
        found[0].clone()
    }

    /// A single call, with its content type also where there is no content.
    async fn call(&self, method: Method, path: &str, body: &Value) -> Answer {
        let body = match body {
            Value::Null => String::new(),
            body => body.to_string(),
        };
        let headers = [("Content-Type", "application/json")];
        self.client.send(method, path, &headers, body).await
    }

    fn path(&self, rest: &str) -> String {
        format!("{rest}?async={}", self.mode)
    }

    /// In one mode the answer is the end of it; in the other, `status` is asked until it says so.
    async fn done(&self, answer: Answer, at_once: u16) {
        if self.mode == "false" {
            assert_eq!(answer.status, at_once, "{answer:#?}");
            return;
        }
        let location = answer.location();
        eventually("the operation has ended", async || {
            let answer = self.call(Method::GET, &location, &Value::Null).await;
            if answer.status == 404 {
                return Some(());
            }
            let operation = answer.expect(200);
            assert_ne!(operation["state"], "failed", "{operation}");
            (operation["state"] == "succeeded").then_some(())
        })
        .await;
    }

    async fn provision(&self, name: &str, plan: &str) {
        let offering = self.named("/v1/service_offerings", "hostile").await;
        let criterion = format!(
            "name eq '{plan}' and service_offering_id eq '{}'",
            id(&offering)
        );
        let plans = self.find("/v1/service_plans", &criterion).await;
        assert_eq!(plans.len(), 1);
        let body = json!({"name": name, "service_id": id(&offering), "service_plan_id": id(&plans[0]), "parameters": {"a": "b"}});
        let answer = self.call(Method::POST, &self.path(INSTANCES), &body).await;
        self.done(answer, 201).await;
    }

    async fn bind(&self, name: &str, instance: &str) {
        let instance = self.named(INSTANCES, instance).await;
        let body = json!({"name": name, "service_instance_id": id(&instance)});
        let answer = self.call(Method::POST, &self.path(BINDINGS), &body).await;
        self.done(answer, 201).await;
    }

    async fn delete(&self, collection: &str, id: &str, more: &str) {
        let path = format!("{}{more}", self.path(&format!("{collection}/{id}")));
        let answer = self.call(Method::DELETE, &path, &Value::Null).await;
        if more.is_empty() {
            return self.done(answer, 200).await;
        }
        // With force it is a cascade, which is never waited for.
        let location = answer.location();
        eventually("the cascade has ended", async || {
            let status = self.call(Method::GET, &location, &Value::Null).await.status;
            let gone = self
                .find(collection, &format!("id eq '{id}'"))
                .await
                .is_empty();
            assert!([200, 404].contains(&status), "{status}");
            gone.then_some(())
        })
        .await;
    }
}

async fn smctl_waits(engine: Engine) {
    walk(&Smctl::start(engine, "false").await).await;
}

async fn smctl_does_not_wait(engine: Engine) {
    walk(&Smctl::start(engine, "true").await).await;
}

async fn walk(smctl: &Smctl) {
    for plan in ["sync", "async"] {
        smctl.provision("i", plan).await;
        let instance = smctl.named(INSTANCES, "i").await;
        let one = format!("{INSTANCES}/{}", id(&instance));
        smctl.bind("b", "i").await;
        // update-instance: new name, parameters, and another plan by the broker's name for it.
        let current = format!("/v1/service_plans/{}", text(&instance, "service_plan_id"));
        let current = smctl
            .call(Method::GET, &smctl.path(&current), &Value::Null)
            .await
            .expect(200);
        let other = if plan == "sync" { "async" } else { "sync" };
        let criterion = format!(
            "catalog_name eq '{other}' and service_offering_id eq '{}'",
            text(&current, "service_offering_id")
        );
        let plans = smctl.find("/v1/service_plans", &criterion).await;
        let body = json!({"name": "j", "service_plan_id": id(&plans[0]), "parameters": {"a": "c"}});
        let answer = smctl.call(Method::PATCH, &smctl.path(&one), &body).await;
        smctl.done(answer, 200).await;
        let changed = smctl.named(INSTANCES, "j").await;
        assert_eq!(changed["service_plan_id"], plans[0]["id"]);
        // share-instance: its one mode is to wait, and its one answer 200.
        for shared in [true, false] {
            let path = format!("{one}?async=false");
            let answer = smctl
                .call(Method::PATCH, &path, &json!({"shared": shared}))
                .await;
            let shown = answer.expect(200);
            assert_eq!(shown["shared"].as_bool().unwrap_or_default(), shared);
        }
        // label: without a mode, and nothing but 200 will do.
        for (operation, values) in [("add", json!(["dev"])), ("remove", json!(["dummy"]))] {
            let body = json!({"labels": [{"op": operation, "key": "env", "values": values}]});
            smctl.call(Method::PATCH, &one, &body).await.expect(200);
        }
        // transfer-instance: to where it is already.
        let criterion = "name eq 'j' and platform_id eq 'service-manager'";
        assert_eq!(smctl.find(INSTANCES, criterion).await.len(), 1);
        // unbind, then deprovision.
        let criterion = format!("name eq 'b' and service_instance_id eq '{}'", id(&instance));
        let bindings = smctl.find(BINDINGS, &criterion).await;
        assert_eq!(bindings.len(), 1);
        smctl.delete(BINDINGS, &id(&bindings[0]), "").await;
        smctl.bind("c", "j").await;
        smctl
            .delete(INSTANCES, &id(&instance), "&cascade=true&force=true")
            .await;
        assert!(smctl.find(BINDINGS, "name eq 'c'").await.is_empty());
        smctl.provision("k", plan).await;
        smctl
            .delete(INSTANCES, &id(&smctl.named(INSTANCES, "k").await), "")
            .await;
    }
}

async fn smctl_looks_at_what_there_is(engine: Engine) {
    let smctl = Smctl::start(engine, "false").await;
    smctl.provision("i", "sync").await;
    smctl.bind("b", "i").await;
    // get-instance and get-binding, each with what it was made with.
    let instance = format!("{INSTANCES}/{}", id(&smctl.named(INSTANCES, "i").await));
    let shown = smctl
        .call(Method::GET, &instance, &Value::Null)
        .await
        .expect(200);
    super::strict(&shown);
    super::strict(&shown["last_operation"]);
    assert_eq!(
        (&shown["ready"], &shown["usable"]),
        (&json!(true), &json!(true))
    );
    let path = format!("{instance}/parameters");
    let parameters = smctl
        .call(Method::GET, &path, &Value::Null)
        .await
        .expect(200);
    assert_eq!(parameters, json!({"a": "b"}));
    // list-bindings: credentials in the list, and one look at the instance of each.
    let bindings = smctl_list(&smctl.client, BINDINGS, &[]).await;
    for binding in &bindings {
        super::strict(binding);
        assert!(binding["credentials"].is_object(), "{binding}");
        let path = format!("{INSTANCES}/{}", text(binding, "service_instance_id"));
        smctl
            .call(Method::GET, &path, &Value::Null)
            .await
            .expect(200);
    }
    let path = format!("{BINDINGS}/{}/parameters", id(&bindings[0]));
    smctl
        .call(Method::GET, &path, &Value::Null)
        .await
        .expect(200);
    // An unknown name is an empty list, an unknown id and an unknown operation are 404.
    assert!(smctl.find(INSTANCES, "name eq 'nobody'").await.is_empty());
    for path in [
        query(&format!("{INSTANCES}/nobody"), &[("async", "false")]),
        format!("{INSTANCES}/nobody/operations/none"),
        format!("{BINDINGS}/nobody"),
    ] {
        assert_eq!(
            smctl.call(Method::GET, &path, &Value::Null).await.status,
            404,
            "{path}"
        );
    }
}
