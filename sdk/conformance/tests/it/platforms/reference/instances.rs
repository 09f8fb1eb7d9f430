//! Instances of the small platform.

use super::super::habits::{Flaw, Kind};
use super::work::{End, Job};
use super::{Instance, Reference, failed, refused};
use qm_conformance::platform::Told;
use serde_json::{Value, json};
use std::time::Duration;

/// What every request about an instance says of where it comes from.
pub(super) fn context() -> Value {
    json!({ "platform": "kubernetes", "namespace": "n", "clusterid": "c", "instance_name": "i" })
}

fn limit(plan: &Value) -> Option<Duration> {
    plan["maximum_polling_duration"]
        .as_u64()
        .map(Duration::from_secs)
}

impl Reference {
    pub(super) async fn create(
        &self,
        broker: &str,
        plan_id: &str,
        parameters: Option<Value>,
    ) -> Told {
        let Some((service, plan)) = self.plan(broker, plan_id) else {
            return refused("no such plan");
        };
        let number = {
            let mut store = self.store();
            store.made += 1;
            store.made
        };
        let id = (self.0.habits.instance_id)(plan_id, number, uuid::Uuid::new_v4().to_string());
        let version = plan
            .get("maintenance_info")
            .map(|info| json!({ "version": info["version"] }));
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let mut instance = Instance {
            broker: broker.to_owned(),
            id: id.clone(),
            service_id: text(&service["id"]),
            plan_id: text(&plan["id"]),
            plan_name: text(&plan["name"]),
            parameters: parameters.clone().unwrap_or_else(|| json!({})),
            dashboard_url: None,
            usable: true,
        };
        let mut body = json!({
            "service_id": instance.service_id,
            "plan_id": instance.plan_id,
            "organization_guid": "o",
            "space_guid": "s",
            "context": context(),
        });
        if let Some(parameters) = parameters {
            body["parameters"] = parameters;
        }
        if let Some(version) = version {
            body["maintenance_info"] = version;
            if self.has(Flaw::OldVersion) {
                body["maintenance_info"] = json!({ "version": "0.0.1" });
            }
        }
        let mut job = Job::of(Kind::Provision, &instance, path(&id), Some(body));
        job.limit = limit(&plan);
        let answer = match self.perform(job.clone()).await {
            End::Done(answer) | End::Polled(answer) => answer,
            End::Failed(_) => return failed("the broker did not make it"),
        };
        if self.has(Flaw::DeletesAfterSuccess) {
            self.clean(&job);
        }
        instance.dashboard_url = answer["dashboard_url"].as_str().map(str::to_owned);
        let handle = uuid::Uuid::new_v4().to_string();
        self.store().instances.insert(handle.clone(), instance);
        Told::succeeded().with_handle(handle)
    }

    pub(super) fn instance(&self, handle: &str) -> Option<Instance> {
        self.store().instances.get(handle).cloned()
    }

    fn changeable(&self, broker: &str, plan_id: &str) -> bool {
        let Some((service, plan)) = self.plan(broker, plan_id) else {
            return false;
        };
        let word = match plan.get("plan_updateable") {
            Some(word) if !self.has(Flaw::IgnoresPlanUpdateable) => word,
            _ => &service["plan_updateable"],
        };
        *word == true || self.has(Flaw::ChangesAnyPlan)
    }

