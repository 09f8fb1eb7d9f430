//! The query language of lists, through the doors: every operator on every kind of column, on both engines.

use crate::harness::answer::{fields, id, text};
use crate::harness::brokers::{broker_with, offering, plan, plan_for, register};
use crate::harness::{Client, Engine, Manager, Platform, query};
use qm_testkit::hostile::HostileBroker;
use serde_json::{Value, json};

on_both_engines!(
    operators_on_fields,
    operators_on_labels,
    paths_into_json,
    what_is_wrong_with_a_query_is_said,
    what_clients_in_the_field_ask,
    nothing_secret_can_be_asked_for,
    as_many_plans_as_a_url_can_hold,
);

const PLATFORMS: &str = "/v1/platforms";

/// Names of what a list holds for a field and a label query.
async fn names(client: &Client, path: &str, field: &str, label: &str) -> Vec<String> {
    let parameters = [("fieldQuery", field), ("labelQuery", label)];
    let page = client.get(&query(path, &parameters)).await.expect(200);
    let names = fields(&page, "name");
    assert_eq!(page["num_items"], names.len(), "{field} / {label}: {page}");
    names
}

async fn operators_on_fields(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let mut made = Vec::new();
    for (name, kind, description) in [
        ("alpha", "cf", "one"),
        ("beta", "cf", "it's 100% a_b"),
        ("gamma", "k8s", ""),
        ("and", "k8s", "Ünï'"),
        ("slash", "odd", "back\\slash"),
    ] {
        let body = json!({"name": name, "type": kind, "description": description});
        made.push(admin.post(PLATFORMS, &body).await.expect(201));
        // Times are kept to the millisecond; two in the same one could not be told apart.
        tokio::time::sleep(std::time::Duration::from_millis(3)).await;
    }
    let second = text(&made[1], "created_at");
    let early = format!("created_at lt {second} and type ne 'service-manager'");
    let until = format!("created_at le '{second}' and type ne 'service-manager'");
    let late = format!("created_at gt {second}");
    let since = format!("created_at ge {second}");
    let exact = format!("created_at eq {second}");
    let twice = format!(
        "id in ('{}','{}') and name eq 'beta'",
        id(&made[0]),
        id(&made[1])
    );
    for (criteria, wanted) in [
        ("name eq 'alpha'", vec!["alpha"]),
        ("name eq 'Alpha'", vec![]),
        ("name ne 'alpha' and type eq 'cf'", vec!["beta"]),
        ("name in ('alpha','beta')", vec!["alpha", "beta"]),
        ("name in ('alpha', 'beta', 'alpha')", vec!["alpha", "beta"]),
        ("name in ('')", vec![]),
        ("name in ()", vec![]),
        (
            "name notin ('alpha','beta','service-manager')",
            vec!["and", "gamma", "slash"],
        ),
        (
            "name notin ()",
            vec!["alpha", "and", "beta", "gamma", "service-manager", "slash"],
        ),
        ("type eq 'cf' and type eq 'k8s'", vec![]),
        ("name eq 'and'", vec!["and"]),
        ("description eq ''", vec!["gamma"]),
        ("description eq 'it''s 100% a_b'", vec!["beta"]),
        ("description eq 'Ünï'''", vec!["and"]),
        ("description contains '100%'", vec!["beta"]),
        ("description contains 'a_b'", vec!["beta"]),
        ("description contains 'axb'", vec![]),
        (
            "description contains '%' and type ne 'service-manager'",
            vec!["beta"],
        ),
        ("description contains 'ONE'", vec![]),
        (r"description contains '\'", vec!["slash"]),
        (r"description eq 'back\slash'", vec!["slash"]),
        (r"description contains '\_'", vec![]),
        (
            "description contains '' and type eq 'cf'",
            vec!["alpha", "beta"],
        ),
        ("name contains 'a' and type eq 'k8s'", vec!["and", "gamma"]),
        ("ready eq true and type eq 'cf'", vec!["alpha", "beta"]),
        ("ready eq 'true' and type eq 'cf'", vec!["alpha", "beta"]),
        ("ready eq false", vec![]),
        ("ready ne false and type eq 'cf'", vec!["alpha", "beta"]),
        (
            "suspended in (true,false) and type eq 'cf'",
            vec!["alpha", "beta"],
        ),
        (
            "last_active en '2020-01-01T00:00:00Z' and type eq 'cf'",
            vec!["alpha", "beta"],
        ),
        (&*early, vec!["alpha"]),
        (&*until, vec!["alpha", "beta"]),
        (&*late, vec!["and", "gamma", "slash"]),
        (&*since, vec!["and", "beta", "gamma", "slash"]),
        (&*exact, vec!["beta"]),
        (&*twice, vec!["beta"]),
        (
            "",
            vec!["alpha", "and", "beta", "gamma", "service-manager", "slash"],
        ),
    ] {
        assert_eq!(
            names(&admin, PLATFORMS, criteria, "").await,
            wanted,
            "{criteria}"
        );
    }
}

