//! Labels: a map when something is made, a list of changes when it is changed.

use crate::harness::{Engine, Manager, Platform, Setup};
use serde_json::{Value, json};

on_both_engines!(
    changes_apply_in_order,
    what_is_wrong_with_a_change_is_said,
    protected_labels_are_refused,
);

async fn changes_apply_in_order(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let body = json!({"name": "p", "type": "t", "labels": {"env": ["dev", "dev", "qa"]}});
    let platform = Platform::register_as(&manager, &body).await;
    let one = format!("/v1/platforms/{}", platform.id);
    let change =
        |op: &str, key: &str, values: Value| json!({"op": op, "key": key, "values": values});
    let steps = [
        (json!([]), json!({"env": ["dev", "qa"]})),
        (
            json!([change("add", "env", json!(["prod"]))]),
            json!({"env": ["dev", "prod", "qa"]}),
        ),
        (
            json!([change("add", "env", json!(["prod"]))]),
            json!({"env": ["dev", "prod", "qa"]}),
        ),
        (
            json!([change("add", "flag", Value::Null)]),
            json!({"env": ["dev", "prod", "qa"], "flag": [""]}),
        ),
        (
            json!([change("add_values", "new", json!(["1"]))]),
            json!({"env": ["dev", "prod", "qa"], "flag": [""], "new": ["1"]}),
        ),
        // The BTP operator sends `values: null`.
        (
            json!([change("remove", "flag", Value::Null)]),
            json!({"env": ["dev", "prod", "qa"], "new": ["1"]}),
        ),
        (
            json!([{"op": "remove", "key": "new"}]),
            json!({"env": ["dev", "prod", "qa"]}),
        ),
        (
            json!([change("remove", "env", json!(["qa", "none"]))]),
            json!({"env": ["dev", "prod"]}),
        ),
        (
            json!([change("remove_values", "env", json!(["prod"]))]),
            json!({"env": ["dev"]}),
        ),
        (
            json!([change("replace", "env", json!(["x", "y"]))]),
            json!({"env": ["x", "y"]}),
        ),
        (
            json!([
                change("remove", "env", json!([])),
                change("add", "env", json!(["z"]))
            ]),
            json!({"env": ["z"]}),
        ),
        (
            json!([
                change("add", "env", json!(["w"])),
                change("remove", "env", json!(["w"]))
            ]),
            json!({"env": ["z"]}),
        ),
        (
            json!([change("remove", "missing", Value::Null)]),
            json!({"env": ["z"]}),
        ),
        (
            json!([change("add", "a.b:c/d", json!(["ü'\"%"]))]),
            json!({"a.b:c/d": ["ü'\"%"], "env": ["z"]}),
        ),
        (
            json!([
                change("remove_values", "env", json!(["z"])),
                change("remove", "a.b:c/d", json!([]))
            ]),
            Value::Null,
        ),
    ];
    for (labels, wanted) in steps {
        let changed = admin
            .patch(&one, &json!({"labels": labels}))
            .await
            .expect(200);
        let read = admin.get(&one).await.expect(200);
        for shown in [&changed, &read] {
            assert_eq!(
                shown.get("labels").unwrap_or(&Value::Null),
                &wanted,
                "after {labels}"
            );
        }
    }
}

async fn what_is_wrong_with_a_change_is_said(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let body = json!({"name": "p", "type": "t", "labels": {"env": ["dev"]}});
    let platform = Platform::register_as(&manager, &body).await;
    let one = format!("/v1/platforms/{}", platform.id);
    for labels in [
        json!([{"op": "add_values", "key": "env"}]),
        json!([{"op": "remove_values", "key": "env", "values": []}]),
        json!([{"op": "", "key": "env", "values": ["x"]}]),
        json!([{"op": "add", "key": "", "values": ["x"]}]),
        json!([{"key": "env", "values": ["x"]}]),
        json!([{"op": "add", "values": ["x"]}]),
        json!([{"op": "remove_value", "key": "env", "values": ["dev"]}]),
        json!([{"op": "add", "key": "two words", "values": ["x"]}]),
        json!([{"op": "add", "key": "env", "values": ["a\nb"]}]),
        json!([{"op": "add", "key": "k".repeat(256), "values": ["x"]}]),
        json!([{"op": "add", "key": "env", "values": ["v".repeat(256)]}]),
        json!({"env": ["x"]}),
        json!([{"op": "remove", "key": "env"}, {"op": "nonsense", "key": "env", "values": ["x"]}]),
    ] {
        let answer = admin.patch(&one, &json!({"labels": labels})).await;
        assert_eq!(answer.status, 400, "{labels}: {answer:#?}");
        let kept = admin.get(&one).await.expect(200);
        assert_eq!(kept["labels"], json!({"env": ["dev"]}), "after {labels}");
    }
}

async fn protected_labels_are_refused(engine: Engine) {
    let setup = Setup::new(engine).set("QM_API_PROTECTED_LABELS", "operated_by,global");
    let manager = setup.start().await;
    let admin = manager.admin();
    let body = json!({"name": "p", "type": "t", "labels": {"operated_by": ["me"]}});
    admin
        .post("/v1/platforms", &body)
        .await
        .refused(400, "BadRequest");
    let platform = Platform::register(&manager, "p", "t").await;
    let one = format!("/v1/platforms/{}", platform.id);
    for op in ["add", "remove", "replace"] {
        let change = json!({"labels": [{"op": op, "key": "global", "values": ["x"]}]});
        admin.patch(&one, &change).await.refused(400, "BadRequest");
    }
    let change = json!({"labels": [{"op": "add", "key": "free", "values": ["x"]}]});
    admin.patch(&one, &change).await.expect(200);
}
