//! What the engines make of the statements: a page walks an index in the order of the list. With many rows a
//! scan or a sort would cost by the size of the table, and no test of the answers would see it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "tests stop at the first surprise"
)]

use super::{Binds, Select, Shape};
use crate::Store;
use qm_db::seal::KeyRing;
use qm_db::{Db, Options, Value};
use qm_model::id::PlatformId;
use qm_model::query::columns;
use qm_model::{Kind, Query};
use qm_policy::Scope;
use std::sync::Arc;

/// Lists that are asked for at scale.
const WALKED: &[(Kind, &str, &str)] = &[
    (Kind::Instance, "", ""),
    (Kind::Instance, "id eq 'x'", ""),
    (Kind::Instance, "name eq 'x'", ""),
    (Kind::Instance, "service_plan_id eq 'x'", ""),
    (Kind::Instance, "platform_id eq 'x' and ready eq true", ""),
    (Kind::Instance, "referenced_instance_id eq 'x'", ""),
    (Kind::Instance, "context/clusterid eq 'x'", ""),
    (Kind::Instance, "context/namespace eq 'x'", ""),
    (Kind::Instance, "", "tenant eq 'x'"),
    (Kind::Instance, "ready eq true", "tenant eq 'x'"),
    (Kind::Instance, "", "tenant eq 'x' and other eq 'y'"),
    (Kind::Instance, "service_plan_id in ('x', 'y', 'z')", ""),
    (Kind::Instance, "referenced_instance_id en 'x'", ""),
    (Kind::Instance, "", "tenant in ('x', 'y', 'z')"),
    (Kind::Binding, "service_instance_id eq 'x'", ""),
    (Kind::Binding, "name in ('x', 'y')", ""),
    (Kind::Binding, "", "tenant eq 'x'"),
    (Kind::Visibility, "service_plan_id eq 'x'", ""),
    (Kind::Visibility, "platform_id eq ''", ""),
    (Kind::Visibility, "platform_id in ('', 'x')", ""),
    (Kind::Visibility, "", "organization_guid eq 'x'"),
    (Kind::Operation, "resource_id eq 'x'", ""),
    (Kind::Operation, "resource_type eq 'x'", ""),
    (Kind::Operation, "state in ('in progress', 'pending')", ""),
    (Kind::Operation, "correlation_id eq 'x'", ""),
    (Kind::Offering, "catalog_name eq 'x'", ""),
    (Kind::Plan, "service_offering_id eq 'x'", ""),
    (Kind::Plan, "catalog_id in ('x', 'y')", ""),
];

fn pages() -> impl Iterator<Item = (String, Kind, Scope, Query)> {
    let all = WALKED.iter().map(|(kind, field, label)| {
        let query = Query::parse(columns(*kind), Some(field), Some(label)).unwrap();
        (format!("{kind} {field} {label}"), *kind, Scope::All, query)
    });
    let tenant = Scope::Tenant {
        key: "tenant".to_owned(),
        value: "x".to_owned(),
    };
    let platform = Scope::Platform {
        id: PlatformId::stored("x".to_owned()),
        by_visibility: true,
        tenant_key: "tenant".to_owned(),
    };
    let scoped = [
        (Kind::Instance, tenant.clone()),
        (Kind::Operation, tenant),
        (Kind::Instance, platform.clone()),
        (Kind::Binding, platform.clone()),
        (Kind::Visibility, platform),
    ];
    all.chain(
        scoped.map(|(kind, scope)| (format!("{kind} {scope:?}"), kind, scope, Query::default())),
    )
}

fn explained(
    dialect: qm_db::Dialect,
    kind: Kind,
    scope: &Scope,
    query: &Query,
    words: &str,
) -> (Arc<str>, Vec<Value>) {
    let select = Select::new(dialect, kind, scope, query);
    let Shape { text, binds } = select.page(&["id", "created_at"], Some(7), 51);
    let Binds { dialect: _, values } = binds;
    (Arc::from(format!("{words} {text}")), values)
}

#[tokio::test]
async fn sqlite_walks_and_never_sorts() {
    let address = Options::parse("sqlite::memory:").unwrap();
    let store = Store::open(address, KeyRing::generate().unwrap())
        .await
        .unwrap();
    for (name, kind, scope, query) in pages() {
        let (text, values) = explained(store.dialect(), kind, &scope, &query, "EXPLAIN QUERY PLAN");
        let rows = store.db.query(text.clone(), values).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.get(3).unwrap()).collect();
        // What is read of the merged walks is at most a page; it is no table.
        let scans = plan
            .iter()
            .filter(|step| step.starts_with("SCAN") && !step.starts_with("SCAN q"));
        assert_eq!(scans.count(), 0, "{name}: {plan:#?}");
        assert!(
            !plan.iter().any(|step| step.contains("TEMP B-TREE")),
            "{name}: {plan:#?}\n{text}"
        );
    }
}

