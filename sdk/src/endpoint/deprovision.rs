//! `DELETE /v2/service_instances/{i}`
//!
//! The ids in the query are demanded before existence is looked at; for bindings it is the other way
//! round, because the two public checkers want it so (T5).

use super::{Inner, patience, respond};
use crate::broker::call::Asked;
use crate::broker::failure::Failure;
use crate::life::{self, Wish};
use crate::record::{Key, Life, Record};
use crate::work::{Ran, Undertaken};
use quartermaster_osb::{Answer, Hints, Verb};
use std::sync::Arc;

impl Inner {
    pub(super) async fn deprovision(
        self: Arc<Self>,
        key: Key,
        accepts_incomplete: bool,
        hints: Hints,
        asked: Asked,
    ) -> Result<Answer, Failure> {
        demand(&hints)?;
        let record = self.existing(&key).await?;
        agree(&record, &hints)?;
        self.delete(record, accepts_incomplete, asked, Verb::Deprovision)
            .await
    }

    /// The record of something that can still be deleted; 410 for all else.
    pub(super) async fn existing(&self, key: &Key) -> Result<Record, Failure> {
        let record = self.engine.store.load(key).await?;
        record
            .filter(|record| record.life != Life::Gone)
            .ok_or_else(life::gone)
    }

    /// Deletes an instance or a binding.
    pub(super) async fn delete(
        &self,
        record: Record,
        accepts_incomplete: bool,
        asked: Asked,
        verb: Verb,
    ) -> Result<Answer, Failure> {
        self.before(verb, &record.key, &record.service, &record.plan, &asked)
            .await?;
        let patience = patience(accepts_incomplete);
        match self
            .engine
            .undertake(record.key, Wish::Delete, &asked, patience)
            .await?
        {
            Undertaken::Ran(Ran::Now(_), _) => Ok(Answer::Deleted),
            Undertaken::Ran(Ran::Accepted { .. }, record) => match &record.op {
                Some(op) => Ok(respond::accepted(op, None)),
                None => Err(Failure::broken("the operation was lost")),
            },
            Undertaken::Ran(Ran::Failed(failure), _) => Err(failure),
            Undertaken::Exists(_) => Err(Failure::broken("another kind of outcome")),
            Undertaken::Running(op, _) => self.under_way(&op, accepts_incomplete, None),
        }
    }
}

/// Both ids must be there.
pub(super) fn demand(hints: &Hints) -> Result<(), Failure> {
    match hints {
        Hints {
            service_id: None, ..
        } => Err(Failure::bad_request("the query must hold service_id")),
        Hints { plan_id: None, .. } => Err(Failure::bad_request("the query must hold plan_id")),
        Hints { .. } => Ok(()),
    }
}

/// The service must be the resource's. The plan may be an older one: a platform that missed a change
/// of plan must still be able to delete.
pub(super) fn agree(record: &Record, hints: &Hints) -> Result<(), Failure> {
    if hints.service_id.as_deref() != Some(record.service.as_str()) {
        return Err(Failure::bad_request(format!(
            "service_id is not that of the {}",
            record.key.noun()
        )));
    }
    Ok(())
}
