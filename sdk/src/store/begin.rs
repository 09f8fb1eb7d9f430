//! The intent: decides and stores, in one transaction, that an operation begins.
//!
//! Called by the endpoint before the author's function runs. The rule: whoever gets `Started` holds the
//! lease with that fence; everybody else gets told how things stand.

use super::resource::execute;
use super::row::key_values;
use super::{Store, StoreError};
use crate::broker::failure::Failure;
use crate::life::{self, Verdict, Wish};
use crate::record::{AskedRecord, Intent, Key, Life, Made, Op, Record, Work};
use qm_db::{Tx, Value};
use quartermaster_osb::State;
use std::sync::Arc;

/// What is to begin.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub(crate) key: Key,
    pub(crate) wish: Wish,
    pub(crate) op_id: String,
    pub(crate) asked: AskedRecord,
    pub(crate) owner: String,
    /// There are hooks: they must have heard of the last operation.
    pub(crate) hooked: bool,
    pub(crate) now: i64,
    pub(crate) lease_until: i64,
}

/// What came of it.
#[derive(Debug)]
pub(crate) enum Began {
    /// The operation is stored and ours; `before` is how the record stood.
    Started {
        record: Arc<Record>,
        before: Option<Box<Record>>,
    },
    /// Nothing was stored: the hooks must hear of the last operation first.
    Untold(Box<Record>),
    /// Nothing was stored: this is how things stand.
    Stands {
        verdict: Box<Verdict>,
        record: Option<Box<Record>>,
    },
}

const RESTART: &str = "UPDATE resource SET service_id = $5, plan_id = $6, life = $7, spec = $8, \
    made = NULL, op_id = $9, op_work = $10, op_state = $11, op_async = 0, op_text = NULL, \
    op_usable = NULL, op_repeatable = NULL, op_prior = $12, op_intent = NULL, op_started_at = $13, \
    lease_owner = $14, lease_until = $15, due_at = $15, fence = fence + 1, attempts = 1, halt = 0, \
    announce = 0, changed_at = $13 \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $16";

const PROCEED: &str = "UPDATE resource SET life = $5, op_id = $6, op_work = $7, op_state = $8, \
    op_async = 0, op_text = NULL, op_usable = NULL, op_repeatable = NULL, op_prior = $9, \
    op_intent = $10, op_started_at = $11, lease_owner = $12, lease_until = $13, due_at = $13, \
    fence = fence + 1, attempts = 1, halt = 0, announce = 0, changed_at = $11 \
    WHERE broker = $1 AND platform = $2 AND instance_id = $3 AND binding_id = $4 AND fence = $14";

impl Store {
    /// Begins an operation, or says why not.
    pub(crate) async fn begin(&self, start: Start) -> Result<Began, StoreError> {
        // A create of an instance nobody has seen is one statement; everything else needs a look.
        if let Wish::Create { spec, .. } = &start.wish
            && start.key.binding.is_none()
            && let Some(record) = start.fresh()
        {
            let values = self.fresh(&record, spec, &start.owner)?;
            if self.insert(values).await? {
                return Ok(Began::Started {
                    record: Arc::new(record),
                    before: None,
                });
            }
        }
        // On the heap: it is large, and most requests never come here.
        Box::pin(self.look(start)).await
    }

    /// Decides by how the record stands.
    async fn look(&self, start: Start) -> Result<Began, StoreError> {
        loop {
            let (store, start) = (self.clone(), start.clone());
            let began = self
                .db
                .transaction(async move |tx| store.begin_in(tx, start).await)
                .await?;
            if let Some(began) = began {
                return Ok(began);
            }
        }
    }

    /// `None`: somebody changed the record in between; look again.
    async fn begin_in(&self, tx: &Tx<'_>, start: Start) -> Result<Option<Began>, StoreError> {
        let parent = match start.key.binding {
            Some(_) => self.load_locked(tx, &start.key.of_instance()).await?,
            None => None,
        };
        let before = self.load_locked(tx, &start.key).await?;
        let verdict = self
            .verdict(tx, &start, parent.as_ref(), before.as_ref())
            .await?;
        if matches!(verdict, Verdict::Start)
            && let Some(untold) = before
                .as_ref()
                .filter(|before| before.announce && start.hooked)
        {
            return Ok(Some(Began::Untold(Box::new(untold.clone()))));
        }
        if !matches!(verdict, Verdict::Start) {
            return Ok(Some(Began::Stands {
                verdict: Box::new(verdict),
                record: before.map(Box::new),
            }));
        }
        self.write(tx, &start, before).await
    }

