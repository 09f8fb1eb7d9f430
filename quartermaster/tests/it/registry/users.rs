//! People who log in at the built-in issuer: `/v1/users`.

use crate::harness::answer::{fields, id};
use crate::harness::wait::within;
use crate::harness::{Client, Engine, Manager, login};
use serde_json::json;
use std::time::Duration;

on_both_engines!(
    users_are_added_changed_and_removed,
    what_is_wrong_with_a_user_is_said,
    roles_are_what_they_say,
    a_removed_user_is_out,
    a_demoted_user_must_log_in_anew,
);

const PATH: &str = "/v1/users";
const WORD: &str = "correct horse battery";

async fn client(manager: &Manager, name: &str) -> Client {
    let token = login::access_token(&manager.url(), name, WORD).await;
    Client::bearer(&manager.url(), &token)
}

async fn users_are_added_changed_and_removed(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let body = json!({"name": "vera", "password": WORD, "roles": ["viewer"]});
    let answer = admin.post(PATH, &body).await;
    assert!(!answer.text.contains(WORD), "a password never comes out");
    let vera = answer.expect(201);
    assert_eq!(vera["name"], "vera");
    assert_eq!(vera["roles"], json!(["viewer"]));
    assert_eq!(vera.get("password"), None);
    let page = admin.get(PATH).await.expect(200);
    assert_eq!(fields(&page, "name"), ["admin", "vera"]);
    let one = format!("{PATH}/{}", id(&vera));
    assert_eq!(admin.get(&one).await.expect(200)["name"], "vera");

    let viewer = client(&manager, "vera").await;
    viewer.get("/v1/platforms").await.expect(200);
    let new_platform = json!({"name": "p", "type": "t"});
    viewer
        .post("/v1/platforms", &new_platform)
        .await
        .refused(403, "Forbidden");
    // A new role counts from the next token on at the latest.
    let change = json!({"roles": ["viewer", "admin"]});
    let changed = admin.patch(&one, &change).await.expect(200);
    assert_eq!(changed["roles"], json!(["viewer", "admin"]));
    let promoted = client(&manager, "vera").await;
    promoted
        .post("/v1/platforms", &new_platform)
        .await
        .expect(201);

    // Another password ends what was opened with the old one.
    let tokens = login::password(&manager.url(), "vera", WORD)
        .await
        .expect(200);
    let change = json!({"password": "another long password"});
    admin.patch(&one, &change).await.expect(200);
    login::password(&manager.url(), "vera", WORD)
        .await
        .expect(400);
    let refresh = tokens["refresh_token"].as_str().unwrap();
    let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh)];
    login::grant(&manager.url(), &fields).await.expect(400);
    login::access_token(&manager.url(), "vera", "another long password").await;
    assert_eq!(admin.delete(&one).await.status, 200);
    admin.get(&one).await.refused(404, "NotFound");
    admin.delete(&one).await.refused(404, "NotFound");
}

async fn what_is_wrong_with_a_user_is_said(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    for body in [
        json!({}),
        json!({"name": "", "password": WORD, "roles": ["viewer"]}),
        json!({"name": "x", "password": "", "roles": ["viewer"]}),
        json!({"name": "x", "password": WORD, "roles": ["emperor"]}),
        json!({"name": "x", "password": WORD, "roles": "viewer"}),
        json!({"name": "two\nlines", "password": WORD, "roles": []}),
    ] {
        let answer = admin.post(PATH, &body).await;
        assert_eq!(answer.status, 400, "{body}: {answer:#?}");
        assert!(!answer.text.contains(WORD), "{answer:#?}");
    }
    let taken = json!({"name": "admin", "password": WORD, "roles": ["admin"]});
    admin.post(PATH, &taken).await.refused(409, "Conflict");
    admin
        .get(&format!("{PATH}/nobody"))
        .await
        .refused(404, "NotFound");
}

async fn roles_are_what_they_say(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    for (name, roles) in [
        ("viewer", json!(["viewer"])),
        ("developer", json!(["developer"])),
        ("purger", json!(["purge"])),
        ("nothing", json!([])),
    ] {
        let body = json!({"name": name, "password": WORD, "roles": roles});
        admin.post(PATH, &body).await.expect(201);
    }
    let platform = json!({"name": "p", "type": "t"});
    for (name, reads) in [
        ("viewer", 200),
        ("developer", 200),
        ("purger", 403),
        ("nothing", 403),
    ] {
        let client = client(&manager, name).await;
        let read = client.get("/v1/platforms").await;
        assert_eq!(read.status, reads, "{name}: {read:#?}");
        let told = client
            .post("/v1/platforms", &platform)
            .await
            .refused(403, "Forbidden");
        assert!(told.contains("admin"), "who could: {told}");
        client.get(PATH).await.refused(403, "Forbidden");
        client.get("/v1/config").await.refused(403, "Forbidden");
    }
}

async fn a_removed_user_is_out(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let url = manager.url();
    let body = json!({"name": "vera", "password": WORD, "roles": ["viewer"]});
    let vera = admin.post(PATH, &body).await.expect(201);
    let tokens = login::password(&url, "vera", WORD).await.expect(200);
    admin
        .delete(&format!("{PATH}/{}", id(&vera)))
        .await
        .expect(200);
    login::password(&url, "vera", WORD).await.expect(400);
    let refresh = tokens["refresh_token"].as_str().unwrap();
    let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh)];
    login::grant(&url, &fields).await.expect(400);
    // What was issued before ends soon as well; a token that is believed is not looked up for a moment.
    let vera = Client::bearer(&url, tokens["access_token"].as_str().unwrap());
    within(
        Duration::from_secs(60),
        "its token is refused",
        async || (vera.get("/v1/platforms").await.status == 401).then_some(()),
    )
    .await;
}

async fn a_demoted_user_must_log_in_anew(engine: Engine) {
    let manager = Manager::start(engine).await;
    let admin = manager.admin();
    let body = json!({"name": "vera", "password": WORD, "roles": ["admin"]});
    let vera = admin.post(PATH, &body).await.expect(201);
    let before = client(&manager, "vera").await;
    before.get(PATH).await.expect(200);
    let path = format!("{PATH}/{}", id(&vera));
    admin
        .patch(&path, &json!({"roles": ["viewer"]}))
        .await
        .expect(200);
    within(
        Duration::from_secs(60),
        "the old token is refused",
        async || (before.get(PATH).await.status == 401).then_some(()),
    )
    .await;
    let after = client(&manager, "vera").await;
    after.get("/v1/platforms").await.expect(200);
    after.get(PATH).await.refused(403, "Forbidden");
}
