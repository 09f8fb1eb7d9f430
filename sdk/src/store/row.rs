//! Row to record and back: the only place that sees both.
//!
//! Secrets are sealed with the row's key and the column's name as associated data, so that a value
//! moved to another row or column does not open.

use super::{Store, StoreError};
use crate::record::{Key, Life, Made, Op, Record, Work};
use qm_db::{Row, Value};
use quartermaster_osb::{BadId, BindingId, InstanceId, PlanId, ServiceId, State};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// The columns of a record, in the order that `record` reads them.
macro_rules! columns {
    () => {
        "broker, platform, instance_id, binding_id, service_id, plan_id, life, spec, made, op_id, \
         op_work, op_state, op_async, op_text, op_usable, op_repeatable, op_prior, op_intent, \
         op_started_at, lease_until, fence, attempts, announce"
    };
}
pub(super) use columns;

impl Store {
    /// Reads a row that was selected with `columns!`.
    pub(super) fn record(&self, row: &Row) -> Result<Record, StoreError> {
        let binding: String = row.get(3)?;
        let key = Key::new(
            Arc::from(row.get::<String>(0)?),
            Arc::from(row.get::<String>(1)?),
            id(InstanceId::new(row.get::<String>(2)?))?,
            if binding.is_empty() {
                None
            } else {
                Some(id(BindingId::new(binding))?)
            },
        );
        let life: String = row.get(6)?;
        let op = match row.get::<Option<String>>(9)? {
            None => None,
            Some(op_id) => Some(Op {
                id: op_id,
                work: word(row.get(10)?, Work::parse)?,
                state: word(row.get(11)?, parse_state)?,
                asynchronous: row.get::<i64>(12)? != 0,
                text: row.get(13)?,
                instance_usable: row.get::<Option<i64>>(14)?.map(|flag| flag != 0),
                update_repeatable: row.get::<Option<i64>>(15)?.map(|flag| flag != 0),
                prior: row
                    .get::<Option<String>>(16)?
                    .as_deref()
                    .and_then(Life::parse),
                intent: self.open(&key, "op_intent", row.get(17)?)?,
                started_at: row.get(18)?,
            }),
        };
        Ok(Record {
            service: id(ServiceId::new(row.get::<String>(4)?))?,
            plan: id(PlanId::new(row.get::<String>(5)?))?,
            life: Life::parse(&life).ok_or_else(|| StoreError::Form(format!("life {life:?}")))?,
            spec: self.open(&key, "spec", row.get(7)?)?.map(Arc::new),
            made: self
                .open::<Made>(&key, "made", row.get(8)?)?
                .unwrap_or_default(),
            op,
            lease_until: row.get(19)?,
            fence: row.get(20)?,
            attempts: row.get(21)?,
            announce: row.get::<i64>(22)? != 0,
            key,
        })
    }

    /// Seals a value for one column of one row.
    pub(super) fn seal(
        &self,
        key: &Key,
        column: &str,
        value: &impl Serialize,
    ) -> Result<Value, StoreError> {
        let plain =
            serde_json::to_vec(value).map_err(|error| StoreError::Form(error.to_string()))?;
        Ok(Value::Blob(
            self.keys.seal(&associated(key, column), &plain)?,
        ))
    }

    fn open<T: DeserializeOwned>(
        &self,
        key: &Key,
        column: &str,
        sealed: Option<Vec<u8>>,
    ) -> Result<Option<T>, StoreError> {
        let Some(sealed) = sealed else {
            return Ok(None);
        };
        let plain = self.keys.open(&associated(key, column), &sealed)?;
        // The cause is left out on purpose: a parser's message may quote what it read.
        serde_json::from_slice(&plain)
            .map(Some)
            .map_err(|_| StoreError::Form(format!("column {column} of a {}", key.noun())))
    }
}

fn associated<'a>(key: &'a Key, column: &'a str) -> [&'a str; 5] {
    [
        &key.broker,
        &key.platform,
        key.instance.as_str(),
        key.binding_text(),
        column,
    ]
}

/// The four values of a key, in the order of the primary key.
pub(super) fn key_values(key: &Key) -> Vec<Value> {
    vec![
        Value::from(&*key.broker),
        Value::from(&*key.platform),
        Value::from(key.instance.as_str()),
        Value::from(key.binding_text()),
    ]
}

pub(super) fn parse_state(text: &str) -> Option<State> {
    [State::InProgress, State::Succeeded, State::Failed]
        .into_iter()
        .find(|state| state.as_str() == text)
}

pub(super) fn flag(value: Option<bool>) -> Value {
    Value::from(value.map(i64::from))
}

fn word<T>(text: Option<String>, parse: impl Fn(&str) -> Option<T>) -> Result<T, StoreError> {
    let text = text.unwrap_or_default();
    parse(&text).ok_or_else(|| StoreError::Form(format!("word {text:?}")))
}

fn id<T>(id: Result<T, BadId>) -> Result<T, StoreError> {
    id.map_err(|error| StoreError::Form(error.to_string()))
}