/// Without statistics SQLite would take any index that fits; it must be the one of the rarer value.
#[tokio::test]
async fn sqlite_begins_with_what_few_rows_have() {
    let address = Options::parse("sqlite::memory:").unwrap();
    let store = Store::open(address, KeyRing::generate().unwrap())
        .await
        .unwrap();
    let platform = Scope::Platform {
        id: PlatformId::stored("x".to_owned()),
        by_visibility: false,
        tenant_key: "tenant".to_owned(),
    };
    for (field, label, index) in [
        ("platform_id eq 'x' and name eq 'y'", "", "instance_name"),
        (
            "service_plan_id eq 'x' and name eq 'y'",
            "tenant eq 'z'",
            "instance_name",
        ),
        ("service_plan_id eq 'x'", "tenant eq 'z'", "label"),
        (
            "service_plan_id eq 'x'",
            "tenant in ('z', 'y')",
            "instance_plan",
        ),
        ("name eq 'y' and id eq 'x'", "", "instance_1"),
        ("name eq 'y'", "", "instance_name"),
    ] {
        let query = Query::parse(columns(Kind::Instance), Some(field), Some(label)).unwrap();
        let (text, values) = explained(
            store.dialect(),
            Kind::Instance,
            &platform,
            &query,
            "EXPLAIN QUERY PLAN",
        );
        let rows = store.db.query(text, values).await.unwrap();
        let first: String = rows[0].get(3).unwrap();
        assert!(first.contains(index), "{field} {label}: {first}");
    }
}

/// Enough rows that the planner has a reason, with statistics and without knowing the values.
#[tokio::test]
async fn postgres_walks_and_never_sorts_a_table() {
    let Some(database) = qm_testkit::postgres::database().await else {
        return;
    };
    let options = Options::parse(&database.url()).unwrap();
    let store = Store::open(options.clone(), KeyRing::generate().unwrap())
        .await
        .unwrap();
    database.psql(FILL).unwrap();
    // One connection, so that the setting holds for what follows.
    let db = Db::open(options.connections(1)).await.unwrap();
    db.execute("SET plan_cache_mode = force_generic_plan", vec![])
        .await
        .unwrap();
    for (name, kind, scope, query) in pages() {
        let (text, values) = explained(store.dialect(), kind, &scope, &query, "EXPLAIN");
        let rows = db.query(text, values).await.unwrap();
        let plan: Vec<String> = rows.iter().map(|row| row.get(0).unwrap()).collect();
        let big = ["instance", "binding", "visibility", "operation", "label"];
        let scan = |step: &str| {
            big.iter()
                .any(|table| step.contains(&format!("Seq Scan on {table}")))
        };
        assert!(!plan.iter().any(|step| scan(step)), "{name}: {plan:#?}");
        // A bitmap has no order: it reads all that match before the page can begin.
        assert!(
            !plan.iter().any(|step| step.contains("Bitmap")),
            "{name}: {plan:#?}"
        );
    }
}

const FILL: &str = "
    INSERT INTO broker (id, name, description, broker_url, access, catalog_due, ready, labels, created_at, updated_at)
        VALUES ('b', 'b', '', '', '', 0, true, '{}', 0, 0);
    INSERT INTO offering (id, broker_id, name, description, bindable, plan_updateable, instances_retrievable,
            bindings_retrievable, allow_context_updates, tags, requires, catalog_id, catalog_name, data_center, raw,
            ready, labels, created_at, updated_at)
        VALUES ('o', 'b', 'o', '', true, true, true, true, true, '[]', '[]', 'o', 'o', '', '', true, '{}', 0, 0);
    INSERT INTO plan (id, service_offering_id, name, description, free, catalog_id, catalog_name, raw, ready, labels,
            created_at, updated_at)
        SELECT 'p' || n, 'o', 'p' || n, '', true, 'p' || n, 'p' || n, '{}', true, '{}', 0, 0
        FROM generate_series(0, 9) n;
    INSERT INTO platform (id, name, type, description, technical, suspended, active, version, credentials_active,
            ready, labels, created_at, updated_at)
        SELECT 'f' || n, 'f' || n, 'x', '', false, false, false, '', false, true, '{}', 0, 0
        FROM generate_series(0, 999) n;
    INSERT INTO visibility (id, platform_id, service_plan_id, ready, labels, created_at, updated_at)
        SELECT 'v' || n, 'f' || (n / 10), 'p' || (n % 10), true, '{}', n, n FROM generate_series(0, 9999) n;
    INSERT INTO instance (id, name, service_plan_id, platform_id, context, usable, ready, labels, created_at,
            updated_at)
        SELECT 'i' || n, 'i' || n, 'p' || (n % 10), 'f' || (n % 7),
            '{\"clusterid\":\"c' || (n % 50) || '\",\"namespace\":\"n' || (n % 90) || '\"}', true, true, '{}', n, n
        FROM generate_series(1, 20000) n;
    INSERT INTO binding (id, name, service_instance_id, platform_id, ready, labels, created_at, updated_at)
        SELECT 'b' || n, 'b' || n, 'i' || n, 'f' || (n % 7), true, '{}', n, n FROM generate_series(1, 20000) n;
    INSERT INTO operation (id, type, state, resource_type, resource_id, platform_id, correlation_id, tenant,
            description, phase, keep_on_failure, attempts, ready, created_at, updated_at, due_at)
        SELECT 'o' || n, 'create', 'succeeded', '/v1/service_instances', 'i' || n, 'f' || (n % 7), 'c' || n,
            't' || (n % 20), '', 'done', false, 0, true, n, n, n
        FROM generate_series(1, 20000) n;
    INSERT INTO label (kind, key, value, seq, object_id)
        SELECT 'instance', 'tenant', 't' || (n % 20), n, 'i' || n FROM generate_series(1, 20000) n;
    INSERT INTO label (kind, key, value, seq, object_id)
        SELECT 'binding', 'tenant', 't' || (n % 20), n, 'b' || n FROM generate_series(1, 20000) n;
    INSERT INTO label (kind, key, value, seq, object_id)
        SELECT 'visibility', 'organization_guid', 'o' || (n % 20), n, 'v' || n FROM generate_series(1, 9999) n;
    ANALYZE;
";
