//! The outcome: what an operation came to, stored under the fence it ran with.
//!
//! Called by the engine only. `false` from any of these means: the lease was lost, somebody else
//! goes on, and what we know no longer counts.

use super::resource::execute;
use super::row::{flag, key_values};
use super::{Store, StoreError};
use crate::record::{Key, Life, Made, Record, Spec};
use qm_db::{Tx, Value};
use quartermaster_osb::State;

/// What an operation came to.
#[derive(Debug, Clone)]
pub(crate) struct Settled {
    pub(crate) life: Life,
    pub(crate) state: State,
    pub(crate) text: Option<String>,
    pub(crate) instance_usable: Option<bool>,
    pub(crate) update_repeatable: Option<bool>,
    pub(crate) plan: Option<String>,
    /// `None` leaves it, `Some(None)` wipes it.
    pub(crate) spec: Option<Option<Spec>>,
    /// `None` leaves it, `Some(None)` wipes it.
    pub(crate) made: Option<Option<Made>>,
    /// Hooks must hear of it.
    pub(crate) announce: bool,
}

/// The common case by far: made, and nothing else changed.
const FINISH: &str = "UPDATE resource SET life = $5, made = $6, op_state = $7, op_text = $8, \
    lease_until = 0, announce = $9, changed_at = $10 \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $11";

const SETTLE: &str = "UPDATE resource SET life = $5, op_state = $6, op_text = $7, op_usable = $8, \
    op_repeatable = $9, plan_id = COALESCE($10, plan_id), \
    spec = CASE WHEN CAST($11 AS BIGINT) = 1 THEN $12 ELSE spec END, \
    made = CASE WHEN CAST($13 AS BIGINT) = 1 THEN $14 ELSE made END, \
    op_intent = CASE WHEN CAST($15 AS BIGINT) = 1 THEN op_intent ELSE NULL END, \
    lease_until = 0, announce = $15, changed_at = $16 \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $17";

const ACCEPT: &str = "UPDATE resource SET op_async = 1, made = COALESCE($5, made) \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $6";

const SAY: &str = "UPDATE resource SET op_text = $5 \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $6 \
    AND op_state = 'in progress'";

const PROMISE: &str = "UPDATE resource SET op_async = 1 \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $5 \
    AND op_state = 'in progress'";

const FORGET: &str = "DELETE FROM resource \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $5 \
    AND op_async = 0";

const RESTORE: &str = "UPDATE resource SET service_id = $5, plan_id = $6, life = $7, spec = $8, \
    made = $9, op_id = $10, op_work = $11, op_state = $12, op_async = $13, op_text = $14, \
    op_usable = $15, op_repeatable = $16, op_prior = $17, op_intent = $18, op_started_at = $19, \
    lease_until = 0, due_at = 0, halt = 0, fence = fence + 1 \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $20 \
    AND op_async = 0";

// Until then the intent is kept: it says who asked.
const HEARD: &str = "UPDATE resource SET announce = 0, op_intent = NULL \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $5";

impl Store {
    /// Stores the outcome of an operation.
    pub(crate) async fn settle(
        &self,
        record: &Record,
        settled: &Settled,
        now: i64,
    ) -> Result<bool, StoreError> {
        let Settled {
            life,
            state,
            text,
            instance_usable,
            update_repeatable,
            plan,
            spec,
            made,
            announce,
        } = settled;
        let mut values = key_values(&record.key);
        let text = Value::from(text.clone());
        let announce = Value::from(i64::from(*announce));
        if let (Life::Ready, None, None, Some(Some(made))) = (life, plan, spec, made) {
            // Most instances make nothing that is worth sealing.
            let made = match *made == Made::default() {
                true => Value::Null,
                false => self.seal(&record.key, "made", made)?,
            };
            values.extend([
                Value::from(life.as_str()),
                made,
                Value::from(state.as_str()),
                text,
            ]);
            values.extend([announce, Value::from(now), Value::from(record.fence)]);
            return Ok(self.db.execute(FINISH, values).await? == 1);
        }
        let (write_spec, spec) = self.optional(record, "spec", spec.as_ref())?;
        let (write_made, made) = self.optional(record, "made", made.as_ref())?;
        values.extend([
            Value::from(life.as_str()),
            Value::from(state.as_str()),
            text,
        ]);
        values.extend([flag(*instance_usable), flag(*update_repeatable)]);
        values.extend([
            Value::from(plan.clone()),
            write_spec,
            spec,
            write_made,
            made,
            announce,
        ]);
        values.extend([Value::from(now), Value::from(record.fence)]);
        Ok(self.db.execute(SETTLE, values).await? == 1)
    }