    async fn verdict(
        &self,
        tx: &Tx<'_>,
        start: &Start,
        parent: Option<&Record>,
        before: Option<&Record>,
    ) -> Result<Verdict, StoreError> {
        let mut verdict = life::decide(&start.wish, before);
        // A create that a dead process left behind needs no halting: its lease is over.
        if matches!(verdict, Verdict::Halt)
            && before.is_some_and(|record| record.lease_until <= start.now)
        {
            verdict = Verdict::Start;
        }
        if !matches!(verdict, Verdict::Start) {
            return Ok(verdict);
        }
        let instance = start.key.binding.is_none();
        match start.wish {
            Wish::Create { .. } if !instance => {
                if let Err(failure) = life::admits_binding(parent) {
                    return Ok(Verdict::Refuse(failure));
                }
            }
            Wish::Delete if instance => {
                let left = self.live_bindings(tx, &start.key).await?;
                if left > 0 {
                    return Ok(Verdict::Refuse(Failure::refused(format!(
                        "the instance still has {left} binding(s): unbind first"
                    ))));
                }
            }
            _ => {}
        }
        Ok(verdict)
    }

    async fn write(
        &self,
        tx: &Tx<'_>,
        start: &Start,
        before: Option<Record>,
    ) -> Result<Option<Began>, StoreError> {
        let Some(before) = before else {
            let (Wish::Create { spec, .. }, Some(record)) = (&start.wish, start.fresh()) else {
                return Err(StoreError::Form("a change of nothing".to_owned()));
            };
            let values = self.fresh(&record, spec, &start.owner)?;
            let inserted = self.insert_in(tx, &values).await?;
            return Ok(inserted.then(|| Began::Started {
                record: Arc::new(record),
                before: None,
            }));
        };
        self.keep_past(tx, &before, start).await?;
        let record = start.over(&before);
        let (sql, values) = self.change(start, &record, &before)?;
        let changed = execute(tx, sql, &values).await?;
        Ok((changed == 1).then(|| Began::Started {
            record: Arc::new(record),
            before: Some(Box::new(before)),
        }))
    }

    fn change(
        &self,
        start: &Start,
        record: &Record,
        before: &Record,
    ) -> Result<(&'static str, Vec<Value>), StoreError> {
        let mut values = key_values(&start.key);
        let prior = Value::from(before.life.as_str());
        let state = Value::from(State::InProgress.as_str());
        let (owner, lease) = (
            Value::from(start.owner.as_str()),
            Value::from(start.lease_until),
        );
        let (op_id, now) = (Value::from(start.op_id.as_str()), Value::from(start.now));
        let (life, fence) = (Value::from(record.life.as_str()), Value::from(before.fence));
        let work = Value::from(start.work().as_str());
        if let Wish::Create {
            service,
            plan,
            spec,
        } = &start.wish
        {
            let spec = self.seal(&start.key, "spec", &**spec)?;
            let (service, plan) = (Value::from(service.as_str()), Value::from(plan.as_str()));
            values.extend([
                service, plan, life, spec, op_id, work, state, prior, now, owner,
            ]);
            values.extend([lease, fence]);
            return Ok((RESTART, values));
        }
        let intent = record.op.as_ref().and_then(|op| op.intent.as_ref());
        let intent = self.seal(&start.key, "op_intent", &intent)?;
        values.extend([
            life, op_id, work, state, prior, intent, now, owner, lease, fence,
        ]);
        Ok((PROCEED, values))
    }
}

impl Start {
    fn work(&self) -> Work {
        match self.wish {
            Wish::Create { .. } => Work::Create,
            Wish::Update { .. } => Work::Update,
            Wish::Delete => Work::Delete,
        }
    }

    fn op(&self, prior: Option<Life>) -> Op {
        let change = match &self.wish {
            Wish::Update { change } => Some((**change).clone()),
            Wish::Create { .. } | Wish::Delete => None,
        };
        Op {
            id: self.op_id.clone(),
            work: self.work(),
            state: State::InProgress,
            asynchronous: false,
            text: None,
            instance_usable: None,
            update_repeatable: None,
            prior,
            // A create runs again from its spec.
            intent: (self.work() != Work::Create).then(|| Intent {
                change,
                asked: self.asked.clone(),
            }),
            started_at: self.now,
        }
    }

    /// The record of an id never seen before.
    fn fresh(&self) -> Option<Record> {
        let Wish::Create {
            service,
            plan,
            spec,
        } = &self.wish
        else {
            return None;
        };
        Some(Record {
            key: self.key.clone(),
            service: service.clone(),
            plan: plan.clone(),
            life: Life::Creating,
            spec: Some(spec.clone()),
            made: Made::default(),
            op: Some(self.op(None)),
            lease_until: self.lease_until,
            fence: 1,
            attempts: 1,
            announce: false,
        })
    }

    /// The record after the operation has begun on one that was there.
    fn over(&self, before: &Record) -> Record {
        let mut record = before.clone();
        record.op = Some(self.op(Some(before.life)));
        record.lease_until = self.lease_until;
        record.fence = before.fence + 1;
        record.attempts = 1;
        record.announce = false;
        match &self.wish {
            Wish::Create {
                service,
                plan,
                spec,
            } => {
                record.service = service.clone();
                record.plan = plan.clone();
                record.spec = Some(spec.clone());
                record.made = Made::default();
                record.life = Life::Creating;
            }
            Wish::Update { .. } => record.life = Life::Updating,
            Wish::Delete => record.life = Life::Deleting,
        }
        record
    }
}
