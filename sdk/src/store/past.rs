//! Asynchronous operations that a later one replaced.
//!
//! A platform may still poll them by the id it was given; a create that a delete halted reports
//! `failed` from here (B61).

use super::begin::Start;
use super::resource::execute;
use super::row::{flag, key_values, parse_state};
use super::{Store, StoreError};
use crate::record::{Key, Record};
use qm_db::{Tx, Value};
use quartermaster_osb::{LastOperation, State};

const KEEP: &str = "INSERT INTO past_operation (broker, platform, instance_id, binding_id, op_id, \
    work, state, text, usable, repeatable, finished_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (op_id) DO NOTHING";

const FORGET: &str = "DELETE FROM past_operation WHERE op_id = $1";

const SELECT: &str = "SELECT state, text, usable, repeatable FROM past_operation \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND op_id = $5";

impl Store {
    /// Keeps the operation that another is about to replace, if a platform knows its id.
    pub(super) async fn keep_past(
        &self,
        tx: &Tx<'_>,
        record: &Record,
        next: &Start,
    ) -> Result<(), StoreError> {
        let Some(op) = record.op.as_ref().filter(|op| op.asynchronous) else {
            return Ok(());
        };
        let (state, text) = match op.state {
            State::InProgress => (State::Failed, Some("halted by a delete".to_owned())),
            state => (state, op.text.clone()),
        };
        let mut values = key_values(&record.key);
        values.extend([
            Value::from(op.id.as_str()),
            Value::from(op.work.as_str()),
            Value::from(state.as_str()),
            Value::from(text),
            flag(op.instance_usable),
            flag(op.update_repeatable),
            Value::from(next.now),
        ]);
        execute(tx, KEEP, &values).await?;
        Ok(())
    }

    /// Takes an operation back from the past: what replaced it did not happen after all.
    pub(super) async fn forget_past(&self, tx: &Tx<'_>, op_id: &str) -> Result<(), StoreError> {
        execute(tx, FORGET, &[Value::from(op_id)]).await?;
        Ok(())
    }

    /// What a replaced operation came to.
    pub(crate) async fn past(
        &self,
        key: &Key,
        op_id: &str,
    ) -> Result<Option<LastOperation>, StoreError> {
        let mut values = key_values(key);
        values.push(Value::from(op_id));
        let rows = self.db.query(SELECT, values).await?;
        let Some(row) = rows.first() else {
            return Ok(None);
        };
        let state: String = row.get(0)?;
        let state =
            parse_state(&state).ok_or_else(|| StoreError::Form(format!("state {state:?}")))?;
        let mut answer = LastOperation::new(state, row.get(1)?);
        answer.instance_usable = row.get::<Option<i64>>(2)?.map(|flag| flag != 0);
        answer.update_repeatable = row.get::<Option<i64>>(3)?.map(|flag| flag != 0);
        Ok(Some(answer))
    }
}