    pub(super) async fn update(
        &self,
        handle: &str,
        plan_id: Option<String>,
        parameters: Option<Value>,
        maintenance_info: Option<Value>,
    ) -> Told {
        let Some(old) = self.instance(handle) else {
            return refused("no such instance");
        };
        if plan_id.is_some() && !self.changeable(&old.broker, &old.plan_id) {
            return refused("the plan cannot be changed");
        }
        let mut body = json!({
            "service_id": old.service_id,
            "context": context(),
            "previous_values": { "plan_id": old.plan_id },
        });
        if let Some(plan_id) = &plan_id {
            body["plan_id"] = json!(plan_id);
        }
        if self.has(Flaw::SendsAllParameters) {
            body["parameters"] = old.parameters.clone();
        }
        if let Some(parameters) = &parameters {
            for (key, value) in parameters.as_object().unwrap() {
                body["parameters"][key] = value.clone();
            }
        }
        if let Some(info) = maintenance_info.filter(|_| !self.has(Flaw::NoVersionOnUpgrade)) {
            body["maintenance_info"] = info;
        }
        let mut job = Job::of(Kind::Update, &old, path(&old.id), Some(body));
        let plan = self.plan(&old.broker, &old.plan_id);
        job.limit = plan.and_then(|(_, plan)| limit(&plan));
        if let (Some(plan), true) = (&plan_id, self.has(Flaw::PollsWithNewPlan)) {
            job.poll_plan.clone_from(plan);
        }
        if let (Some(plan), true) = (&plan_id, self.has(Flaw::TakesPlanTooEarly)) {
            self.change(handle, |instance| instance.plan_id.clone_from(plan));
        }
        match self.perform(job.clone()).await {
            End::Done(answer) | End::Polled(answer) => {
                let lost = self.has(Flaw::LosesDashboard);
                let kept = self.has(Flaw::KeepsDashboard);
                self.change(handle, |instance| {
                    if let Some(plan) = &plan_id {
                        instance.plan_id.clone_from(plan);
                    }
                    match answer["dashboard_url"].as_str() {
                        Some(url) if !kept => instance.dashboard_url = Some(url.to_owned()),
                        None if lost => instance.dashboard_url = None,
                        _ => {}
                    }
                });
                Told::succeeded()
            }
            End::Failed(answer) => {
                let usable = answer["instance_usable"] != false || self.has(Flaw::IgnoresUsable);
                let usable = usable && !self.has(Flaw::NeverUsable);
                self.change(handle, |instance| instance.usable = usable);
                if self.has(Flaw::RepeatsUpdates) {
                    Box::pin(self.perform(job.clone())).await;
                }
                if self.has(Flaw::DeletesAfterFailedUpdate) {
                    self.clean(&job);
                }
                if self.has(Flaw::ForgetsAfterFailure) {
                    self.store().instances.remove(handle);
                }
                failed("the broker did not change it")
            }
        }
    }

    fn change(&self, handle: &str, change: impl FnOnce(&mut Instance)) {
        if let Some(instance) = self.store().instances.get_mut(handle) {
            change(instance);
        }
    }

    pub(super) async fn delete(&self, handle: &str) -> Told {
        let Some(instance) = self.instance(handle) else {
            return refused("no such instance");
        };
        let bindings: Vec<String> = {
            let store = self.store();
            let mine = store.bindings.iter().filter(|(_, b)| b.instance == handle);
            mine.map(|(handle, _)| handle.clone()).collect()
        };
        for binding in bindings {
            if self.has(Flaw::LeavesBindings) {
                self.store().bindings.remove(&binding);
                continue;
            }
            let told = self.unbind(&binding).await;
            if !told.is_done() && !self.has(Flaw::DeletesDespiteBindings) {
                return told;
            }
        }
        let mut job = Job::of(Kind::Deprovision, &instance, path(&instance.id), None);
        if self.has(Flaw::PlansByName) {
            let plan = self.plan_by_name(&instance.broker, &instance.plan_name);
            job.plan_id = plan.unwrap_or_default();
        }
        match self.perform(job).await {
            End::Failed(_) => {
                if self.has(Flaw::ForgetsAfterFailure) {
                    self.store().instances.remove(handle);
                }
                failed("the broker did not delete it")
            }
            _ => {
                if !self.has(Flaw::RemembersGone) {
                    self.store().instances.remove(handle);
                }
                Told::succeeded()
            }
        }
    }

    pub(super) async fn show(&self, handle: &str) -> Told {
        let mut told = Told::succeeded();
        let instance = self.instance(handle);
        told.exists = Some(instance.is_some());
        if let Some(instance) = instance {
            if self.has(Flaw::FetchesAlways) {
                self.send(&instance.broker, Kind::Fetch, path(&instance.id), &[], None)
                    .await;
            }
            told.dashboard_url = instance.dashboard_url;
        }
        told
    }
}

pub(super) fn path(id: &str) -> String {
    format!("/v2/service_instances/{id}")
}
