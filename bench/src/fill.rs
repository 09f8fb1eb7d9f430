//! Rows put straight into the database, because a million requests would take too long. The manager does not run
//! meanwhile.
//!
//! The rule: one SQL for both engines, by the schema of `manager/store/migrations`, and rows as the manager itself
//! would have written them: the `labels` column and the label table say the same. Plans and platforms are those
//! that are there.

use anyhow::{Context, Result};
use std::path::Path;

/// What an instance has beside itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Labels: all that lists of instances look at.
    Lists,
    /// Labels, a binding and an operation.
    Whole,
}

/// Instances spread over plans and platforms, with ids in no order. Everything follows from `i`.
const INSTANCES: &str = "
INSERT INTO instance (id, name, service_plan_id, platform_id, dashboard_url, context, usable, ready, labels, created_at, updated_at)
WITH RECURSIVE n (i) AS (SELECT CAST(0 AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {count}),
     p AS (SELECT id, row_number() OVER (ORDER BY seq) - 1 AS k, count(*) OVER () AS all_of FROM plan),
     q AS (SELECT id, row_number() OVER (ORDER BY seq) - 1 AS k, count(*) OVER () AS all_of FROM platform WHERE type <> 'service-manager')
SELECT ((i * 2654435761) % 4294967296) || '-' || i, 'name-' || i, p.id, q.id, 'https://dashboard.example.com/' || i,
       '{\"platform\":\"cloudfoundry\",\"clusterid\":\"c-' || (i % 10) || '\",\"namespace\":\"ns-' || (i % 1000) || '\"}',
       true, true, '{\"env\":[\"' || CASE i % 4 WHEN 0 THEN 'dev' WHEN 1 THEN 'test' ELSE 'prod' END || '\"],\"team\":[\"t-' || (i % 10) || '\"]}',
       1760000000000 + i, 1760000000000 + i
FROM n
JOIN (SELECT max(all_of) AS plans FROM p) AS ps ON true
JOIN (SELECT max(all_of) AS platforms FROM q) AS qs ON true
JOIN p ON p.k = i % ps.plans
JOIN q ON q.k = (i / 7) % qs.platforms
ORDER BY i";

const LABELS: [&str; 2] = [
    "INSERT INTO label (kind, key, value, seq, object_id)
     SELECT 'instance', 'env', CASE (created_at - 1760000000000) % 4 WHEN 0 THEN 'dev' WHEN 1 THEN 'test' ELSE 'prod' END, seq, id
     FROM instance ORDER BY 3, seq",
    "INSERT INTO label (kind, key, value, seq, object_id)
     SELECT 'instance', 'team', 't-' || ((created_at - 1760000000000) % 10), seq, id FROM instance ORDER BY 3, seq",
];

const BESIDE: [&str; 2] = [
    "INSERT INTO binding (id, name, service_instance_id, platform_id, ready, labels, created_at, updated_at)
     SELECT 'b-' || id, 'binding', id, platform_id, true, '{}', created_at, updated_at FROM instance ORDER BY seq",
    "INSERT INTO operation (id, type, state, resource_type, resource_id, platform_id, correlation_id, description, phase,
                            keep_on_failure, attempts, ready, created_at, updated_at, due_at)
     SELECT 'o-' || id, 'create', 'succeeded', '/v1/service_instances', id, platform_id, 'bench', '', 'done',
            false, 1, true, created_at, updated_at, created_at FROM instance ORDER BY seq",
];

fn statements(count: i64, depth: Depth) -> Vec<String> {
    let mut statements = vec![INSTANCES.replace("{count}", &count.to_string())];
    statements.extend(LABELS.map(str::to_owned));
    if depth == Depth::Whole {
        statements.extend(BESIDE.map(str::to_owned));
    }
    statements
}

/// Fills a SQLite file.
pub(crate) fn sqlite(file: &Path, count: i64, depth: Depth) -> Result<()> {
    let mut connection = rusqlite::Connection::open(file)?;
    connection.pragma_update(None, "foreign_keys", true)?;
    // Room for the indexes: this is not what is measured.
    connection.pragma_update(None, "cache_size", -400_000)?;
    let all = connection.transaction()?;
    for statement in statements(count, depth) {
        all.execute(&statement, [])
            .with_context(|| format!("filling: {statement}"))?;
    }
    for table in ["instance", "binding"] {
        // The manager counts what it makes itself.
        let count =
            format!("UPDATE total SET n = (SELECT count(*) FROM {table}) WHERE kind = '{table}'");
        all.execute(&count, [])?;
    }
    all.commit()?;
    connection.pragma_update(None, "wal_checkpoint", "TRUNCATE")?;
    Ok(())
}

/// Fills a PostgreSQL database.
pub(crate) async fn postgres(url: &str, count: i64, depth: Depth) -> Result<()> {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
    let connection = tokio::spawn(connection);
    for statement in statements(count, depth) {
        client
            .batch_execute(&statement)
            .await
            .with_context(|| format!("filling: {statement}"))?;
    }
    // What autovacuum would have done while the rows came one by one.
    client.batch_execute("VACUUM ANALYZE").await?;
    drop(client);
    connection.await??;
    Ok(())
}
