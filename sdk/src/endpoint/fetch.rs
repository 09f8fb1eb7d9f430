//! `GET` of an instance or a binding (B30, B54): called by the pipeline.
//!
//! The rule: what is still being made, or is going, is not there yet or no more: 404.

use super::Inner;
use crate::broker::call::{Asked, FetchedBinding, FetchedInstance};
use crate::broker::failure::Failure;
use crate::life::not_found;
use crate::record::{Key, Life, Record};
use crate::work::caught;
use quartermaster_osb::{Answer, Extra, Instance, MaintenanceInfo, Verb};
use std::sync::Arc;

impl Inner {
    pub(super) async fn fetch_instance(
        self: Arc<Self>,
        key: Key,
        asked: Asked,
    ) -> Result<Answer, Failure> {
        let record = self.there(&key).await?;
        let (offering, _) = self.engine.known(&record);
        if !offering.instances_retrievable {
            return Err(not_found(
                "instances of this service cannot be fetched (instances_retrievable is false)",
            ));
        }
        let spec = record.spec.as_deref().cloned().unwrap_or_default();
        let stored = Instance {
            service_id: Some(record.service.clone()),
            plan_id: Some(record.plan.clone()),
            dashboard_url: record.made.dashboard_url.clone(),
            parameters: Some(spec.parameters),
            maintenance_info: spec.maintenance_version.map(|version| MaintenanceInfo {
                version,
                description: None,
                extra: Extra::new(),
            }),
            metadata: record.made.metadata.clone(),
            extra: Extra::new(),
        };
        let call = FetchedInstance {
            instance: key.instance.clone(),
            stored,
            asked,
        };
        let fetched = caught(self.engine.broker.fetch_instance(call)).await;
        let instance = fetched.map_err(|failure| logged(Verb::FetchInstance, &record, failure))?;
        Ok(Answer::Instance(Box::new(instance)))
    }

    pub(super) async fn fetch_binding(
        self: Arc<Self>,
        key: Key,
        asked: Asked,
    ) -> Result<Answer, Failure> {
        let record = self.there(&key).await?;
        let (offering, _) = self.engine.known(&record);
        if !offering.bindings_retrievable {
            return Err(not_found(
                "bindings of this service cannot be fetched (bindings_retrievable is false)",
            ));
        }
        let Some(binding) = key.binding.clone() else {
            return Err(Failure::broken("a fetch without a binding"));
        };
        let mut stored = record.made.binding.clone().unwrap_or_default();
        stored.parameters = record.spec.as_ref().map(|spec| spec.parameters.clone());
        let call = FetchedBinding {
            instance: key.instance.clone(),
            binding,
            stored,
            asked,
        };
        let fetched = caught(self.engine.broker.fetch_binding(call)).await;
        let binding = fetched.map_err(|failure| logged(Verb::FetchBinding, &record, failure))?;
        Ok(Answer::Binding(Box::new(binding)))
    }

    /// A record that is there to be read: not still being made, not gone.
    async fn there(&self, key: &Key) -> Result<Record, Failure> {
        let noun = key.noun();
        let record = self.engine.store.load(key).await?;
        match record {
            Some(record) if matches!(record.life, Life::Ready | Life::Updating) => Ok(record),
            Some(record) if record.life == Life::Creating => {
                Err(not_found(&format!("the {noun} is still being created")))
            }
            _ => Err(not_found(&format!("there is no such {noun}"))),
        }
    }
}

/// A failure of the author's fetch, after its cause was logged.
fn logged(verb: Verb, record: &Record, mut failure: Failure) -> Failure {
    if !failure.refuses() {
        crate::observe::failure(verb.as_str(), record, &mut failure);
    }
    failure
}
