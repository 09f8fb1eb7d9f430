//! Bindings of the small platform.

use super::super::habits::{Flaw, Kind};
use super::instances::{context, path};
use super::work::{End, Job};
use super::{Binding, Instance, Reference, failed, refused};
use qm_conformance::platform::Told;
use serde_json::{Value, json};
use std::time::Duration;

impl Reference {
    fn bindable(&self, service: &Value, plan: &Value) -> bool {
        let word = match plan.get("bindable") {
            Some(word) if !self.has(Flaw::IgnoresPlanBindable) => word,
            _ => &service["bindable"],
        };
        *word == true || self.has(Flaw::BindsAnything)
    }

    pub(super) async fn bind(
        &self,
        handle: &str,
        parameters: Option<Value>,
        predecessor: Option<&str>,
    ) -> Told {
        let Some(instance) = self.instance(handle) else {
            return refused("no such instance");
        };
        let Some((service, plan)) = self.plan(&instance.broker, &instance.plan_id) else {
            return refused("no such plan");
        };
        if !instance.usable || !self.bindable(&service, &plan) {
            return refused("the instance cannot be bound");
        }
        let rotatable = plan["binding_rotatable"] == true || self.has(Flaw::RotatesAnything);
        if predecessor.is_some() && !rotatable {
            return refused("the plan is not rotatable");
        }
        let number = {
            let mut store = self.store();
            store.made += 1;
            store.made
        };
        let id = (self.0.habits.binding_id)(number, uuid::Uuid::new_v4().to_string());
        let mut body = json!({
            "service_id": instance.service_id,
            "plan_id": instance.plan_id,
            "context": context(),
        });
        if let Some(parameters) = parameters {
            body["parameters"] = parameters;
        }
        if let Some(predecessor) = predecessor {
            let old = self.store().bindings[predecessor].id.clone();
            body["predecessor_binding_id"] = json!(old);
            if self.has(Flaw::RotationDeletes) {
                self.unbind(predecessor).await;
            }
        }
        let mut job = Job::of(Kind::Bind, &instance, of(&instance, &id), Some(body));
        job.limit = plan["maximum_polling_duration"]
            .as_u64()
            .map(Duration::from_secs);
        let credentials = match self.perform(job).await {
            End::Done(answer) => answer.get("credentials").cloned(),
            End::Polled(_) if self.has(Flaw::NoFetchAfterBind) => None,
            End::Polled(_) => {
                let got = self
                    .send(&instance.broker, Kind::Fetch, of(&instance, &id), &[], None)
                    .await;
                got.object()
                    .and_then(|body| body.get("credentials").cloned())
            }
            End::Failed(_) => return failed("the broker did not bind"),
        };
        let binding = Binding {
            instance: handle.to_owned(),
            id,
            credentials,
        };
        let handle = uuid::Uuid::new_v4().to_string();
        self.store().bindings.insert(handle.clone(), binding);
        Told::succeeded().with_handle(handle)
    }

    pub(super) async fn unbind(&self, handle: &str) -> Told {
        let binding = self.store().bindings.get(handle).cloned();
        let Some(binding) = binding else {
            return refused("no such binding");
        };
        let Some(instance) = self.instance(&binding.instance) else {
            return refused("no such instance");
        };
        let job = Job::of(Kind::Unbind, &instance, of(&instance, &binding.id), None);
        match self.perform(job).await {
            End::Failed(_) => {
                if self.has(Flaw::ForgetsAfterFailure) {
                    self.store().bindings.remove(handle);
                }
                failed("the broker did not unbind")
            }
            _ => {
                if !self.has(Flaw::RemembersGone) {
                    self.store().bindings.remove(handle);
                }
                Told::succeeded()
            }
        }
    }

    pub(super) async fn show_binding(&self, handle: &str) -> Told {
        let mut told = Told::succeeded();
        let binding = self.store().bindings.get(handle).cloned();
        told.exists = Some(binding.is_some());
        if let Some(binding) = binding {
            if self.has(Flaw::FetchesAlways)
                && let Some(instance) = self.instance(&binding.instance)
            {
                let path = of(&instance, &binding.id);
                self.send(&instance.broker, Kind::Fetch, path, &[], None)
                    .await;
            }
            let shown = binding
                .credentials
                .filter(|_| !self.has(Flaw::MixesCredentials));
            let shown = shown.unwrap_or_else(|| json!({ "of": "another" }));
            told.credentials = shown.as_object().cloned();
        }
        told
    }
}

fn of(instance: &Instance, binding: &str) -> String {
    format!("{}/service_bindings/{binding}", path(&instance.id))
}
