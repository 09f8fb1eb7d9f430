//! An OpenID Connect issuer that is not there at the start, comes, goes, and changes its keys.

mod fake;

use crate::harness::{Answer, Client, Engine, Manager, eventually};
use fake::Issuer;
use serde_json::json;

const OURS: &str = "/v1/platforms";

async fn manager(issuer: &Issuer) -> Manager {
    // The first start is without it, because the harness logs in where `/v1/info` says.
    let mut manager = Manager::start(Engine::Sqlite).await;
    let block = json!([{"url": issuer.url(), "audience": "quartermaster"}]);
    let settings = [
        ("QM_IDENTITY_ISSUERS", block.to_string()),
        ("QM_IDENTITY_BUILTIN", "on".to_owned()),
    ];
    let settings: Vec<_> = settings
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    manager.restart_with(&settings).await;
    manager
}

async fn ask(manager: &Manager, token: &str) -> Answer {
    Client::bearer(&manager.url(), token).get(OURS).await
}

#[tokio::test]
async fn an_issuer_that_is_away_at_the_start_and_later() {
    let mut issuer = Issuer::away();
    let manager = manager(&issuer).await;
    let token = issuer.token("key-1", "admin");
    // Not the caller's fault, so not 401; and the built-in issuer's people are not touched by it.
    let away = ask(&manager, &token).await;
    assert_eq!(away.status, 503, "{away:?}");
    manager.admin().get(OURS).await.expect(200);

    issuer.come(&["key-1"]).await;
    eventually("the issuer is there, and its tokens count", async || {
        let answer = ask(&manager, &token).await;
        assert!([200, 503].contains(&answer.status), "{answer:?}");
        (answer.status == 200).then_some(())
    })
    .await;
    // A token that it did not sign stays outside, and one without the role may not.
    let forged = Issuer::away().token("key-1", "admin");
    ask(&manager, &forged).await.refused(401, "Unauthorized");
    let viewer = issuer.token("key-1", "viewer");
    let client = Client::bearer(&manager.url(), &viewer);
    client.get(OURS).await.expect(200);
    client
        .post(OURS, &json!({"name": "x", "type": "cloudfoundry"}))
        .await
        .expect(403);

    // Away again: whoever it has vouched for with known keys goes on, new tokens of it as well.
    issuer.go().await;
    ask(&manager, &token).await.expect(200);
    ask(&manager, &issuer.token("key-1", "developer"))
        .await
        .expect(200);
    // A key that nobody knows cannot be judged while it is away. It is not asked at once: it was a moment ago.
    let unknown = issuer.token("key-2", "admin");
    eventually("it is said that the issuer is away", async || {
        let answer = ask(&manager, &unknown).await;
        assert!([401, 503].contains(&answer.status), "{answer:?}");
        (answer.status == 503).then_some(())
    })
    .await;
    ask(&manager, &token).await.expect(200);
}

#[tokio::test]
async fn new_keys_are_fetched_once() {
    let mut issuer = Issuer::away();
    issuer.come(&["key-1"]).await;
    let manager = manager(&issuer).await;
    ask(&manager, &issuer.token("key-1", "admin"))
        .await
        .expect(200);
    let before = issuer.key_fetches();

    // Rotated: the first token with the new key makes the manager ask; of many at once, once.
    issuer.go().await;
    issuer.come(&["key-2"]).await;
    let tokens: Vec<String> = (0..10).map(|_| issuer.token("key-2", "admin")).collect();
    eventually("the new key counts", async || {
        // It is left alone for a while after it was asked because of a key that nobody knew.
        (ask(&manager, &tokens[0]).await.status == 200).then_some(())
    })
    .await;
    let calls = tokens.iter().map(|token| ask(&manager, token));
    for answer in futures_util::future::join_all(calls).await {
        answer.expect(200);
    }
    assert_eq!(
        issuer.key_fetches(),
        before + 1,
        "one refresh for the new key"
    );

    // Keys that nobody has do not make it ask again and again.
    for n in 0..20 {
        let made_up = issuer.token(&format!("made-up-{n}"), "admin");
        ask(&manager, &made_up).await.refused(401, "Unauthorized");
    }
    let fetched = issuer.key_fetches() - before;
    assert!(fetched <= 3, "made-up keys caused {fetched} fetches");
}