async fn operators_on_labels(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    for (name, labels) in [
        ("none", json!({})),
        ("dev", json!({"env": ["dev"], "size": ["5"]})),
        ("both", json!({"env": ["dev", "qa"], "size": ["12"]})),
        (
            "odd",
            json!({"a.b:c/d": ["it's"], "env": [""], "in": ["x"], "since": ["2024-01-01T00:00:00Z"]}),
        ),
    ] {
        let body = json!({"name": name, "type": "t", "labels": labels});
        admin.post(PLATFORMS, &body).await.expect(201);
    }
    for (criteria, wanted) in [
        ("env eq 'dev'", vec!["both", "dev"]),
        ("env eq 'qa'", vec!["both"]),
        ("env eq ''", vec!["odd"]),
        ("env in ('qa','prod')", vec!["both"]),
        // As the specification says: no value of the key is equal.
        ("env ne 'qa'", vec!["dev", "none", "odd"]),
        ("env ne 'dev'", vec!["none", "odd"]),
        ("env notin ('dev','')", vec!["none"]),
        ("env en 'qa'", vec!["both", "none"]),
        ("env contains 'e'", vec!["both", "dev"]),
        ("env contains '%'", vec![]),
        ("env contains '_'", vec![]),
        ("size gt 5", vec!["both"]),
        ("size ge 5", vec!["both", "dev"]),
        ("size lt 12", vec!["dev"]),
        ("size le 12", vec!["both", "dev"]),
        ("since lt 2025-01-01T00:00:00Z", vec!["odd"]),
        ("a.b:c/d eq 'it''s'", vec!["odd"]),
        ("in eq 'x'", vec!["odd"]),
        ("env eq 'dev' and size eq '12'", vec!["both"]),
        ("unknown eq 'x'", vec![]),
    ] {
        let found = names(&admin, PLATFORMS, "type eq 't'", criteria).await;
        assert_eq!(found, wanted, "{criteria}");
    }
    let both = names(&admin, PLATFORMS, "name eq 'dev'", "env eq 'dev'").await;
    assert_eq!(both, ["dev"], "fields and labels together");
    let twice = [("labelQuery", "env eq 'a' and env eq 'b'")];
    admin
        .get(&query(PLATFORMS, &twice))
        .await
        .refused(400, "BadRequest");
}

async fn catalog(admin: &Client) -> (HostileBroker, Value) {
    let mut small = plan_for("p1", "small", "supportedPlatforms", &["kubernetes"]);
    small["metadata"]["deep"] = json!({"level": {"name": "x"}, "count": 3, "on": true});
    let mut large = plan("p2", "large");
    large["free"] = json!(false);
    large["maximum_polling_duration"] = json!(60);
    large["maintenance_info"] = json!({"version": "1.2.3"});
    let hostile = broker_with(&json!({"services": [offering("o1", "db", &[small, large])]})).await;
    let made = register(admin, "db", &hostile).await;
    (hostile, made)
}

async fn paths_into_json(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let (_broker, _) = catalog(&admin).await;
    for (criteria, wanted) in [
        ("metadata/deep/level/name eq 'x'", vec!["small"]),
        ("metadata/deep/level/name ne 'x'", vec![]),
        ("metadata/deep/count eq 3", vec!["small"]),
        ("metadata/deep/count eq '3'", vec!["small"]),
        ("metadata/deep/on eq true", vec!["small"]),
        ("metadata/deep/on in ('true')", vec!["small"]),
        ("metadata/none eq 'x'", vec![]),
        ("metadata/none en 'x'", vec!["large", "small"]),
        ("maintenance_info/version eq '1.2.3'", vec!["large"]),
        ("metadata contains 'kubernetes'", vec!["small"]),
        ("free eq false", vec!["large"]),
        ("maximum_polling_duration gt 59", vec!["large"]),
        ("maximum_polling_duration eq 60", vec!["large"]),
        ("maximum_polling_duration en 7", vec!["small"]),
        ("maximum_polling_duration in (60, 61)", vec!["large"]),
        ("maximum_polling_duration notin (61)", vec!["large"]),
        ("maximum_polling_duration ne 60", vec![]),
        ("maximum_polling_duration lt -1", vec![]),
        ("bindable en true", vec!["large", "small"]),
        ("bindable eq true", vec![]),
        ("free in (true)", vec!["small"]),
        ("schemas en 'x'", vec!["large", "small"]),
    ] {
        let found = names(&admin, "/v1/service_plans", criteria, "").await;
        assert_eq!(found, wanted, "{criteria}");
    }
    for wrong in ["name/a eq 'x'", "free/a eq 'x'"] {
        let path = query("/v1/service_plans", &[("fieldQuery", wrong)]);
        admin.get(&path).await.refused(400, "BadRequest");
    }
}

