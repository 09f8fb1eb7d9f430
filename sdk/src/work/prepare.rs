//! From a record to the author's function: the same way for a first run and for a later one.

use super::{Engine, Progress};
use crate::broker::call::{Asked, Bind, Deprovision, Provision, Rotate, Unbind, Update};
use crate::broker::erased::Prepared;
use crate::broker::failure::Failure;
use crate::record::{Change, Made, Record, Spec, Work};
use quartermaster_osb::{Offering, Plan, PlanId};
use std::sync::Arc;

impl Engine {
    /// The author's function for the operation of a record, not yet started.
    pub(super) async fn prepare(&self, record: &Record) -> Result<Prepared, Failure> {
        let lost = || Failure::broken("the record of this operation is incomplete");
        let op = record.op.as_ref().ok_or_else(lost)?;
        let spec = record.spec.as_ref().ok_or_else(lost)?;
        let intent = op.intent.clone().unwrap_or_default();
        let asked = match op.work {
            Work::Create => &spec.asked,
            Work::Update | Work::Delete => &intent.asked,
        };
        let asked = asked.asked(&record.key.platform, record.attempts);
        match (op.work, record.key.binding.is_some()) {
            (Work::Create, false) => self.provision(record, spec, asked),
            (Work::Create, true) => Box::pin(self.bind(record, spec, asked)).await,
            (Work::Update, _) => {
                self.update(record, spec, intent.change.unwrap_or_default(), asked)
            }
            (Work::Delete, false) => Ok(self.deprovision(record, spec, asked)),
            (Work::Delete, true) => self.unbind(record, spec, asked),
        }
    }

    fn provision(&self, record: &Record, spec: &Spec, asked: Asked) -> Result<Prepared, Failure> {
        let (offering, plan) = self.on_offer(record, &record.plan)?;
        self.broker.provision(Provision {
            instance: record.key.instance.clone(),
            offering,
            plan,
            parameters: spec.parameters.expose().clone(),
            organization: spec.organization.clone(),
            space: spec.space.clone(),
            context: spec.context.clone(),
            asked,
            progress: Progress::of(&self.store, record),
        })
    }

    fn update(
        &self,
        record: &Record,
        spec: &Spec,
        change: Change,
        asked: Asked,
    ) -> Result<Prepared, Failure> {
        let Change {
            plan,
            parameters,
            maintenance_version,
            context,
        } = change;
        let (offering, wanted) = self.on_offer(record, plan.as_ref().unwrap_or(&record.plan))?;
        let (_, previous_plan) = self.known(record);
        self.broker.update(Update {
            instance: record.key.instance.clone(),
            offering,
            plan: wanted,
            previous_plan,
            changes: parameters.map(quartermaster_osb::Secret::into_exposed),
            parameters: spec.parameters.clone(),
            maintenance_version,
            context: context.unwrap_or_else(|| spec.context.clone()),
            asked,
            progress: Progress::of(&self.store, record),
        })
    }

    fn deprovision(&self, record: &Record, spec: &Spec, asked: Asked) -> Prepared {
        let (offering, plan) = self.known(record);
        self.broker.deprovision(Deprovision {
            instance: record.key.instance.clone(),
            offering,
            plan,
            parameters: spec.parameters.clone(),
            context: spec.context.clone(),
            asked,
            progress: Progress::of(&self.store, record),
        })
    }

    async fn bind(&self, record: &Record, spec: &Spec, asked: Asked) -> Result<Prepared, Failure> {
        let (offering, plan) = self.known(record);
        let Some(binding) = record.key.binding.clone() else {
            return Err(Failure::broken("a bind without a binding"));
        };
        let bind = Bind {
            instance: record.key.instance.clone(),
            binding,
            offering,
            plan,
            parameters: spec.parameters.expose().clone(),
            app: spec.app.clone(),
            bind_resource: spec.bind_resource.clone(),
            context: spec.context.clone(),
            asked,
            progress: Progress::of(&self.store, record),
        };
        let Some(predecessor) = spec.predecessor.clone() else {
            return self.broker.bind(bind);
        };
        let key = record.key.with_binding(Some(predecessor.clone()));
        let made = self.store.load(&key).await?.map(|record| record.made);
        let Some(Made {
            binding: Some(predecessor_binding),
            ..
        }) = made
        else {
            return Err(Failure::bad_request(
                "predecessor_binding_id names no binding",
            ));
        };
        self.broker.rotate(Rotate {
            bind,
            predecessor,
            predecessor_binding,
        })
    }

    fn unbind(&self, record: &Record, spec: &Spec, asked: Asked) -> Result<Prepared, Failure> {
        let (offering, plan) = self.known(record);
        let Some(binding) = record.key.binding.clone() else {
            return Err(Failure::broken("an unbind without a binding"));
        };
        Ok(self.broker.unbind(Unbind {
            instance: record.key.instance.clone(),
            binding,
            offering,
            plan,
            parameters: spec.parameters.clone(),
            made: record.made.binding.clone(),
            context: spec.context.clone(),
            asked,
            progress: Progress::of(&self.store, record),
        }))
    }

    /// Offering and plan that must be in the catalog now.
    fn on_offer(
        &self,
        record: &Record,
        plan: &PlanId,
    ) -> Result<(Arc<Offering>, Arc<Plan>), Failure> {
        let catalog = self.catalog();
        let entry = catalog
            .plan(record.service.as_str(), plan.as_str())
            .ok_or_else(|| Failure::refused("the plan is no longer in the catalog"))?;
        Ok((entry.offering.clone(), entry.plan.clone()))
    }

    /// Offering and plan of something that exists. A plan that left the catalog must still be deletable,
    /// so what is missing is filled in by its ids.
    pub(crate) fn known(&self, record: &Record) -> (Arc<Offering>, Arc<Plan>) {
        if let Some(entry) = self
            .catalog()
            .plan(record.service.as_str(), record.plan.as_str())
        {
            return (entry.offering.clone(), entry.plan.clone());
        }
        let lost = "no longer in the catalog";
        let plan = Plan::new(record.plan.clone(), record.plan.as_str(), lost);
        let offering = Offering {
            instances_retrievable: true,
            bindings_retrievable: true,
            ..Offering::new(
                record.service.clone(),
                record.service.as_str(),
                lost,
                vec![plan.clone()],
            )
        };
        (Arc::new(offering), Arc::new(plan))
    }
}
