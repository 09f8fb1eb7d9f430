//! Tokens of the built-in issuer when the clock jumps: they expire by the clock, and a change of the account ends them
//! whatever the clock says.

use super::{Clock, DAY, watchful};
use crate::harness::{Client, Engine, answer::id, login, wait::within};
use serde_json::json;
use std::time::Duration;

on_both_engines!(
    tokens_expire_by_the_clock_and_logging_in_works,
    a_change_of_the_account_ends_tokens_from_the_future,
);

async fn tokens_expire_by_the_clock_and_logging_in_works(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    let manager = watchful(engine, &clock).start().await;
    let (url, password) = (manager.url(), manager.admin_password());
    let path = "/v1/platforms";
    let early = login::password(&url, "admin", &password).await.expect(200);
    let old = Client::bearer(&url, early["access_token"].as_str().unwrap());
    old.get(path).await.expect(200);

    clock.set(DAY).unwrap();
    let told = old.get(path).await.refused(401, "Unauthorized");
    assert!(told.contains("expired"), "{told}");
    let future = login::access_token(&url, "admin", &password).await;
    let future = Client::bearer(&url, &future);
    future.get(path).await.expect(200);
    // Whoever stayed logged in goes on: that lasts for a month.
    let refresh = early["refresh_token"].as_str().unwrap();
    let fields = [("grant_type", "refresh_token"), ("refresh_token", refresh)];
    let tokens = login::grant(&url, &fields).await.expect(200);
    let refreshed = Client::bearer(&url, tokens["access_token"].as_str().unwrap());
    refreshed.get(path).await.expect(200);

    // Set right: the first one is good again, and those of the day after are good until then.
    clock.set(0).unwrap();
    for client in [&old, &future, &refreshed] {
        client.get(path).await.expect(200);
    }
    // Set back to before the account was made.
    clock.set(-DAY).unwrap();
    for client in [&old, &future] {
        client.get(path).await.expect(200);
    }
    let past = login::access_token(&url, "admin", &password).await;
    Client::bearer(&url, &past).get(path).await.expect(200);
    clock.set(0).unwrap();
    let told = Client::bearer(&url, &past).get(path).await;
    let told = told.refused(401, "Unauthorized");
    assert!(told.contains("expired"), "{told}");
}

async fn a_change_of_the_account_ends_tokens_from_the_future(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    let manager = watchful(engine, &clock)
        .set("QM_IDENTITY_ACCESS_TOKEN_LIFETIME", "96h")
        .start()
        .await;
    let (admin, url) = (manager.admin(), manager.url());
    let word = "correct horse battery";
    let body = json!({"name": "vera", "password": word, "roles": ["viewer"]});
    let vera = admin.post("/v1/users", &body).await.expect(201);
    clock.set(DAY).unwrap();
    let token = login::access_token(&url, "vera", word).await;
    let stolen = Client::bearer(&url, &token);
    stolen.get("/v1/platforms").await.expect(200);
    clock.set(0).unwrap();
    stolen.get("/v1/platforms").await.expect(200);
    let path = format!("/v1/users/{}", id(&vera));
    let change = json!({"password": "another long password"});
    admin.patch(&path, &change).await.expect(200);
    // By the clock the token is younger than the change. It is believed for half a minute at most.
    let refused = async || (stolen.get("/v1/platforms").await.status == 401).then_some(());
    within(Duration::from_secs(180), "its token is refused", refused).await;
    let token = login::access_token(&url, "vera", "another long password").await;
    let fresh = Client::bearer(&url, &token);
    fresh.get("/v1/platforms").await.expect(200);
}
