//! `PATCH /v2/service_instances/{i}`: called by the pipeline with a decoded body.
//!
//! The rule: what the request leaves out stays as it is, and a refused or failed update changes nothing.

use super::{Inner, patience, respond};
use crate::broker::call::Asked;
use crate::broker::erased::Done;
use crate::broker::failure::Failure;
use crate::catalog::{Input, PlanEntry};
use crate::life::Wish;
use crate::record::{Change, Key, Life, Record};
use crate::work::{Ran, Undertaken};
use quartermaster_osb::{Answer, UpdateRequest, UpdateResponse, Verb};
use std::sync::Arc;

impl Inner {
    pub(super) async fn update(
        self: Arc<Self>,
        key: Key,
        accepts_incomplete: bool,
        body: UpdateRequest,
        asked: Asked,
    ) -> Result<Answer, Failure> {
        let UpdateRequest {
            service_id,
            plan_id,
            context,
            parameters,
            maintenance_info,
            previous_values: _,
            extra: _,
        } = body;
        let catalog = self.engine.catalog();
        if !catalog.has_service(service_id.as_str()) {
            return Err(Failure::bad_request(
                "service_id names no service of this broker: see /v2/catalog",
            ));
        }
        let wanted = plan_id
            .as_ref()
            .map(|plan| self.resolve(&service_id, plan))
            .transpose()?;
        let record = self.engine.store.load(&key).await?;
        let Some(record) = record.filter(|record| record.life != Life::Gone) else {
            return Err(crate::life::not_found(
                "there is no such instance: provision it first",
            ));
        };
        if record.service != service_id {
            return Err(Failure::bad_request(
                "service_id is not that of the instance",
            ));
        }
        let present = catalog
            .plan(record.service.as_str(), record.plan.as_str())
            .cloned();
        let plan_id = plan_id.filter(|plan| *plan != record.plan);
        let entry = wanted.as_ref().or(present.as_ref()).ok_or_else(|| {
            Failure::refused(
                "the instance's plan is no longer in the catalog: name another plan_id",
            )
        })?;
        allowed(
            &record,
            entry,
            plan_id.is_some(),
            &parameters,
            &maintenance_info,
            &context,
        )?;
        if let Some(parameters) = &parameters {
            self.check(entry, Input::Update, parameters)?;
        }
        self.maintained(entry, maintenance_info.as_ref())?;
        let plan = plan_id.as_ref().unwrap_or(&record.plan);
        self.before(Verb::Update, &key, &service_id, plan, &asked)
            .await?;
        let change = Change {
            // A change of plan brings the plan's version along.
            maintenance_version: match (&maintenance_info, &plan_id) {
                (Some(info), _) => Some(info.version.clone()),
                (None, Some(_)) => entry
                    .plan
                    .maintenance_info
                    .as_ref()
                    .map(|info| info.version.clone()),
                (None, None) => None,
            },
            plan: plan_id,
            parameters,
            context,
        };
        if change == Change::default() && record.life == Life::Ready {
            return Ok(Answer::Updated(UpdateResponse::default()));
        }
        let wish = Wish::Update {
            change: Box::new(change),
        };
        let patience = patience(accepts_incomplete);
        match self.engine.undertake(key, wish, &asked, patience).await? {
            Undertaken::Ran(Ran::Now(Done::Updated(updated)), _) => {
                Ok(Answer::Updated(UpdateResponse {
                    dashboard_url: updated.dashboard_url,
                    metadata: updated.metadata,
                    ..UpdateResponse::default()
                }))
            }
            Undertaken::Ran(Ran::Accepted { dashboard_url }, record) => match &record.op {
                Some(op) => Ok(respond::accepted(op, dashboard_url)),
                None => Err(Failure::broken("the operation was lost")),
            },
            Undertaken::Ran(Ran::Failed(failure), _) => Err(failure),
            Undertaken::Ran(Ran::Now(_), _) | Undertaken::Exists(_) => {
                Err(Failure::broken("another kind of outcome"))
            }
            Undertaken::Running(op, _) => self.under_way(&op, accepts_incomplete, None),
        }
    }
}

/// What the catalog says may change (B43).
fn allowed(
    record: &Record,
    wanted: &PlanEntry,
    plan_changes: bool,
    parameters: &Option<quartermaster_osb::Secret<quartermaster_osb::Object>>,
    maintenance: &Option<quartermaster_osb::MaintenanceInfo>,
    context: &Option<quartermaster_osb::Context>,
) -> Result<(), Failure> {
    let offering = &wanted.offering;
    if plan_changes {
        let present = offering.plan(record.plan.as_str());
        let updateable =
            present.map_or(offering.plan_updateable, |plan| offering.changes_plan(plan));
        if !updateable {
            return Err(Failure::refused(
                "instances of this plan cannot change plan (plan_updateable is false)",
            ));
        }
    }
    let context_only =
        !plan_changes && parameters.is_none() && maintenance.is_none() && context.is_some();
    let same_context = record
        .spec
        .as_ref()
        .is_some_and(|spec| Some(&spec.context) == context.as_ref());
    if context_only && !same_context && !offering.allow_context_updates {
        return Err(Failure::refused(
            "this service takes no updates of the context alone (allow_context_updates is false)",
        ));
    }
    Ok(())
}