async fn what_is_wrong_with_a_query_is_said(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    for wrong in [
        "name",
        "name eq",
        "eq 'x'",
        "name eq x",
        "name EQ 'x'",
        "name eq 'x' or name eq 'y'",
        "name eq 'x' and",
        "and name eq 'x'",
        "name eq 'x",
        "name in 'x'",
        "name in ('x'",
        "name eq ('x')",
        "name gt 'x'",
        "created_at gt 'soon'",
        "created_at eq 'never'",
        "unknown eq 'x'",
        "ready eq 'perhaps'",
        "ready contains 't'",
        "created_at contains '2'",
        "name eq 'a\nb'",
        "name eq 'x'; drop table platform",
        "nam\u{0}e eq 'x'",
    ] {
        let answer = admin.get(&query(PLATFORMS, &[("fieldQuery", wrong)])).await;
        assert_eq!(answer.status, 400, "{wrong}: {answer:#?}");
        assert_eq!(answer.body["error"], "BadRequest");
        // A DELETE with it removes nothing.
        let answer = admin
            .delete(&query(PLATFORMS, &[("fieldQuery", wrong)]))
            .await;
        assert_eq!(answer.status, 400, "{wrong}: {answer:#?}");
    }
    let long = format!("name in ({})", vec!["'x'"; 5000].join(","));
    let answer = admin.get(&query(PLATFORMS, &[("fieldQuery", &long)])).await;
    assert!(
        [400, 414, 431].contains(&answer.status),
        "{}",
        answer.status
    );
}

async fn what_clients_in_the_field_ask(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let (_broker, made) = catalog(&admin).await;
    let offerings = "/v1/service_offerings";
    let found = names(
        &admin,
        offerings,
        "catalog_name eq 'db' and data_center eq ''",
        "",
    )
    .await;
    assert_eq!(found, ["db"], "the BTP operator asks for data_center");
    let page = admin.get(offerings).await.expect(200);
    let offering = fields(&page, "id")[0].clone();
    let criteria =
        format!("catalog_name eq 'small' and service_offering_id in ('{offering}', 'b')");
    assert_eq!(
        names(&admin, "/v1/service_plans", &criteria, "").await,
        ["small"]
    );
    assert_eq!(
        names(&admin, "/v1/service_brokers", "name eq 'db'", "").await,
        ["db"]
    );
    let criteria = format!("broker_id eq '{}'", id(&made));
    assert_eq!(names(&admin, offerings, &criteria, "").await, ["db"]);

    // The proxies, with Basic; and the operator's search for what it lost.
    let proxy = Platform::register(&manager, "cf", "cloudfoundry")
        .await
        .client();
    for path in [
        "service_brokers",
        "service_offerings",
        "service_plans",
        "visibilities",
    ] {
        let path = query(&format!("/v1/{path}"), &[("fieldQuery", "ready eq true")]);
        proxy.get(&path).await.expect(200);
    }
    let lost = [
        ("attach_last_operations", "true"),
        (
            "fieldQuery",
            "name eq 'N' and context/clusterid eq 'C' and context/namespace eq 'NS'",
        ),
        ("labelQuery", "_k8sname eq 'K'"),
    ];
    for path in ["service_instances", "service_bindings"] {
        let page = admin.get(&query(&format!("/v1/{path}"), &lost)).await;
        if page.status != 404 {
            assert_eq!(page.expect(200), json!({"num_items": 0, "items": []}));
        }
    }
    // The first of several counts.
    let twice = [
        ("fieldQuery", "name eq 'db'"),
        ("fieldQuery", "name eq 'other'"),
    ];
    let page = admin
        .get(&query("/v1/service_brokers", &twice))
        .await
        .expect(200);
    assert_eq!(page["num_items"], 1);
}

async fn nothing_secret_can_be_asked_for(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    for (path, columns) in [
        (
            PLATFORMS,
            &[
                "username",
                "password",
                "old_username",
                "old_password",
                "seq",
                "credentials_active",
            ][..],
        ),
        (
            "/v1/service_brokers",
            &[
                "access",
                "username",
                "password",
                "tls_client_key",
                "catalog",
                "seq",
            ],
        ),
        ("/v1/service_offerings", &["raw", "seq"]),
        ("/v1/service_plans", &["raw", "paging_sequence"]),
        ("/v1/operations", &["work", "external_id", "context"]),
    ] {
        for column in columns {
            let criteria = format!("{column} eq 'x'");
            let answer = admin.get(&query(path, &[("fieldQuery", &criteria)])).await;
            assert_eq!(answer.status, 400, "{path} {column}: {answer:#?}");
        }
    }
}

/// A proxy with `visibility_broker_chunk_size` names all plans of a chunk of brokers in one list.
async fn as_many_plans_as_a_url_can_hold(engine: Engine) {
    let manager = Manager::start(engine).await;
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let id = "c7e6f9de-2b3a-4a57-9d4f-1f0e3a1b2c3d";
    let path = |plans: usize| {
        // Encoded as Go does: quotes and commas, not hyphens.
        let list = vec![format!("%27{id}%27"); plans].join("%2C");
        let text = format!("ready+eq+true+and+service_plan_id+in+%28{list}%29");
        format!("/v1/visibilities?fieldQuery={text}")
    };
    let most = 65_000
        / path(1001)
            .len()
            .saturating_sub(path(1).len())
            .div_ceil(1000);
    assert!(most > 1_400, "{most}");
    let page = platform.client().get(&path(most)).await.expect(200);
    assert_eq!(page["num_items"], 0);
}
