//! The audit log: who did what, from where, with which outcome; and nobody can change it.

use crate::harness::answer::{id, items, text};
use crate::harness::brokers::{broker, register};
use crate::harness::{Client, Engine, Manager, Platform, login, query};
use serde_json::{Value, json};

on_both_engines!(
    every_change_is_written_down,
    refusals_are_written_down_too,
    the_log_can_be_searched,
    nobody_changes_the_log,
);

const PATH: &str = "/v1/audit";

async fn records(admin: &Client, parameters: &[(&str, &str)]) -> Vec<Value> {
    let path = query(PATH, parameters);
    items(&admin.get(&path).await.expect(200))
}

async fn every_change_is_written_down(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let hostile = broker().await;
    let made = register(&admin, "db", &hostile).await;
    let one = format!("/v1/service_brokers/{}", id(&made));
    let headers = [
        ("content-type", "application/json"),
        ("x-correlationid", "audit-me"),
    ];
    let body = json!({"description": "new"}).to_string();
    admin
        .send(http::Method::PATCH, &one, &headers, body)
        .await
        .expect(200);
    admin.delete(&one).await.expect(200);

    let found = records(&admin, &[("resource_id", &id(&made))]).await;
    let mut actions: Vec<_> = found.iter().map(|record| text(record, "action")).collect();
    actions.sort();
    assert_eq!(actions, ["create", "delete", "update"], "{found:?}");
    for record in &found {
        assert_eq!(record["resource_type"], "/v1/service_brokers");
        assert_eq!(record["outcome"], "succeeded");
        assert_eq!(record["actor"]["name"], "admin", "{record}");
        assert!(text(record, "remote").starts_with("127.0.0.1"), "{record}");
        assert!(text(record, "at").ends_with('Z'));
        assert!(!text(record, "correlation_id").is_empty());
    }
    let joined = records(&admin, &[("correlation_id", "audit-me")]).await;
    assert_eq!(joined.len(), 1, "{joined:?}");
    assert_eq!(joined[0]["action"], "update");
    // Reading leaves no trace; logging in does.
    let before = records(&admin, &[]).await.len();
    admin.get("/v1/platforms").await.expect(200);
    assert_eq!(records(&admin, &[]).await.len(), before);
}

async fn refusals_are_written_down_too(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let body = json!({"name": "vera", "password": "correct horse battery", "roles": ["viewer"]});
    admin.post("/v1/users", &body).await.expect(201);
    let token = login::access_token(&manager.url(), "vera", "correct horse battery").await;
    let viewer = Client::bearer(&manager.url(), &token);
    let platform = json!({"name": "p", "type": "t"});
    viewer.post("/v1/platforms", &platform).await.expect(403);
    let all = records(&admin, &[]).await;
    let refused = all
        .iter()
        .find(|record| record["outcome"] == "refused" && record["actor"]["name"] == "vera");
    let refused = refused.unwrap_or_else(|| panic!("{all:?}"));
    assert_eq!(refused["resource_type"], "/v1/platforms");

    // A failed login is somebody's attempt.
    login::password(&manager.url(), "vera", "wrong")
        .await
        .expect(400);
    let all = records(&admin, &[]).await;
    assert!(
        all.iter()
            .any(|record| record["outcome"] != "succeeded" && record.to_string().contains("login")),
        "{all:?}"
    );
    viewer.get(PATH).await.refused(403, "Forbidden");
    manager.anybody().get(PATH).await.expect(401);
}

async fn the_log_can_be_searched(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let mut ids = Vec::new();
    for number in 0..5 {
        let platform = Platform::register(&manager, &format!("p{number}"), "t").await;
        ids.push(platform.id);
    }
    // The newest first, page by page.
    let parameters = [("resource_type", "/v1/platforms"), ("max_items", "2")];
    let mut seen = Vec::new();
    let mut token: Option<String> = None;
    loop {
        let mut parameters = parameters.to_vec();
        if let Some(token) = &token {
            parameters.push(("token", token));
        }
        let page = admin.get(&query(PATH, &parameters)).await.expect(200);
        let made = items(&page)
            .into_iter()
            .filter(|record| record["action"] == "create");
        seen.extend(made.map(|record| text(&record, "resource_id")));
        match page.get("token") {
            Some(next) => token = Some(next.as_str().unwrap().to_owned()),
            None => break,
        }
    }
    seen.retain(|id| id != "service-manager");
    ids.reverse();
    assert_eq!(seen, ids);
}

async fn nobody_changes_the_log(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    Platform::register(&manager, "p", "t").await;
    for method in [
        http::Method::DELETE,
        http::Method::POST,
        http::Method::PUT,
        http::Method::PATCH,
    ] {
        let answer = admin.call(method, PATH, Some(&json!({}))).await;
        assert_eq!(answer.status, 405, "{answer:#?}");
    }
    // Not even somebody with the database's password.
    let before = records(&admin, &[]).await;
    let changed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        manager.sql("UPDATE audit SET actor_name = 'somebody else'")
    }));
    assert!(changed.is_err(), "the audit log was rewritten");
    let removed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        manager.sql("DELETE FROM audit")
    }));
    assert!(removed.is_err(), "the audit log was emptied");
    assert_eq!(records(&admin, &[]).await, before);
}
