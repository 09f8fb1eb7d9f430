//! Reading service instances and bindings. Deeds on them come with the OSB doors; until then rows are written behind
//! the manager's back.

use crate::harness::answer::{fields, id};
use crate::harness::brokers::{broker, plan_named, register};
use crate::harness::{Client, Engine, Manager, Platform, login, query};
use serde_json::{Value, json};

on_both_engines!(
    a_platform_sees_its_own_instances_and_bindings,
    a_tenant_sees_its_own_instances_and_bindings,
    instances_are_found_by_what_clients_ask,
);

/// An instance with a binding, both called `name`.
fn insert(manager: &Manager, plan: &Value, platform: &str, name: &str, tenant: Option<&str>) {
    let plan = id(plan);
    let labels = tenant.map_or("{}".to_owned(), |tenant| {
        format!(r#"{{"tenant":["{tenant}"]}}"#)
    });
    let context = format!(r#"{{"clusterid":"c-{name}","namespace":"ns"}}"#);
    manager.sql(&format!(
        "INSERT INTO instance (id, name, service_plan_id, platform_id, context, usable, ready, labels, created_at, updated_at) \
         VALUES ('i-{name}', '{name}', '{plan}', '{platform}', '{context}', true, true, '{labels}', 0, 0)"
    ));
    manager.sql(&format!(
        "INSERT INTO binding (id, name, service_instance_id, platform_id, context, ready, labels, created_at, updated_at) \
         VALUES ('b-{name}', '{name}', 'i-{name}', '{platform}', '{context}', true, '{labels}', 0, 0)"
    ));
    for (kind, object) in [("instance", "i"), ("binding", "b")] {
        if let Some(tenant) = tenant {
            manager.sql(&format!(
                "INSERT INTO label (kind, key, value, seq, object_id) \
                 SELECT '{kind}', 'tenant', '{tenant}', seq, id FROM {kind} WHERE id = '{object}-{name}'"
            ));
        }
    }
}

async fn names(client: &Client, path: &str) -> Vec<String> {
    let page = client.get(path).await.expect(200);
    let names = fields(&page, "name");
    assert_eq!(page["num_items"], names.len(), "{page}");
    names
}

const INSTANCES: &str = "/v1/service_instances";
const BINDINGS: &str = "/v1/service_bindings";

/// Every platform could read every instance, and every binding with its credentials.
async fn a_platform_sees_its_own_instances_and_bindings(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let plan = plan_named(&admin, &made, "sync").await;
    let cf = Platform::register(&manager, "cf", "cloudfoundry").await;
    let k8s = Platform::register(&manager, "k8s", "kubernetes").await;
    for (platform, name) in [
        (&*cf.id, "cf"),
        (&*k8s.id, "k8s"),
        ("service-manager", "own"),
    ] {
        insert(&manager, &plan, platform, name, None);
    }
    for (platform, name, other) in [(&cf, "cf", "k8s"), (&k8s, "k8s", "cf")] {
        let client = platform.client();
        for (path, object) in [(INSTANCES, "i"), (BINDINGS, "b")] {
            assert_eq!(names(&client, path).await, [name]);
            client
                .get(&format!("{path}/{object}-{name}"))
                .await
                .expect(200);
            for hidden in [other, "own"] {
                let answer = client.get(&format!("{path}/{object}-{hidden}")).await;
                answer.refused(404, "NotFound");
                let criterion = format!("id eq '{object}-{hidden}'");
                let path = query(path, &[("fieldQuery", &criterion)]);
                assert!(names(&client, &path).await.is_empty());
            }
        }
    }
    for path in [INSTANCES, BINDINGS] {
        assert_eq!(names(&admin, path).await, ["cf", "k8s", "own"]);
        assert_eq!(admin.delete(path).await.status, 405, "not all at once");
    }
}

async fn a_tenant_sees_its_own_instances_and_bindings(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let plan = plan_named(&admin, &made, "sync").await;
    for (name, tenant) in [
        ("red", Some("red")),
        ("blue", Some("blue")),
        ("nobody's", None),
    ] {
        insert(
            &manager,
            &plan,
            "service-manager",
            &name.replace('\'', ""),
            tenant,
        );
    }
    let body = json!({"name": "ruby", "password": "correct horse battery", "roles": ["viewer"], "tenant": "red"});
    admin.post("/v1/users", &body).await.expect(201);
    let token = login::access_token(&manager.url(), "ruby", "correct horse battery").await;
    let ruby = Client::bearer(&manager.url(), &token);
    for (path, object) in [(INSTANCES, "i"), (BINDINGS, "b")] {
        assert_eq!(names(&ruby, path).await, ["red"]);
        ruby.get(&format!("{path}/{object}-red")).await.expect(200);
        for hidden in ["blue", "nobodys"] {
            let answer = ruby.get(&format!("{path}/{object}-{hidden}")).await;
            answer.refused(404, "NotFound");
        }
    }
}

/// The BTP operator's search for what it has lost.
async fn instances_are_found_by_what_clients_ask(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let plan = plan_named(&admin, &made, "sync").await;
    for name in ["one", "two"] {
        insert(&manager, &plan, "service-manager", name, Some("red"));
    }
    for path in [INSTANCES, BINDINGS] {
        for (criteria, label, wanted) in [
            (
                "name eq 'one' and context/clusterid eq 'c-one' and context/namespace eq 'ns'",
                "",
                vec!["one"],
            ),
            ("name eq 'one' and context/clusterid eq 'c-two'", "", vec![]),
            (
                "context/namespace eq 'ns'",
                "tenant eq 'red'",
                vec!["one", "two"],
            ),
            (
                "context/clusterid in ('c-two')",
                "tenant in ('red','blue')",
                vec!["two"],
            ),
            ("context/nothing eq 'x'", "", vec![]),
        ] {
            let parameters = [
                ("fieldQuery", criteria),
                ("labelQuery", label),
                ("attach_last_operations", "true"),
            ];
            assert_eq!(
                names(&admin, &query(path, &parameters)).await,
                wanted,
                "{path} {criteria}"
            );
        }
    }
    let of_plan = format!(
        "service_plan_id eq '{}' and platform_id eq 'service-manager'",
        id(&plan)
    );
    let found = names(&admin, &query(INSTANCES, &[("fieldQuery", &of_plan)])).await;
    assert_eq!(found, ["one", "two"]);
}
