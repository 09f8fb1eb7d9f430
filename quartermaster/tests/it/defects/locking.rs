//! Defect 7: no row was ever locked, so of two changes at once one was lost.

use crate::harness::answer::{id, text};
use crate::harness::brokers::{broker, plan_named, register, show};
use crate::harness::{Client, Engine, Manager, Platform};
use serde_json::{Value, json};
use std::collections::BTreeSet;

on_both_engines!(
    defect_07_concurrent_label_changes_are_all_kept,
    defect_07_concurrent_changes_of_fields_are_all_kept,
    defect_07_one_name_is_taken_once,
    defect_07_rotation_and_change_do_not_undo_each_other,
);

const WRITERS: usize = 12;

/// Sends a PATCH until it is taken; another deed on the same resource may be under way (422).
async fn insist(admin: &Client, path: &str, body: &Value) {
    loop {
        let answer = admin.patch(path, body).await;
        match answer.status {
            200 => return,
            422 => tokio::time::sleep(std::time::Duration::from_millis(5)).await,
            _ => panic!("{answer:#?}"),
        }
    }
}

async fn everybody_adds_a_label(admin: &Client, path: &str) {
    let writers = (0..WRITERS).map(|writer| {
        let (admin, path) = (admin.clone(), path.to_owned());
        tokio::spawn(async move {
            let values = json!([format!("v{writer}")]);
            let same = json!({"op": "add", "key": "all", "values": values});
            let own = json!({"op": "add", "key": format!("k{writer}"), "values": ["x"]});
            insist(&admin, &path, &json!({"labels": [same, own]})).await;
        })
    });
    for writer in writers.collect::<Vec<_>>() {
        writer.await.unwrap();
    }
    let labels = admin.get(path).await.expect(200)["labels"].clone();
    let all = labels["all"].as_array().unwrap();
    let all: BTreeSet<_> = all.iter().map(Value::to_string).collect();
    assert_eq!(all.len(), WRITERS, "{path}: {labels}");
    assert_eq!(
        labels.as_object().unwrap().len(),
        WRITERS + 1,
        "{path}: {labels}"
    );
}

async fn defect_07_concurrent_label_changes_are_all_kept(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let plan = plan_named(&admin, &made, "sync").await;
    let visibility = show(&admin, &plan, None).await.expect(201);
    let platform = Platform::register(&manager, "p", "t").await;
    for path in [
        format!("/v1/service_brokers/{}", id(&made)),
        format!("/v1/platforms/{}", platform.id),
        format!("/v1/visibilities/{}", id(&visibility)),
        format!("/v1/service_plans/{}", id(&plan)),
        format!(
            "/v1/service_offerings/{}",
            text(&plan, "service_offering_id")
        ),
    ] {
        everybody_adds_a_label(&admin, &path).await;
    }
}

async fn defect_07_concurrent_changes_of_fields_are_all_kept(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "p", "t").await;
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let paths = [
        format!("/v1/platforms/{}", platform.id),
        format!("/v1/service_brokers/{}", id(&made)),
    ];
    for path in paths {
        for round in 0..10 {
            let name = json!({"name": format!("n{round}")});
            let description = json!({"description": format!("d{round}")});
            let label = json!({"labels": [{"op": "replace", "key": "round", "values": [round.to_string()]}]});
            tokio::join!(
                insist(&admin, &path, &name),
                insist(&admin, &path, &description),
                insist(&admin, &path, &label),
            );
            let now = admin.get(&path).await.expect(200);
            assert_eq!(now["name"], format!("n{round}"), "{path}");
            assert_eq!(now["description"], format!("d{round}"), "{path}");
            assert_eq!(now["labels"]["round"], json!([round.to_string()]), "{path}");
        }
    }
}

async fn defect_07_one_name_is_taken_once(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    for round in 0..5 {
        let name = format!("name-{round}");
        let writers = (0..6).map(|_| {
            let (admin, body) = (admin.clone(), json!({"name": name, "type": "t"}));
            tokio::spawn(async move { admin.post("/v1/platforms", &body).await.status })
        });
        let mut statuses = Vec::new();
        for writer in writers.collect::<Vec<_>>() {
            statuses.push(writer.await.unwrap());
        }
        statuses.sort_unstable();
        assert_eq!(statuses, [201, 409, 409, 409, 409, 409]);
    }
}

async fn defect_07_rotation_and_change_do_not_undo_each_other(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "p", "t").await;
    let path = format!("/v1/platforms/{}", platform.id);
    let rotate = format!("{path}?regenerateCredentials=true");
    for round in 0..10 {
        let change = json!({"description": format!("d{round}")});
        let nothing = json!({});
        let (rotated, changed) =
            tokio::join!(admin.patch(&rotate, &nothing), admin.patch(&path, &change));
        changed.expect(200);
        let new = Platform::of(&manager.url(), &rotated.expect(200));
        new.client().get("/v1/platforms").await.expect(200);
        let now = admin.get(&path).await.expect(200);
        assert_eq!(now["description"], format!("d{round}"));
    }
}
