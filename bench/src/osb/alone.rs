//! PostgreSQL alone: the rows of a provision in two commits, the intent and the outcome, with nothing between them.
//!
//! The tables and indexes are the manager's own, in a database that a manager has filled and left; once more without
//! the indexes that only lists and tasks need, to show what those cost. The rule: it is a good program. Statements are prepared once, connections are kept, and of two ways to write the same rows and
//! several numbers of connections the quickest is taken: statements one by one between BEGIN and COMMIT, as pgbench
//! and most programs do it, or one statement per commit that writes all its rows.

use super::round::Figures;
use anyhow::{Context, Result};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, NoTls, Statement};

const NEW_INSTANCE: &str = "INSERT INTO instance (id, name, service_plan_id, platform_id, context, usable, ready, labels, fingerprint, created_at, updated_at)
 VALUES ($1, 'db-' || $1, $2, $3, $4, true, false, '{}', sha256('bench'), $5, $5)";
const NEW_OPERATION: &str = "INSERT INTO operation (id, type, state, resource_type, resource_id, platform_id, correlation_id, description, phase, work, broker_id, fingerprint,
                        keep_on_failure, deadline, attempts, ready, created_at, updated_at, lease_owner, lease_until, fence, due_at)
 VALUES ($1, 'create', 'in progress', '/v1/service_instances', $2, $3, $1, '', 'intent', $4, $3, sha256('bench'), false, $5::bigint + 900000, 0, true, $5, $5, 'bench', $5::bigint + 30000, 1, $5::bigint + 30000)";
const INSTANCE_READY: &str = "UPDATE instance SET ready = true, dashboard_url = $2, answer = $2, updated_at = $3 WHERE id = $1";
const OPERATION_DONE: &str = "UPDATE operation SET state = 'succeeded', phase = 'done', work = NULL, lease_owner = NULL, lease_until = NULL, updated_at = $2
 WHERE id = $1 AND fence = 1";
const NEW_EVENT: &str = "INSERT INTO event (id, resource_type, resource_id, change, audience, payload, correlation_id, created_at)
 VALUES ($1, '/v1/service_instances', $2, 'created', '{}', $3, $1, $4)";

const INTENT: &str = "WITH i AS (INSERT INTO instance (id, name, service_plan_id, platform_id, context, usable, ready, labels, fingerprint, created_at, updated_at)
 VALUES ($1, 'db-' || $1, $2, $3, $4, true, false, '{}', sha256('bench'), $5, $5))
 INSERT INTO operation (id, type, state, resource_type, resource_id, platform_id, correlation_id, description, phase, work, broker_id, fingerprint,
                        keep_on_failure, deadline, attempts, ready, created_at, updated_at, lease_owner, lease_until, fence, due_at)
 VALUES ($6, 'create', 'in progress', '/v1/service_instances', $1, $3, $6, '', 'intent', $7, $3, sha256('bench'), false, $5::bigint + 900000, 0, true, $5, $5, 'bench', $5::bigint + 30000, 1, $5::bigint + 30000)";
const OUTCOME: &str = "WITH i AS (UPDATE instance SET ready = true, dashboard_url = $2, answer = $2, updated_at = $3 WHERE id = $1),
 o AS (UPDATE operation SET state = 'succeeded', phase = 'done', work = NULL, lease_owner = NULL, lease_until = NULL, updated_at = $3
       WHERE id = $4 AND fence = 1)
 INSERT INTO event (id, resource_type, resource_id, change, audience, payload, correlation_id, created_at)
 VALUES ($5, '/v1/service_instances', $1, 'created', '{}', $6, $4, $3)";

/// Drops the indexes that no key needs.
const LEAN: &str = "DO $$ DECLARE i record; BEGIN
 FOR i IN SELECT x.indexrelid::regclass AS name FROM pg_index x
          WHERE x.indrelid IN ('instance'::regclass, 'operation'::regclass, 'event'::regclass) AND NOT x.indisunique
 LOOP EXECUTE 'DROP INDEX ' || i.name; END LOOP; END $$";

/// As long as what the manager would write there.
const CONTEXT: &str = r#"{"platform":"cloudfoundry","organization_guid":"8b7cbd3c-35c4-4f0a-9f0b-000000000001","organization_name":"bench","space_guid":"8b7cbd3c-35c4-4f0a-9f0b-000000000002","space_name":"load","instance_name":"bench"}"#;
const DASHBOARD: &str = "https://dashboard.example.com/4711";
const PAYLOAD: &str =
    r#"{"new":{"resource":{"id":"8b7cbd3c-35c4-4f0a-9f0b-000000000001","name":"bench"}}}"#;
const WORK: [u8; 300] = [7; 300];

/// How the rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manner {
    OneByOne,
    Together,
}

struct Session {
    client: Client,
    one_by_one: [Statement; 5],
    together: [Statement; 2],
}

/// Open connections to a database with a plan and a platform in it.
pub(super) struct Alone {
    sessions: Mutex<Vec<Session>>,
    /// So many may be in use.
    free: Semaphore,
    limit: AtomicUsize,
    manner: Mutex<Manner>,
    plan: String,
    platform: String,
}

/// The number of connections that were tried for 64 callers.
const TRIED: [usize; 3] = [16, 32, 64];

