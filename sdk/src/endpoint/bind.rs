//! `PUT .../service_bindings/{b}`: called by the pipeline with a decoded body.
//!
//! The rule: credentials reach the platform at least once, at once or by a fetch, or the bind did not happen.

use super::{Inner, respond};
use crate::broker::call::Asked;
use crate::broker::erased::Done;
use crate::broker::failure::Failure;
use crate::catalog::{Input, PlanEntry};
use crate::life::{self, Wish};
use crate::record::{AskedRecord, Key, Life, Record, Spec};
use crate::work::{Patience, Ran, Undertaken};
use quartermaster_osb::{Answer, BindRequest, Binding, Verb};
use std::sync::Arc;

impl Inner {
    pub(super) async fn bind(
        self: Arc<Self>,
        key: Key,
        accepts_incomplete: bool,
        body: BindRequest,
        asked: Asked,
    ) -> Result<Answer, Failure> {
        let app = body.app().map(str::to_owned);
        let BindRequest {
            service_id,
            plan_id,
            context,
            app_guid: _,
            bind_resource,
            parameters,
            extra: _,
        } = body;
        let entry = self.resolve(&service_id, &plan_id)?;
        bindable(&entry)?;
        let parameters = parameters.unwrap_or_default();
        self.check(&entry, Input::Bind, &parameters)?;
        let instance = self.instance_of(&key).await?;
        if instance.service != service_id || instance.plan != plan_id {
            return self.other_plan(&key).await;
        }
        self.before(Verb::Bind, &key, &service_id, &plan_id, &asked)
            .await?;
        let spec = Arc::new(Spec {
            context: context.unwrap_or_default(),
            parameters,
            app,
            bind_resource,
            asked: AskedRecord::of(&asked),
            ..Spec::default()
        });
        let wish = Wish::Create {
            service: service_id,
            plan: plan_id,
            spec,
        };
        self.make_binding(key, wish, accepts_incomplete, &asked, &entry)
            .await
    }

    /// The instance of a binding to be, if it can be bound at all.
    pub(super) async fn instance_of(&self, key: &Key) -> Result<Record, Failure> {
        let record = self.engine.store.load(&key.of_instance()).await?;
        match record {
            Some(record) if record.life != Life::Gone => Ok(record),
            _ => Err(life::not_found(
                "there is no such instance: provision it first",
            )),
        }
    }

    /// Service or plan are not the instance's: a conflict when the binding exists, else a bad request.
    async fn other_plan(&self, key: &Key) -> Result<Answer, Failure> {
        let exists = self
            .engine
            .store
            .load(key)
            .await?
            .is_some_and(|record| record.life != Life::Gone);
        Err(if exists {
            Failure::conflict("this binding id exists with another service or plan")
        } else {
            Failure::bad_request("service_id and plan_id are not those of the instance")
        })
    }

    /// Makes a binding, by bind or by rotation.
    pub(super) async fn make_binding(
        &self,
        key: Key,
        wish: Wish,
        accepts_incomplete: bool,
        asked: &Asked,
        entry: &PlanEntry,
    ) -> Result<Answer, Failure> {
        // Without fetch, credentials of an asynchronous binding could never be read (B52).
        let retrievable = entry.offering.bindings_retrievable;
        let patience = match (accepts_incomplete, retrievable) {
            (true, true) => Patience::Waits,
            (true, false) => Patience::Awaits,
            (false, _) => Patience::Refuses,
        };
        match self.engine.undertake(key, wish, asked, patience).await? {
            Undertaken::Ran(Ran::Now(Done::Bound(body)), _) => Ok(Answer::Bound {
                created: true,
                body,
            }),
            Undertaken::Ran(Ran::Accepted { .. }, record) => match &record.op {
                Some(op) => Ok(respond::accepted(op, None)),
                None => Err(Failure::broken("the operation was lost")),
            },
            Undertaken::Ran(Ran::Failed(failure), _) => Err(failure),
            Undertaken::Ran(Ran::Now(_), _) => Err(Failure::broken("another kind of outcome")),
            Undertaken::Exists(record) => Ok(Answer::Bound {
                created: false,
                body: Box::new(record.made.binding.unwrap_or_else(Binding::default)),
            }),
            Undertaken::Running(op, _) => {
                self.under_way(&op, accepts_incomplete && retrievable, None)
            }
        }
    }
}

/// The plan must be bindable.
pub(super) fn bindable(entry: &PlanEntry) -> Result<(), Failure> {
    if entry.offering.binds(&entry.plan) {
        Ok(())
    } else {
        Err(Failure::bad_request(
            "instances of this plan cannot be bound (bindable is false)",
        ))
    }
}
