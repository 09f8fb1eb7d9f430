//! The query language on the tables: every operator on every kind of column, labels, and what tries to be SQL.

use crate::engines::{World, change, on_both, read};
use crate::samples::{NOW, instance, labels, operation, registry, visibilities};
use qm_model::instance::Instance;
use qm_model::operation::{Operation, State};
use qm_model::plan::Plan;
use qm_model::platform::Platform;
use qm_model::visibility::Visibility;
use qm_model::{Kind, PageRequest, Query, Time, page::MaxItems, query::columns};
use qm_policy::Scope;
use qm_store::{
    Resource, instance as instances, operation as operations, platform as platforms, resource,
};
use serde_json::json;

on_both!(
    fields_of_every_kind,
    public_visibilities,
    paths_into_json,
    nul_harms_nobody,
    labels_of_every_kind,
    nothing_becomes_sql,
    every_column_answers
);

/// The ids that match, from a page and from all; the count must agree.
async fn ids<R: Resource>(world: &World, field: &str, label: &str) -> Vec<String> {
    let query = Query::parse(columns(R::KIND), Some(field), Some(label))
        .unwrap_or_else(|e| panic!("{field} {label}: {e}"));
    let all = read!(world, [query], tx => resource::matching::<R>(tx, &Scope::All, &query).await)
        .unwrap();
    let all: Vec<String> = all.iter().map(|it| it.id().to_owned()).collect();
    // One by one, so that every page but the last has a next one.
    let mut paged = Vec::new();
    let mut after = None;
    loop {
        let request = PageRequest {
            max_items: MaxItems::Count(1),
            after,
        };
        let page = read!(world, [query], tx => resource::list::<R>(tx, &Scope::All, &query, &request).await).unwrap();
        paged.extend(page.items.iter().map(|it| it.id().to_owned()));
        assert_eq!(page.total.number(), all.len() as u64, "{field} {label}");
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(paged, all, "{field} {label}");
    let request = PageRequest {
        max_items: MaxItems::NumberOnly,
        after: None,
    };
    let page =
        read!(world, [query], tx => resource::list::<R>(tx, &Scope::All, &query, &request).await)
            .unwrap();
    assert_eq!(
        (page.items.len(), page.total.number()),
        (0, all.len() as u64),
        "{field} {label}"
    );
    all
}

async fn fields_of_every_kind(world: World) {
    registry(&world).await;
    let at = |n: i64| Time(NOW.0 + n * 1_000);
    change!(world, [], tx => {
        for (n, id) in ["a", "b", "c"].into_iter().enumerate() {
            let mut it = instance(id, if n == 0 { "b1-p1" } else { "b1-p2" }, "k8s");
            it.name = ["50% off_", "it's", "50X off-"][n].to_owned();
            it.shared = [None, Some(true), Some(false)][n];
            it.usable = n != 1;
            it.meta.created_at = at(n as i64);
            instances::insert(tx, &it).await?;
        }
        let down = Platform { last_active: Some(at(1)), ..crate::samples::platform("down") };
        platforms::insert(tx, &down, None).await?;
        Ok(())
    })
    .unwrap();
    let cases: &[(&str, &[&str])] = &[
        ("", &["a", "b", "c"]),
        // text
        ("name eq 'it''s'", &["b"]),
        ("name eq 'IT''S'", &[]),
        ("name ne 'it''s'", &["a", "c"]),
        ("name en 'it''s'", &["b"]),
        ("name contains '50'", &["a", "c"]),
        ("name contains '%'", &["a"]),
        ("name contains '_'", &["a"]),
        ("name contains 'OFF'", &[]),
        ("name contains ''", &["a", "b", "c"]),
        ("name in ('it''s', '50% off_', 'it''s')", &["a", "b"]),
        ("name in ('it''s')", &["b"]),
        ("name in ()", &[]),
        ("name notin ('it''s', 'x')", &["a", "c"]),
        ("name notin ()", &["a", "b", "c"]),
        ("service_plan_id eq 'b1-p2'", &["b", "c"]),
        ("service_plan_id in ('b1-p1', 'b1-p2')", &["a", "b", "c"]),
        ("id in ('c', 'a')", &["a", "c"]),
        ("id eq 'b' and name eq 'it''s'", &["b"]),
        ("id eq 'b' and id eq 'c'", &[]),
        // truth values
        ("usable eq true", &["a", "c"]),
        ("usable ne true", &["b"]),
        ("usable in (true, false)", &["a", "b", "c"]),
        ("usable notin (true)", &["b"]),
        ("shared eq true", &["b"]),
        ("shared ne true", &["c"]),
        ("shared en true", &["a", "b"]),
        ("shared in (false)", &["c"]),
        ("shared notin (false)", &["b"]),
        ("shared notin ()", &["a", "b", "c"]),
        // nullable text
        ("referenced_instance_id en 'x'", &["a", "b", "c"]),
        ("referenced_instance_id ne 'x'", &[]),
        // times
        ("created_at eq 2023-11-14T22:13:21Z", &["b"]),
        ("created_at ne 2023-11-14T22:13:21Z", &["a", "c"]),
        ("created_at gt 2023-11-14T22:13:21Z", &["c"]),
        ("created_at ge 2023-11-14T22:13:21Z", &["b", "c"]),
        ("created_at lt 2023-11-14T22:13:21Z", &["a"]),
        ("created_at le 2023-11-14T23:13:21+01:00", &["a", "b"]),
        ("created_at in (2023-11-14T22:13:21Z)", &["b"]),
        ("created_at notin (2023-11-14T22:13:21Z)", &["a", "c"]),
    ];
    for (field, expected) in cases {
        assert_eq!(
            ids::<Instance>(&world, field, "").await,
            *expected,
            "{field}"
        );
    }
    // integers
    assert_eq!(
        ids::<Plan>(&world, "maximum_polling_duration ge 60", "")
            .await
            .len(),
        4
    );
    assert_eq!(
        ids::<Plan>(&world, "maximum_polling_duration lt 60", "")
            .await
            .len(),
        0
    );
    assert_eq!(
        ids::<Plan>(&world, "maximum_polling_duration in (60, 1)", "")
            .await
            .len(),
        4
    );
    assert_eq!(
        ids::<Plan>(&world, "plan_updateable en true", "")
            .await
            .len(),
        4
    );
    // a nullable time
    assert_eq!(
        ids::<Platform>(&world, "last_active gt 2020-01-01T00:00:00Z", "").await,
        ["down"]
    );
    assert_eq!(
        ids::<Platform>(&world, "last_active en 2023-11-14T22:13:21Z", "").await,
        ["k8s", "cf", "down"]
    );
    // more values than are walked one by one
    let many = (0..40)
        .map(|n| format!("'x{n}'"))
        .collect::<Vec<_>>()
        .join(", ");
    assert_eq!(
        ids::<Instance>(&world, &format!("id in ({many}, 'a', 'c')"), "").await,
        ["a", "c"]
    );
    assert_eq!(
        ids::<Instance>(&world, &format!("id notin ({many}, 'a', 'c')"), "").await,
        ["b"]
    );
}

async fn public_visibilities(world: World) {
    registry(&world).await;
    visibilities(
        &world,
        &[
            ("public", "b1-p1", None),
            ("cf", "b1-p2", Some("cf")),
            ("k8s", "b1-p2", Some("k8s")),
        ],
    )
    .await;
    let cases: &[(&str, &[&str])] = &[
        ("platform_id eq ''", &["public"]),
        ("platform_id eq 'cf'", &["cf"]),
        ("platform_id ne ''", &["cf", "k8s"]),
        ("platform_id ne 'cf'", &["public", "k8s"]),
        ("platform_id en ''", &["public"]),
        ("platform_id en 'cf'", &["public", "cf"]),
        ("platform_id in ('', 'cf')", &["public", "cf"]),
        ("platform_id in ('')", &["public"]),
        ("platform_id notin ('')", &["cf", "k8s"]),
        ("platform_id notin ('cf', 'k8s')", &["public"]),
        ("platform_id contains ''", &["public", "cf", "k8s"]),
        ("platform_id contains '8'", &["k8s"]),
        (
            "service_plan_id in ('b1-p2') and platform_id in ('cf', '')",
            &["cf"],
        ),
    ];
    for (field, expected) in cases {
        assert_eq!(
            ids::<Visibility>(&world, field, "").await,
            *expected,
            "{field}"
        );
    }
}

async fn paths_into_json(world: World) {
    registry(&world).await;
    change!(world, [], tx => {
        for (id, context) in [
            ("a", Some(json!({"clusterid": "c1", "namespace": "n", "deep": {"er": 5}, "on": true, "list": ["x"]}))),
            ("b", Some(json!({"clusterid": "c2", "namespace": true, "deep": {"er": "5"}, "on": false, "a.b": "dot"}))),
            ("c", Some(json!({"clusterid": null, "on": null}))),
            ("d", None),
        ] {
            let mut it = instance(id, "b1-p1", "k8s");
            it.context = context;
            instances::insert(tx, &it).await?;
        }
        Ok(())
    })
    .unwrap();
    let cases: &[(&str, &[&str])] = &[
        ("context/clusterid eq 'c1'", &["a"]),
        ("context/clusterid ne 'c1'", &["b"]),
        ("context/clusterid in ('c1', 'c2')", &["a", "b"]),
        ("context/clusterid notin ('c1')", &["b"]),
        ("context/clusterid en 'c1'", &["a", "c", "d"]),
        ("context/clusterid contains 'c'", &["a", "b"]),
        ("context/namespace eq 'true'", &["b"]),
        ("context/deep/er eq '5'", &["a", "b"]),
        ("context/on eq 'true'", &["a"]),
        ("context/on eq true", &["a"]),
        ("context/on ne 'true'", &["b"]),
        ("context/a.b eq 'dot'", &["b"]),
        ("context/list/0 eq 'x'", &[]),
        ("context/nothing eq 'x'", &[]),
        (
            "context/clusterid eq 'c1' and context/namespace eq 'n'",
            &["a"],
        ),
        ("context contains 'dot'", &["b"]),
    ];
    for (field, expected) in cases {
        assert_eq!(
            ids::<Instance>(&world, field, "").await,
            *expected,
            "{field}"
        );
    }
    assert_eq!(
        ids::<Plan>(&world, "maintenance_info/version eq '1.0.0'", "")
            .await
            .len(),
        4
    );
}

/// PostgreSQL's text has no NUL. In JSON it is an escape and is kept; elsewhere it is refused, on both engines.
async fn nul_harms_nobody(world: World) {
    registry(&world).await;
    let mut odd = instance("odd", "b1-p1", "k8s");
    odd.context = Some(json!({"clusterid": "a\0b", "namespace": "n", "x": "\0"}));
    let plain = instance("plain", "b1-p1", "k8s");
    let found = change!(world, [odd, plain], tx => {
        instances::insert(tx, &odd).await?;
        instances::insert(tx, &plain).await?;
        resource::get::<Instance>(tx, &Scope::All, "odd").await
    });
    assert_eq!(found.unwrap(), Some(odd));
    let cases: &[(&str, &[&str])] = &[
        ("context/clusterid eq 'c1'", &["plain"]),
        ("context/namespace eq 'default'", &["plain"]),
        ("context/namespace eq 'n'", &["odd"]),
        ("context/x eq 'y'", &[]),
        ("context/deep/er eq '5'", &["plain"]),
    ];
    for (field, expected) in cases {
        assert_eq!(
            ids::<Instance>(&world, field, "").await,
            *expected,
            "{field}"
        );
    }
    let mut wrong = instance("wrong", "b1-p1", "k8s");
    wrong.name = "a\0b".to_owned();
    let refused = change!(world, [wrong], tx => instances::insert(tx, &wrong).await).unwrap_err();
    assert_eq!(qm_model::Error::from(refused).status(), 400);
}

async fn labels_of_every_kind(world: World) {
    registry(&world).await;
    change!(world, [], tx => {
        let all: [(&str, &[(&str, &str)]); 5] = [
            ("a", &[("env", "prod"), ("env", "eu"), ("k8s.io/name:x", "1"), ("n", "5"), ("t", "2024-05-01T10:00:00Z")]),
            ("b", &[("env", "test"), ("n", "-7.5"), ("t", "2024-05-01T10:00:00.5+02:00")]),
            ("c", &[("env", ""), ("n", "many"), ("t", "now"), ("n", "+12")]),
            ("d", &[("other", "prod"), ("n", "5."), ("t", "2024-99-99T10:00:00Z")]),
            ("e", &[("n", "1e5"), ("n", ".5"), ("n", " 7"), ("n", "1-2"), ("n", "1.2.3"), ("t", "2024-05-01")]),
        ];
        for (id, pairs) in all {
            let mut it = instance(id, "b1-p1", "k8s");
            it.meta.labels = labels(pairs);
            instances::insert(tx, &it).await?;
        }
        Ok(())
    })
    .unwrap();
    let cases: &[(&str, &[&str])] = &[
        ("env eq 'prod'", &["a"]),
        ("env eq ''", &["c"]),
        ("env ne 'prod'", &["b", "c", "d", "e"]),
        ("env en 'prod'", &["a", "d", "e"]),
        ("env contains 'e'", &["a", "b"]),
        ("env contains '%'", &[]),
        ("env in ('prod', 'eu', 'test')", &["a", "b"]),
        ("env in ('eu')", &["a"]),
        ("env in ()", &[]),
        ("env notin ('prod')", &["b", "c", "d", "e"]),
        ("env notin ('eu', 'test')", &["c", "d", "e"]),
        ("env notin ()", &["a", "b", "c", "d", "e"]),
        ("k8s.io/name:x eq '1'", &["a"]),
        ("k8s.io/name:x ne '1'", &["b", "c", "d", "e"]),
        ("unknown eq 'x'", &[]),
        ("env eq 'prod' and n eq '5'", &["a"]),
        ("env eq 'prod' and other eq 'prod'", &[]),
        ("n gt 5", &["c"]),
        ("n ge 5", &["a", "c"]),
        ("n lt 0", &["b"]),
        ("n le 5", &["a", "b"]),
        ("n le 1000000", &["a", "b", "c"]),
        ("n ge -1000000", &["a", "b", "c"]),
        ("t gt 2024-05-01T08:00:00.4Z", &["a", "b"]),
        ("t gt 2024-05-01T08:00:00.5Z", &["a"]),
        ("t ge 2024-05-01T08:00:00.5Z", &["a", "b"]),
        ("t le 2024-05-01T10:00:00Z", &["a", "b"]),
        ("t lt 2024-05-01T10:00:00Z", &["b"]),
        ("t lt 2999-05-01T10:00:00Z", &["a", "b"]),
    ];
    for (label, expected) in cases {
        assert_eq!(
            ids::<Instance>(&world, "", label).await,
            *expected,
            "{label}"
        );
    }
    assert_eq!(
        ids::<Instance>(&world, "id in ('a', 'b')", "n ge -100").await,
        ["a", "b"]
    );
    assert_eq!(
        ids::<Instance>(&world, "id eq 'a'", "env eq 'prod'").await,
        ["a"]
    );
    assert_eq!(
        ids::<Instance>(&world, "name eq 'a-name'", "env in ('prod', 'test')").await,
        ["a"]
    );
    let many = (0..40)
        .map(|n| format!("'x{n}'"))
        .collect::<Vec<_>>()
        .join(", ");
    assert_eq!(
        ids::<Instance>(&world, "", &format!("env in ({many}, 'eu')")).await,
        ["a"]
    );
}

/// Defect 1: whatever a caller sends stays a value.
async fn nothing_becomes_sql(world: World) {
    registry(&world).await;
    let nasty = "'; DROP TABLE instance; --";
    let mut it = instance("a", "b1-p1", "k8s");
    it.name = nasty.to_owned();
    it.meta.labels = labels(&[("a';--", nasty), ("$1", "x")]);
    change!(world, [it], tx => instances::insert(tx, &it).await).unwrap();
    let quoted = nasty.replace('\'', "''");
    for field in [
        format!("name eq '{quoted}'"),
        format!("name in ('{quoted}', 'x')"),
        format!("name contains '{quoted}'"),
        "id ne '\" OR 1=1'".to_owned(),
        "name ne '$1'".to_owned(),
        "name ne '\\'".to_owned(),
    ] {
        assert_eq!(ids::<Instance>(&world, &field, "").await, ["a"], "{field}");
    }
    assert_eq!(
        ids::<Instance>(&world, "name eq '1'' OR ''1''=''1'", "").await,
        Vec::<String>::new()
    );
    assert_eq!(
        ids::<Instance>(&world, "context/x\\y eq 'z'", "").await,
        Vec::<String>::new()
    );
    assert_eq!(
        ids::<Instance>(&world, "context/$[*] eq 'z'", "").await,
        Vec::<String>::new()
    );
    assert_eq!(ids::<Instance>(&world, "", "$1 eq 'x'").await, ["a"]);
    assert_eq!(
        ids::<Instance>(&world, "", &format!("x;-- ne '{quoted}'")).await,
        ["a"]
    );
}

/// No column, with any operator it can take, makes a statement that an engine refuses.
async fn every_column_answers(world: World) {
    registry(&world).await;
    let it = Operation {
        state: State::Succeeded,
        ..operation("o", Kind::Broker, "b1")
    };
    change!(world, [it], tx => operations::record(tx, &it, None).await).unwrap();
    async fn ask<R: Resource>(world: &World) {
        for column in columns(R::KIND) {
            use qm_model::query::ColumnKind::{Bool, Integer, Json, Text, Time};
            let value = match column.kind {
                Text | Json => "'x'",
                Bool => "true",
                Integer => "1",
                Time => "2024-05-01T10:00:00Z",
            };
            let name = column.name;
            let mut all = vec![
                format!("{name} eq {value}"),
                format!("{name} ne {value}"),
                format!("{name} en {value}"),
                format!("{name} in ({value}, {value})"),
                format!("{name} notin ({value})"),
            ];
            if column.kind.is_ordered() {
                all.extend(["gt", "lt", "ge", "le"].map(|word| format!("{name} {word} {value}")));
            }
            if column.kind.is_textual() {
                all.push(format!("{name} contains {value}"));
            }
            if column.kind == Json {
                all.push(format!("{name}/a/b eq {value}"));
            }
            for field in all {
                ids::<R>(world, &field, "a eq 'b'").await;
                ids::<R>(world, &field, "").await;
            }
        }
    }
    ask::<qm_model::broker::Broker>(&world).await;
    ask::<Platform>(&world).await;
    ask::<Visibility>(&world).await;
    ask::<qm_model::offering::Offering>(&world).await;
    ask::<Plan>(&world).await;
    ask::<Instance>(&world).await;
    ask::<qm_model::binding::Binding>(&world).await;
    ask::<Operation>(&world).await;
}
