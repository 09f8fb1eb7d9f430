//! Reading records, and the quick first write of a fresh one.

use super::row::{columns, key_values};
use super::{Store, StoreError};
use crate::record::{Key, Record, Spec};
use qm_db::{Dialect, Sql, Tx, Value};
use quartermaster_osb::State;

const INSERT: &str = "INSERT INTO resource (broker, platform, instance_id, binding_id, service_id, \
    plan_id, life, spec, op_id, op_work, op_state, op_started_at, lease_owner, lease_until, due_at, \
    fence, attempts, created_at, changed_at) \
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14, 1, 1, $12, $12) \
    ON CONFLICT (broker, platform, instance_id, binding_id) DO NOTHING";

const SELECT: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM resource WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4"
);

const SELECT_FOR_UPDATE: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM resource WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 \
     FOR UPDATE"
);

const SEALED: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM resource WHERE spec IS NOT NULL LIMIT 1"
);

const LIVE_BINDINGS: &str = "SELECT COUNT(*) FROM resource WHERE broker = $1 AND platform = $2 \
    AND instance_id = $3 AND binding_id <> '' AND life <> 'gone'";

impl Store {
    /// The record of an id, if it was ever seen.
    pub(crate) async fn load(&self, key: &Key) -> Result<Option<Record>, StoreError> {
        let rows = self.db.query(SELECT, key_values(key)).await?;
        rows.first().map(|row| self.record(row)).transpose()
    }

    /// Opens a record that has secrets: a wrong key shows at the start, not at a request.
    pub(super) async fn try_keys(&self) -> Result<(), StoreError> {
        let rows = self.db.query(SEALED, Vec::new()).await?;
        rows.first().map(|row| self.record(row)).transpose()?;
        Ok(())
    }

    /// The parameters of the statement that writes a fresh record with its create under way.
    pub(super) fn fresh(
        &self,
        record: &Record,
        spec: &Spec,
        owner: &str,
    ) -> Result<Vec<Value>, StoreError> {
        let (op_id, work, started_at) = record.op.as_ref().map_or(("", "", 0), |op| {
            (op.id.as_str(), op.work.as_str(), op.started_at)
        });
        let mut values = key_values(&record.key);
        values.extend([
            Value::from(record.service.as_str()),
            Value::from(record.plan.as_str()),
            Value::from(record.life.as_str()),
            self.seal(&record.key, "spec", spec)?,
            Value::from(op_id),
            Value::from(work),
            Value::from(State::InProgress.as_str()),
            Value::from(started_at),
            Value::from(owner),
            Value::from(record.lease_until),
        ]);
        Ok(values)
    }

    /// Writes a fresh record in one statement. `false`: the id was seen before.
    pub(super) async fn insert(&self, values: Vec<Value>) -> Result<bool, StoreError> {
        Ok(self.db.execute(INSERT, values).await? == 1)
    }

    /// Reads a record for a change: on PostgreSQL the row stays locked until the transaction ends; on
    /// SQLite there is one writer anyway.
    pub(super) async fn load_locked(
        &self,
        tx: &Tx<'_>,
        key: &Key,
    ) -> Result<Option<Record>, StoreError> {
        let sql = match self.db.dialect() {
            Dialect::Sqlite => SELECT,
            Dialect::Postgres => SELECT_FOR_UPDATE,
        };
        let row = run(tx, sql, &key_values(key)).await?;
        row.first().map(|row| self.record(row)).transpose()
    }

    /// Writes a fresh record inside a transaction. `false`: somebody was quicker.
    pub(super) async fn insert_in(
        &self,
        tx: &Tx<'_>,
        values: &[Value],
    ) -> Result<bool, StoreError> {
        Ok(execute(tx, INSERT, values).await? == 1)
    }

    /// How many bindings of an instance are not gone.
    pub(super) async fn live_bindings(&self, tx: &Tx<'_>, key: &Key) -> Result<i64, StoreError> {
        let values = key_values(key);
        let rows = run(tx, LIVE_BINDINGS, &values[..3]).await?;
        match rows.first() {
            Some(row) => Ok(row.get(0)?),
            None => Ok(0),
        }
    }
}

/// Runs a query with owned values.
pub(super) async fn run(
    tx: &Tx<'_>,
    sql: impl Into<Sql>,
    values: &[Value],
) -> Result<Vec<qm_db::Row>, qm_db::Error> {
    let params: Vec<&dyn qm_db::Param> = values.iter().map(|value| value as _).collect();
    tx.query(sql, &params).await
}

/// Runs a writing statement with owned values.
pub(super) async fn execute(
    tx: &Tx<'_>,
    sql: impl Into<Sql>,
    values: &[Value],
) -> Result<u64, qm_db::Error> {
    let params: Vec<&dyn qm_db::Param> = values.iter().map(|value| value as _).collect();
    tx.execute(sql, &params).await
}
