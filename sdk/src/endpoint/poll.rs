//! `GET .../last_operation` of instances and bindings (B70 to B73, T2, T6)
//!
//! Answered from the record alone: the author's code is not asked.

use super::{DeletedOperation, Inner};
use crate::broker::failure::Failure;
use crate::life::{gone, not_found};
use crate::record::{Key, Life, Op};
use quartermaster_osb::{Answer, LastOperation, Poll, State};
use std::sync::Arc;

impl Inner {
    pub(super) async fn poll(self: Arc<Self>, key: Key, poll: Poll) -> Result<Answer, Failure> {
        let Some(record) = self.engine.store.load(&key).await? else {
            return Err(not_found(&format!(
                "no {} of this id was ever made",
                key.noun()
            )));
        };
        let latest = record.op.as_ref().map(|op| op.id.as_str());
        if let Some(operation) = poll.operation.as_deref()
            && latest != Some(operation)
            && let Some(past) = self.engine.store.past(&key, operation).await?
        {
            return Ok(self.answer(past));
        }
        if record.life == Life::Gone {
            return match self.knobs.deleted {
                DeletedOperation::Gone => Err(gone()),
                DeletedOperation::Succeeded => {
                    Ok(self.answer(LastOperation::new(State::Succeeded, None)))
                }
            };
        }
        let said = record.op.map(said).unwrap_or_else(|| match record.life {
            Life::Failed => LastOperation::new(State::Failed, None),
            _ => LastOperation::new(State::Succeeded, None),
        });
        Ok(self.answer(said))
    }

    fn answer(&self, body: LastOperation) -> Answer {
        let retry_after = match body.state {
            State::InProgress => self.knobs.retry_after,
            State::Succeeded | State::Failed => None,
        };
        Answer::LastOperation { body, retry_after }
    }
}

fn said(op: Op) -> LastOperation {
    // An empty description would break B72.
    let text = op.text.filter(|text| !text.is_empty());
    let mut said = LastOperation::new(op.state, text);
    said.instance_usable = op.instance_usable;
    said.update_repeatable = op.update_repeatable;
    said
}
