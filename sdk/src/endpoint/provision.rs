//! `PUT /v2/service_instances/{i}`: called by the pipeline with a decoded body.
//!
//! The rule: everything that can be refused is refused before the intent is stored.

use super::{Inner, patience, respond};
use crate::broker::call::Asked;
use crate::broker::erased::Done;
use crate::broker::failure::Failure;
use crate::catalog::Input;
use crate::life::Wish;
use crate::record::{AskedRecord, Key, Spec};
use crate::work::{Ran, Undertaken};
use quartermaster_osb::{Answer, ProvisionRequest, ProvisionResponse, Verb};
use std::sync::Arc;

impl Inner {
    pub(super) async fn provision(
        self: Arc<Self>,
        key: Key,
        accepts_incomplete: bool,
        body: Box<ProvisionRequest>,
        asked: Asked,
    ) -> Result<Answer, Failure> {
        let ProvisionRequest {
            service_id,
            plan_id,
            organization_guid,
            space_guid,
            context,
            parameters,
            maintenance_info,
            extra: _,
        } = *body;
        let entry = self.resolve(&service_id, &plan_id)?;
        let parameters = parameters.unwrap_or_default();
        self.check(&entry, Input::Create, &parameters)?;
        self.maintained(&entry, maintenance_info.as_ref())?;
        self.before(Verb::Provision, &key, &service_id, &plan_id, &asked)
            .await?;
        let spec = Arc::new(Spec {
            organization: organization_guid,
            space: space_guid,
            context: context.unwrap_or_default(),
            parameters,
            maintenance_version: entry
                .plan
                .maintenance_info
                .as_ref()
                .map(|info| info.version.clone()),
            asked: AskedRecord::of(&asked),
            ..Spec::default()
        });
        let wish = Wish::Create {
            service: service_id,
            plan: plan_id,
            spec,
        };
        let patience = patience(accepts_incomplete);
        match self.engine.undertake(key, wish, &asked, patience).await? {
            Undertaken::Ran(Ran::Now(Done::Provisioned(made)), _) => Ok(Answer::Provisioned {
                created: true,
                body: ProvisionResponse {
                    dashboard_url: made.dashboard_url,
                    metadata: made.metadata,
                    ..ProvisionResponse::default()
                },
            }),
            Undertaken::Ran(Ran::Accepted { dashboard_url }, record) => match &record.op {
                Some(op) => Ok(respond::accepted(op, dashboard_url)),
                None => Err(Failure::broken("the operation was lost")),
            },
            Undertaken::Ran(Ran::Failed(failure), _) => Err(failure),
            Undertaken::Ran(Ran::Now(_), _) => Err(Failure::broken("another kind of outcome")),
            Undertaken::Exists(record) => Ok(Answer::Provisioned {
                created: false,
                body: ProvisionResponse {
                    dashboard_url: record.made.dashboard_url,
                    metadata: record.made.metadata,
                    ..ProvisionResponse::default()
                },
            }),
            Undertaken::Running(op, record) => {
                self.under_way(&op, accepts_incomplete, record.made.dashboard_url)
            }
        }
    }
}
