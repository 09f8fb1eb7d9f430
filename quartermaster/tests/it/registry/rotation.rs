//! New credentials for a platform, without a moment in which none is valid.

use crate::harness::wait::within;
use crate::harness::{Engine, Manager, Platform, Refused, Socket, eventually};
use serde_json::{Value, json};
use std::time::Duration;

on_both_engines!(
    both_pairs_are_valid_until_the_new_one_listens,
    a_pair_that_never_listened_is_replaced,
    the_old_pair_does_not_activate_the_new_one,
    a_stream_of_the_old_pair_ends_when_the_new_one_is_in_use,
    a_pair_is_rotated_while_its_platform_logs_in,
);

async fn rotate(manager: &Manager, platform: &Platform) -> Platform {
    let path = format!("/v1/platforms/{}?regenerateCredentials=true", platform.id);
    // The literal `null` is what smctl sends.
    let rotated = manager.admin().patch(&path, &Value::Null).await.expect(200);
    Platform::of(&manager.url(), &rotated)
}

/// Connects once with this pair, and waits until that has been written down.
async fn listen(manager: &Manager, platform: &Platform) {
    platform.connect(None).await.close().await;
    let sql = format!(
        "SELECT 1 FROM platform WHERE id = '{}' AND username = '{}' AND credentials_active",
        platform.id, platform.user
    );
    eventually("the pair is in use", async || {
        (!manager.sql(&sql).is_empty()).then_some(())
    })
    .await;
}

async fn allowed(platform: &Platform) -> bool {
    match platform.client().get("/v1/visibilities").await.status {
        200 => true,
        401 => false,
        other => panic!("{other}"),
    }
}

async fn both_pairs_are_valid_until_the_new_one_listens(engine: Engine) {
    let manager = Manager::start(engine).await;
    let old = Platform::register(&manager, "cf", "cloudfoundry").await;
    listen(&manager, &old).await;

    let new = rotate(&manager, &old).await;
    assert_eq!(new.id, old.id);
    assert_ne!((&new.user, &new.password), (&old.user, &old.password));
    assert!(allowed(&old).await && allowed(&new).await);
    // Reading with the new pair changes nothing; listening with it does.
    assert!(allowed(&old).await);
    let stream = new.connect(None).await;
    eventually("the old pair is gone", async || {
        (!allowed(&old).await).then_some(())
    })
    .await;
    assert!(allowed(&new).await);
    let refused = old.try_connect(None, &[]).await.err();
    assert_eq!(refused.map(|refused: Refused| refused.status), Some(401));
    stream.close().await;

    // Other bodies work too, and a change goes with it.
    let path = format!("/v1/platforms/{}?regenerateCredentials=true", old.id);
    let body = json!({"description": "renewed"});
    let third = manager.admin().patch(&path, &body).await.expect(200);
    assert_eq!(third["description"], "renewed");
    let third = Platform::of(&manager.url(), &third);
    assert!(allowed(&third).await && allowed(&new).await);
    let path = format!("/v1/platforms/{}?regenerateCredentials=false", old.id);
    let same = manager.admin().patch(&path, &json!({})).await.expect(200);
    assert_eq!(same.get("credentials"), None);
}

async fn a_pair_that_never_listened_is_replaced(engine: Engine) {
    let manager = Manager::start(engine).await;
    let first = Platform::register(&manager, "cf", "cloudfoundry").await;
    let second = rotate(&manager, &first).await;
    assert!(!allowed(&first).await, "it was never used on the stream");
    assert!(allowed(&second).await);

    // An active pair outlives two rotations in a row: only the unused one between is lost.
    listen(&manager, &second).await;
    let third = rotate(&manager, &second).await;
    let fourth = rotate(&manager, &second).await;
    assert!(allowed(&second).await);
    assert!(!allowed(&third).await);
    assert!(allowed(&fourth).await);
}

async fn the_old_pair_does_not_activate_the_new_one(engine: Engine) {
    let manager = Manager::start(engine).await;
    let old = Platform::register(&manager, "cf", "cloudfoundry").await;
    listen(&manager, &old).await;
    let new = rotate(&manager, &old).await;
    let stream: Socket = old.connect(None).await;
    assert!(allowed(&old).await && allowed(&new).await);
    stream.close().await;
    listen(&manager, &new).await;
    assert!(!allowed(&old).await);
}

async fn a_stream_of_the_old_pair_ends_when_the_new_one_is_in_use(engine: Engine) {
    let manager = Manager::start(engine).await;
    let old = Platform::register(&manager, "cf", "cloudfoundry").await;
    listen(&manager, &old).await;
    let mut stream: Socket = old.connect(None).await;
    let new = rotate(&manager, &old).await;
    // Both are valid, so the stream stays; asked more than once, because not every ping asks.
    for _ in 0..3 {
        stream.ping(b"old").await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let mut other = new.connect(None).await;
    other.ping(b"new").await;
    let code = within(
        Duration::from_secs(180),
        "the old stream ends",
        async || stream.ping_or_end(b"old").await,
    )
    .await;
    assert_eq!(code, Some(1008));
    for _ in 0..3 {
        other.ping(b"new").await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    let metrics = manager.anybody().get("/metrics").await.text;
    assert!(
        metrics.contains(r#"qm_stream_cut_total{reason="lost"} 1"#),
        "{metrics}"
    );
}

/// The pair is rotated somewhere between the login of a platform and its first sign of life: nobody is locked out.
async fn a_pair_is_rotated_while_its_platform_logs_in(engine: Engine) {
    let manager = Manager::start(engine).await;
    for round in 0..24 {
        let old = Platform::register(&manager, &format!("cf-{round}"), "cloudfoundry").await;
        // Half of them have listened before; of those the old pair must stay valid until the new one listens.
        let used = round % 2 == 0;
        if used {
            listen(&manager, &old).await;
        }
        let (new, stream) = tokio::join!(rotate(&manager, &old), async {
            // At another moment of the rotation each time.
            for _ in 0..round {
                tokio::task::yield_now().await;
            }
            old.try_connect(None, &[]).await
        });
        assert!(
            allowed(&new).await,
            "round {round}: the new pair is refused"
        );
        match &stream {
            Ok(_) => {}
            Err(refused) => {
                assert!(!used, "round {round}: {refused:?}");
                assert_eq!(refused.status, 401);
            }
        }
        if used {
            assert!(
                allowed(&old).await,
                "round {round}: the old pair was in use"
            );
        }
        // Whatever the order was: with the new pair listening, it is the only one.
        listen(&manager, &new).await;
        assert!(allowed(&new).await);
        eventually("the old pair is gone", async || {
            (!allowed(&old).await).then_some(())
        })
        .await;
    }
}