impl Alone {
    /// Connects, and finds the quickest way. `lean`: without the indexes of lists.
    pub(super) async fn open(url: &str, lean: bool, trial: Duration) -> Result<Arc<Self>> {
        if lean {
            let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
            let connection = tokio::spawn(connection);
            client.batch_execute(LEAN).await?;
            drop(client);
            connection.await??;
        }
        let mut sessions = Vec::new();
        for _ in 0..64 {
            sessions.push(Session::open(url).await?);
        }
        let any = async |table: &str| -> Result<String> {
            let session = sessions.first().context("no connection")?;
            let sql = format!("SELECT id FROM {table} ORDER BY seq DESC LIMIT 1");
            Ok(session.client.query_one(&sql, &[]).await?.get(0))
        };
        let (plan, platform) = (any("plan").await?, any("platform").await?);
        let alone = Arc::new(Self {
            sessions: Mutex::new(sessions),
            free: Semaphore::new(64),
            limit: AtomicUsize::new(64),
            manner: Mutex::new(Manner::Together),
            plan,
            platform,
        });
        let mut best = (0.0, Manner::Together, 64);
        for manner in [Manner::OneByOne, Manner::Together] {
            for connections in TRIED {
                alone.choose(manner, connections).await?;
                let rate = alone.provisions(64, trial).await?.rate;
                println!(
                    "PostgreSQL alone{}, {manner:?}, 64 callers on {connections} connections: {rate:.0}/s",
                    if lean { " with few indexes" } else { "" }
                );
                if rate > best.0 {
                    best = (rate, manner, connections);
                }
            }
        }
        alone.choose(best.1, best.2).await?;
        println!("taken: {:?} on {} connections", best.1, best.2);
        Ok(alone)
    }

    async fn choose(&self, manner: Manner, connections: usize) -> Result<()> {
        *self.manner.lock().unwrap_or_else(PoisonError::into_inner) = manner;
        let before = self.limit.swap(connections, Ordering::Relaxed);
        if connections > before {
            self.free.add_permits(connections - before);
        } else {
            let gone = u32::try_from(before - connections)?;
            self.free.acquire_many(gone).await?.forget();
        }
        Ok(())
    }

    /// So many callers provision for some time.
    pub(super) async fn provisions(
        self: &Arc<Self>,
        callers: usize,
        length: Duration,
    ) -> Result<Figures> {
        let began = Instant::now();
        let mut tasks = JoinSet::new();
        for _ in 0..callers {
            let alone = Arc::clone(self);
            tasks.spawn(async move {
                let mut times = Vec::new();
                while began.elapsed() < length {
                    let began = Instant::now();
                    alone.provision().await?;
                    times.push(began.elapsed());
                }
                anyhow::Ok(times)
            });
        }
        let mut times = Vec::new();
        while let Some(ended) = tasks.join_next().await {
            times.extend(ended??);
        }
        Ok(Figures::of(times, began.elapsed()))
    }

    async fn provision(&self) -> Result<()> {
        let manner = *self.manner.lock().unwrap_or_else(PoisonError::into_inner);
        let [instance, operation, event] =
            std::array::from_fn(|_| uuid::Uuid::new_v4().to_string());
        let now = 1_763_000_000_000_i64;
        let intent: &[&(dyn ToSql + Sync)] = &[
            &instance,
            &self.plan,
            &self.platform,
            &CONTEXT,
            &now,
            &operation,
            &&WORK[..],
        ];
        let outcome: &[&(dyn ToSql + Sync)] =
            &[&instance, &DASHBOARD, &now, &operation, &event, &PAYLOAD];
        if manner == Manner::Together {
            // A connection is free for others while the broker is called, so it is taken twice.
            self.with(async |session| session.client.execute(&session.together[0], intent).await)
                .await?;
            self.with(async |session| session.client.execute(&session.together[1], outcome).await)
                .await?;
            return Ok(());
        }
        self.with(async |session| {
            let [new_instance, new_operation, ..] = &session.one_by_one;
            session.client.batch_execute("BEGIN").await?;
            session.client.execute(new_instance, &intent[..5]).await?;
            session
                .client
                .execute(
                    new_operation,
                    &[&operation, &instance, &self.platform, &&WORK[..], &now],
                )
                .await?;
            session.client.batch_execute("COMMIT").await
        })
        .await?;
        self.with(async |session| {
            let [_, _, ready, done, new_event] = &session.one_by_one;
            session.client.batch_execute("BEGIN").await?;
            session.client.execute(ready, &outcome[..3]).await?;
            session.client.execute(done, &[&operation, &now]).await?;
            session
                .client
                .execute(new_event, &[&event, &instance, &PAYLOAD, &now])
                .await?;
            session.client.batch_execute("COMMIT").await
        })
        .await?;
        Ok(())
    }

    async fn with<T>(
        &self,
        work: impl AsyncFnOnce(&Session) -> Result<T, tokio_postgres::Error>,
    ) -> Result<T> {
        let _free = self.free.acquire().await?;
        let taken = self.idle().pop();
        let session = taken.context("a free connection")?;
        let done = work(&session).await;
        self.idle().push(session);
        done.context("PostgreSQL alone")
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Session>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Session {
    async fn open(url: &str) -> Result<Self> {
        let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
        tokio::spawn(connection);
        let prepare = async |sql| client.prepare(sql).await;
        let one_by_one = [
            prepare(NEW_INSTANCE).await?,
            prepare(NEW_OPERATION).await?,
            prepare(INSTANCE_READY).await?,
            prepare(OPERATION_DONE).await?,
            prepare(NEW_EVENT).await?,
        ];
        let together = [prepare(INTENT).await?, prepare(OUTCOME).await?];
        Ok(Self {
            client,
            one_by_one,
            together,
        })
    }
}
