//! Who works on what: leases on operations under way, and taking up what a dead process left.
//!
//! Called by the engine. The rule: taking work raises its fence, so that the former owner, should it
//! still live, writes nothing more.

use super::row::{columns, key_values};
use super::{Store, StoreError};
use crate::record::{Key, Record};
use qm_db::{Dialect, Value};

const RENEW: &str = "UPDATE resource SET lease_until = $5, due_at = $5 \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $6 \
    RETURNING halt";

// Giving work back in order is no failed attempt: a long job may outlast many restarts.
const RELEASE: &str = "UPDATE resource SET lease_until = 0, due_at = $6, \
    attempts = CASE WHEN attempts > 1 THEN attempts - 1 ELSE attempts END \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $5";

const HALT: &str = "UPDATE resource SET halt = 1 \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $5";

const VOID: &str = "UPDATE resource SET lease_until = 0, due_at = 0, halt = 0 \
    WHERE broker = $1 AND op_state = 'in progress'";

// Whoever wanted a halt would have come by now; its mark must not stop the next run too.
const CLAIM_SQLITE: &str = concat!(
    "UPDATE resource SET lease_owner = $1, lease_until = $2, due_at = $2, fence = fence + 1, \
     attempts = attempts + 1, halt = 0 WHERE rowid IN (SELECT rowid FROM resource WHERE broker = $3 \
     AND op_state = 'in progress' AND due_at <= $4 ORDER BY due_at LIMIT $5) RETURNING ",
    columns!()
);

const CLAIM_POSTGRES: &str = concat!(
    "UPDATE resource SET lease_owner = $1, lease_until = $2, due_at = $2, fence = fence + 1, \
     attempts = attempts + 1, halt = 0 WHERE ctid IN (SELECT ctid FROM resource WHERE broker = $3 \
     AND op_state = 'in progress' AND due_at <= $4 ORDER BY due_at LIMIT $5 \
     FOR UPDATE SKIP LOCKED) RETURNING ",
    columns!()
);

const UNHEARD: &str = concat!(
    "SELECT ",
    columns!(),
    " FROM resource WHERE broker = $1 AND announce = 1 AND changed_at <= $2 LIMIT 100"
);

/// What a renewal found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Renewed {
    /// Go on.
    Held,
    /// A delete wants us to stop.
    Halt,
    /// Somebody else has it now.
    Lost,
}

impl Store {
    /// Keeps the lease while the work goes on.
    pub(crate) async fn renew(&self, record: &Record, until: i64) -> Result<Renewed, StoreError> {
        let mut values = key_values(&record.key);
        values.extend([Value::from(until), Value::from(record.fence)]);
        let rows = self.db.write_returning(RENEW, values).await?;
        Ok(match rows.first() {
            None => Renewed::Lost,
            Some(row) if row.get::<i64>(0)? != 0 => Renewed::Halt,
            Some(_) => Renewed::Held,
        })
    }

    /// Gives the work back unfinished; whoever looks at `due_at` or later takes it.
    pub(crate) async fn release(&self, record: &Record, due_at: i64) -> Result<(), StoreError> {
        let mut values = key_values(&record.key);
        values.extend([Value::from(record.fence), Value::from(due_at)]);
        self.db.execute(RELEASE, values).await?;
        Ok(())
    }

    /// Asks whoever works on a create to stop.
    pub(crate) async fn halt(&self, record: &Record) -> Result<(), StoreError> {
        let mut values = key_values(&record.key);
        values.push(Value::from(record.fence));
        self.db.execute(HALT, values).await?;
        Ok(())
    }

    /// Voids the leases of a former life of this process. Only for a store that nobody shares.
    pub(crate) async fn void_leases(&self, broker: &str) -> Result<(), StoreError> {
        self.db.execute(VOID, vec![Value::from(broker)]).await?;
        Ok(())
    }

    /// Takes up to `most` operations whose lease is over.
    pub(crate) async fn claim(
        &self,
        broker: &str,
        owner: &str,
        now: i64,
        until: i64,
        most: i64,
    ) -> Result<Vec<Record>, StoreError> {
        let sql = match self.db.dialect() {
            Dialect::Sqlite => CLAIM_SQLITE,
            Dialect::Postgres => CLAIM_POSTGRES,
        };
        let values = vec![
            Value::from(owner),
            Value::from(until),
            Value::from(broker),
            Value::from(now),
            Value::from(most),
        ];
        let rows = self.db.write_returning(sql, values).await?;
        // One that cannot be read must not keep the others from being done.
        let read = rows.iter().filter_map(|row| {
            let record = self.record(row);
            record
                .inspect_err(|error| {
                    tracing::error!(
                        error = crate::observe::chain(error),
                        "unfinished work cannot be read"
                    );
                })
                .ok()
        });
        Ok(read.collect())
    }

    /// Outcomes that the hooks have not heard of, older than a moment.
    pub(crate) async fn unheard(
        &self,
        broker: &str,
        before: i64,
    ) -> Result<Vec<Record>, StoreError> {
        let values = vec![Value::from(broker), Value::from(before)];
        let rows = self.db.query(UNHEARD, values).await?;
        rows.iter().map(|row| self.record(row)).collect()
    }

    /// Whether a record may be begun on: read again while waiting for a halt.
    pub(crate) async fn is_free(&self, key: &Key, now: i64) -> Result<bool, StoreError> {
        Ok(self
            .load(key)
            .await?
            .is_none_or(|record| record.lease_until <= now))
    }
}
