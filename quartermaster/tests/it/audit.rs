//! The audit log: who did what, from where, with which outcome; and nobody can change it.

use crate::harness::answer::{id, items, text};
use crate::harness::brokers::{broker, register};
use crate::harness::{Client, Engine, Manager, Platform, Setup, eventually, login, query};
use serde_json::{Value, json};

on_both_engines!(
    every_change_is_written_down,
    refusals_are_written_down_too,
    the_log_can_be_searched,
    nobody_changes_the_log,
    what_was_not_possible_is_written_down_once,
    a_question_that_is_not_understood_is_refused,
    all_of_it_can_be_had_as_lines,
    what_is_too_old_goes,
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
    let answer = viewer.get(PATH).await;
    assert!(answer.text.contains("the audit log"), "{answer:#?}");
    answer.refused(403, "Forbidden");
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

async fn what_was_not_possible_is_written_down_once(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let platform = json!({"name": "p", "type": "t"});
    admin.post("/v1/platforms", &platform).await.expect(201);
    let hostile = broker().await;
    let nowhere = json!({"name": "b", "broker_url": "http://127.0.0.1:1", "credentials": {"basic": {"username": "u", "password": "p"}}});
    let taken = json!({"name": "db", "broker_url": hostile.url(), "credentials": {"basic": {"username": "u", "password": "p"}}});
    register(&admin, "db", &hostile).await;
    let plan = json!({"service_plan_id": "nobody"});
    let user = json!({"name": "", "password": "x", "roles": []});
    let tries = [
        ("POST", "/v1/platforms", platform, 409, "refused"),
        ("PATCH", "/v1/platforms/x", json!({}), 404, "refused"),
        ("POST", "/v1/visibilities", plan, 400, "refused"),
        ("POST", "/v1/users", user, 400, "refused"),
        ("DELETE", "/v1/clients/x", json!({}), 404, "refused"),
        ("POST", "/v1/service_brokers", json!([]), 400, "refused"),
        ("POST", "/v1/service_brokers", taken, 409, "refused"),
        // The deed has written this one itself: the broker was asked.
        ("POST", "/v1/service_brokers", nowhere, 502, "failed"),
    ];
    for (number, (method, path, body, status, outcome)) in tries.into_iter().enumerate() {
        let correlation = format!("try-{number}");
        let headers = [
            ("content-type", "application/json"),
            ("x-correlationid", correlation.as_str()),
        ];
        let method = method.parse().unwrap();
        let answer = admin.send(method, path, &headers, body.to_string()).await;
        assert_eq!(answer.status, status, "{answer:#?}");
        let found = records(&admin, &[("correlation_id", &correlation)]).await;
        assert_eq!(found.len(), 1, "{path}: {found:?}");
        assert_eq!(found[0]["outcome"], outcome, "{path}");
        assert_eq!(found[0]["actor"]["name"], "admin", "{path}");
        assert!(!text(&found[0], "detail").is_empty(), "{path}");
    }
}

async fn a_question_that_is_not_understood_is_refused(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    for name in ["fieldQuery", "labelQuery", "actor"] {
        let path = query(PATH, &[(name, "actor_id eq 'nobody'")]);
        let answer = admin.get(&path).await;
        assert!(answer.text.contains("correlation_id"), "{answer:#?}");
        answer.refused(400, "BadRequest");
    }
}

async fn all_of_it_can_be_had_as_lines(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    // More than are read at a time.
    let text = json!({"name": "", "type": ""});
    for _ in 0..505 {
        admin.post("/v1/platforms", &text).await.expect(400);
    }
    let lines = async |client: &Client, parameters: &[(&str, &str)]| {
        let path = match parameters {
            [] => PATH.to_owned(),
            some => query(PATH, some),
        };
        let headers = [("accept", "application/x-ndjson")];
        client.send(http::Method::GET, &path, &headers, "").await
    };
    let all = lines(&admin, &[]).await;
    assert_eq!(all.header("content-type"), Some("application/x-ndjson"));
    let all: Vec<Value> = all
        .text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut paged = Vec::new();
    let mut token: Option<String> = None;
    loop {
        let mut parameters = vec![("max_items", "200")];
        parameters.extend(token.as_deref().map(|token| ("token", token)));
        let page = admin.get(&query(PATH, &parameters)).await.expect(200);
        paged.extend(items(&page));
        match page.get("token") {
            Some(next) => token = Some(next.as_str().unwrap().to_owned()),
            None => break,
        }
    }
    assert!(all.len() > 505, "{}", all.len());
    assert_eq!(all, paged);
    let some = lines(&admin, &[("resource_type", "/v1/platforms")]).await;
    assert!(some.text.lines().count() >= 505);
    let none = lines(&admin, &[("actor_id", "nobody")]).await;
    assert_eq!((none.status, none.text.as_str()), (200, ""));
    lines(&manager.anybody(), &[]).await.expect(401);
}

async fn what_is_too_old_goes(engine: Engine) {
    let setup = Setup::new(engine)
        .set("QM_AUDIT_KEEP", "1s")
        .set("QM_OPERATIONS_CLEANUP_INTERVAL", "200ms");
    let manager = setup.start().await;
    let admin = manager.admin();
    let made = Platform::register(&manager, "p", "t").await;
    let by_id = [("resource_id", made.id.as_str())];
    eventually("the record has gone", async || {
        records(&admin, &by_id).await.is_empty().then_some(())
    })
    .await;
    // That something was removed can be read, until it is too old itself.
    let trim = eventually("it is written down", async || {
        Platform::register(&manager, &fresh_name(), "t").await;
        let all = records(&admin, &[]).await;
        all.into_iter().find(|record| record["action"] == "trim")
    })
    .await;
    assert_eq!(trim["actor"]["kind"], "system");
    assert!(text(&trim, "detail").contains("audit.keep"), "{trim}");
}

/// A name that nobody has.
fn fresh_name() -> String {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("p-{}", NEXT.fetch_add(1, Ordering::Relaxed))
}