    /// The platform will be told 202: from now on the operation is known by its id.
    pub(crate) async fn accept(
        &self,
        record: &Record,
        made: Option<&Made>,
    ) -> Result<bool, StoreError> {
        let made = match made {
            Some(made) => self.seal(&record.key, "made", made)?,
            None => Value::Null,
        };
        let mut values = key_values(&record.key);
        values.extend([made, Value::from(record.fence)]);
        Ok(self.db.execute(ACCEPT, values).await? == 1)
    }

    /// A second caller will be told 202 for a call that a first one still waits for: from now on it cannot
    /// be undone. `false`: it has just ended.
    pub(crate) async fn promise(&self, record: &Record) -> Result<bool, StoreError> {
        let mut values = key_values(&record.key);
        values.push(Value::from(record.fence));
        Ok(self.db.execute(PROMISE, values).await? == 1)
    }

    /// Progress, for people who poll.
    pub(crate) async fn say(&self, key: &Key, fence: i64, text: &str) -> Result<bool, StoreError> {
        let mut values = key_values(key);
        values.extend([Value::from(text), Value::from(fence)]);
        Ok(self.db.execute(SAY, values).await? == 1)
    }

    /// The hooks have heard.
    pub(crate) async fn heard(&self, record: &Record) -> Result<(), StoreError> {
        let mut values = key_values(&record.key);
        values.push(Value::from(record.fence));
        self.db.execute(HEARD, values).await?;
        Ok(())
    }

    /// Takes a begun operation back as if it had not been asked for: nothing was done. `false`: somebody
    /// was told to wait for it, or the lease was lost.
    pub(crate) async fn undo(
        &self,
        record: &Record,
        before: Option<&Record>,
    ) -> Result<bool, StoreError> {
        let Some(before) = before.cloned() else {
            let mut values = key_values(&record.key);
            values.push(Value::from(record.fence));
            return Ok(self.db.execute(FORGET, values).await? == 1);
        };
        let values = self.restored(&before, record.fence)?;
        let op_id = before.op.map(|op| op.id);
        let store = self.clone();
        self.db
            .transaction(async move |tx: &Tx<'_>| {
                let restored = execute(tx, RESTORE, &values).await? == 1;
                // Whoever took the work over still needs the past.
                if let Some(op_id) = op_id.as_ref().filter(|_| restored) {
                    store.forget_past(tx, op_id).await?;
                }
                Ok::<_, StoreError>(restored)
            })
            .await
    }

    fn restored(&self, before: &Record, fence: i64) -> Result<Vec<Value>, StoreError> {
        let Record {
            key,
            service,
            plan,
            life,
            spec,
            made,
            op,
            ..
        } = before;
        let (_, spec) = self.optional(before, "spec", Some(&spec.as_deref()))?;
        let mut values = key_values(key);
        values.extend([
            Value::from(service.as_str()),
            Value::from(plan.as_str()),
            Value::from(life.as_str()),
            spec,
            self.seal(key, "made", made)?,
        ]);
        match op {
            None => values.extend([const { Value::Null }; 3].into_iter().chain([
                Value::Int(0),
                Value::Null,
                Value::Null,
                Value::Null,
                Value::Null,
                Value::Null,
                Value::Int(0),
            ])),
            Some(op) => {
                let intent = match &op.intent {
                    Some(intent) => self.seal(key, "op_intent", intent)?,
                    None => Value::Null,
                };
                values.extend([
                    Value::from(op.id.as_str()),
                    Value::from(op.work.as_str()),
                    Value::from(op.state.as_str()),
                    Value::from(i64::from(op.asynchronous)),
                    Value::from(op.text.clone()),
                    flag(op.instance_usable),
                    flag(op.update_repeatable),
                    Value::from(op.prior.map(|life| life.as_str().to_owned())),
                    intent,
                    Value::from(op.started_at),
                ]);
            }
        }
        values.push(Value::from(fence));
        Ok(values)
    }

    /// A flag "write it" and the sealed value.
    fn optional<T: serde::Serialize>(
        &self,
        record: &Record,
        column: &str,
        value: Option<&Option<T>>,
    ) -> Result<(Value, Value), StoreError> {
        Ok(match value {
            None => (Value::Int(0), Value::Null),
            Some(None) => (Value::Int(1), Value::Null),
            Some(Some(value)) => (Value::Int(1), self.seal(&record.key, column, value)?),
        })
    }
}
