//! What is kept of operations: by age, by number, at start and steadily.

use super::quick;
use crate::harness::{Engine, Manager, Platform, eventually};

on_both_engines!(of_too_many_the_oldest_go, the_clean_up_runs_at_every_start,);

/// So many operations on something that is gone; each a second older than the one before.
fn insert(manager: &Manager, many: usize, prefix: &str) {
    let numbers = match manager.engine() {
        Engine::Sqlite => format!(
            "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < {many})"
        ),
        Engine::Postgres => format!("WITH n (n) AS (SELECT generate_series(1, {many}))"),
    };
    manager.sql(&format!(
        "{numbers} INSERT INTO operation (id, type, state, resource_type, resource_id, platform_id, correlation_id,
            description, phase, keep_on_failure, attempts, ready, created_at, updated_at, due_at)
         SELECT '{prefix}' || n.n, 'delete', 'succeeded', '/v1/service_instances', 'gone', 'service-manager', '', '',
            'done', FALSE, 0, TRUE, o.created_at - n.n * 1000, o.updated_at - n.n * 1000, o.created_at
         FROM n, (SELECT max(created_at) AS created_at, max(updated_at) AS updated_at FROM operation) o"
    ));
}

fn count(manager: &Manager, condition: &str) -> usize {
    let sql = format!("SELECT count(*) FROM operation WHERE {condition}");
    manager.sql(&sql)[0].parse().unwrap()
}

async fn of_too_many_the_oldest_go(engine: Engine) {
    let manager = quick(engine)
        .set("QM_OPERATIONS_KEEP_AT_MOST", "1000")
        .set("QM_OPERATIONS_CLEANUP_INTERVAL", "200ms")
        .start()
        .await;
    let platform = Platform::register(&manager, "p", "kubernetes").await;
    let own = format!("resource_id = '{}'", platform.id);
    // Older than all others: it would be the first to go.
    manager.sql(&format!(
        "UPDATE operation SET updated_at = updated_at - 10000000 WHERE {own}"
    ));
    insert(&manager, 2_500, "o");
    eventually("the oldest are gone", async || {
        (count(&manager, "TRUE") <= 1_001).then_some(())
    })
    .await;
    assert_eq!(count(&manager, &own), 1, "the last one of what lives stays");
    assert_eq!(count(&manager, "id = 'o1'"), 1, "the youngest stay");
    assert_eq!(count(&manager, "id = 'o2500'"), 0);
}

/// Peripli/service-manager#411: the clean-up never ran, because the server was restarted too often.
async fn the_clean_up_runs_at_every_start(engine: Engine) {
    let mut manager = quick(engine)
        .set("QM_OPERATIONS_LIFESPAN", "300h")
        .set("QM_OPERATIONS_GONE_LIFESPAN", "200h")
        .set("QM_OPERATIONS_CLEANUP_INTERVAL", "1000h")
        .start()
        .await;
    let platform = Platform::register(&manager, "p", "kubernetes").await;
    let own = format!("resource_id = '{}'", platform.id);
    insert(&manager, 3, "o");
    manager.sql("UPDATE operation SET updated_at = updated_at - 900000000 WHERE id = 'o2'");
    manager.sql(&format!(
        "UPDATE operation SET updated_at = updated_at - 3600000000 WHERE {own}"
    ));
    manager.restart().await;
    eventually("the old one is gone", async || {
        (count(&manager, "id = 'o2'") == 0).then_some(())
    })
    .await;
    assert_eq!(count(&manager, "id IN ('o1', 'o3')"), 2);
    assert_eq!(count(&manager, &own), 1, "the last one of what lives stays");
}
