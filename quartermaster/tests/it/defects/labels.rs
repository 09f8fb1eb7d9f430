//! Defect 13: of `remove` and `add` of one key in one PATCH the answer showed one thing and the store kept another.

use crate::harness::{Engine, Manager, Platform, query};
use serde_json::json;

on_both_engines!(defect_13_what_a_label_patch_shows_is_what_is_kept);

async fn defect_13_what_a_label_patch_shows_is_what_is_kept(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let body = json!({"name": "p", "type": "t", "labels": {"k8sname": ["old"]}});
    let platform = Platform::register_as(&manager, &body).await;
    let path = format!("/v1/platforms/{}", platform.id);
    let remove = json!({"op": "remove", "key": "k8sname", "values": null});
    let add = |value: &str| json!({"op": "add", "key": "k8sname", "values": [value]});
    for (changes, wanted) in [
        (json!([remove, add("new")]), json!({"k8sname": ["new"]})),
        (
            json!([remove, add("a"), add("b")]),
            json!({"k8sname": ["a", "b"]}),
        ),
        (
            json!([add("c"), {"op": "remove_values", "key": "k8sname", "values": ["a", "b"]}]),
            json!({"k8sname": ["c"]}),
        ),
        (
            json!([{"op": "replace", "key": "k8sname", "values": ["d"]}]),
            json!({"k8sname": ["d"]}),
        ),
    ] {
        let shown = admin
            .patch(&path, &json!({"labels": changes}))
            .await
            .expect(200);
        assert_eq!(shown["labels"], wanted, "shown after {changes}");
        let kept = admin.get(&path).await.expect(200);
        assert_eq!(kept["labels"], wanted, "kept after {changes}");
        // Queries see the same.
        let value = wanted["k8sname"][0].as_str().unwrap();
        let path = query(
            "/v1/platforms",
            &[("labelQuery", &format!("k8sname eq '{value}'"))],
        );
        assert_eq!(
            admin.get(&path).await.expect(200)["num_items"],
            1,
            "{changes}"
        );
    }
    let gone = query(
        "/v1/platforms",
        &[("labelQuery", "k8sname in ('old','new','a','b','c')")],
    );
    assert_eq!(admin.get(&gone).await.expect(200)["num_items"], 0);
}
