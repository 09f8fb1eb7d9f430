//! What is kept for a time, when the clock jumps: it goes earlier by the jump and not by more, and whoever was away
//! meanwhile is told so.

use super::{Clock, DAY, watchful};
use crate::faults::catalogs;
use crate::harness::brokers::{broker_with, plan_named, register, show};
use crate::harness::{Engine, Manager, Platform, answer::id, eventually};
use crate::model_platform::ModelPlatform;
use serde_json::json;

on_both_engines!(
    events_go_earlier_by_the_jump_and_no_more,
    operations_go_earlier_by_the_jump_and_no_more
);

/// Longer than a day, shorter than two.
const KEPT: &str = "36h";
/// With this much more age a thing is too old one day after the jump.
const OLDER: i64 = 13 * 3_600_000;

fn number(manager: &Manager, sql: &str) -> i64 {
    manager.sql(sql)[0].parse().unwrap()
}

async fn events_go_earlier_by_the_jump_and_no_more(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    let manager = watchful(engine, &clock)
        .set("QM_NOTIFICATIONS_KEEP_FOR", KEPT)
        .set("QM_IDENTITY_ACCESS_TOKEN_LIFETIME", "96h")
        .start()
        .await;
    let admin = manager.admin();
    let host = broker_with(&catalogs::steady("b", 3)).await;
    let registered = register(&admin, "b", &host).await;
    let mut models = Vec::new();
    for name in ["awake", "asleep"] {
        let platform = Platform::register(&manager, name, "cloudfoundry").await;
        models.push(ModelPlatform::start(platform));
    }
    let [awake, asleep] = &models[..] else {
        unreachable!()
    };
    for plan in ["p0", "p1"] {
        let plan = plan_named(&admin, &registered, plan).await;
        show(&admin, &plan, None).await.expect(201);
        for model in &models {
            model.agrees("at first").await;
        }
    }
    asleep.sleep();
    let plan = plan_named(&admin, &registered, "p2").await;
    let shown = show(&admin, &plan, None).await.expect(201);
    awake.agrees("while the other one sleeps").await;

    // Up to the first that anybody was told, all are too old after a day: when they have gone, all have been looked at.
    // What is for nobody is among them, and more of it may come by itself; only what is there now is counted.
    let trimmed = "SELECT trimmed FROM outbox";
    let first = number(
        &manager,
        r#"SELECT min(revision) FROM event WHERE audience <> '{"only":[]}'"#,
    );
    let last = number(&manager, "SELECT max(revision) FROM event");
    let kept =
        format!("SELECT count(*) FROM event WHERE revision > {first} AND revision <= {last}");
    let before = number(&manager, &kept);
    manager.sql(&format!(
        "UPDATE event SET created_at = created_at - {OLDER} WHERE revision <= {first}"
    ));
    assert_eq!(number(&manager, trimmed), 0);
    clock.set(DAY).unwrap();
    eventually("the old one is gone", async || {
        (number(&manager, trimmed) > 0).then_some(())
    })
    .await;
    assert_eq!(
        number(&manager, trimmed),
        first,
        "only the old ones are gone"
    );
    assert_eq!(number(&manager, &kept), before);
    asleep.wake();
    asleep.agrees("after it slept for a day").await;
    assert_eq!(asleep.resyncs(), 1, "what it missed was still kept");

    // Another day: all are too old. Who is connected is not disturbed, who was away reads everything anew.
    asleep.sleep();
    let path = format!("/v1/visibilities/{}", id(&shown));
    let change = json!({"labels": [{"op": "add", "key": "k", "values": ["v"]}]});
    admin.patch(&path, &change).await.expect(200);
    awake.agrees("before the second day").await;
    let last = number(&manager, "SELECT max(revision) FROM event");
    let count = format!("SELECT count(*) FROM event WHERE revision <= {last}");
    clock.set(3 * DAY).unwrap();
    eventually("all are gone", async || {
        (number(&manager, &count) == 0).then_some(())
    })
    .await;
    asleep.wake();
    for model in &models {
        model.agrees("after everything was removed").await;
    }
    assert_eq!((awake.resyncs(), awake.connections()), (1, 1));
    assert_eq!(asleep.resyncs(), 2);

    // Set back: what is told now is young, and stays.
    clock.set(0).unwrap();
    admin.delete(&path).await.expect(200);
    for model in &models {
        model.agrees("after the clock was set right").await;
    }
    assert!(number(&manager, "SELECT count(*) FROM event") > 0);
    assert_eq!((awake.resyncs(), asleep.resyncs()), (1, 2));
}

async fn operations_go_earlier_by_the_jump_and_no_more(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    let manager = watchful(engine, &clock)
        .set("QM_OPERATIONS_LIFESPAN", KEPT)
        .set("QM_OPERATIONS_GONE_LIFESPAN", KEPT)
        .start()
        .await;
    let admin = manager.admin();
    let host = broker_with(&catalogs::steady("b", 1)).await;
    let mut removed = Vec::new();
    for name in ["old", "young"] {
        let made = register(&admin, name, &host).await;
        admin
            .delete(&format!("/v1/service_brokers/{}", id(&made)))
            .await
            .expect(200);
        removed.push(id(&made));
    }
    let [old, young] = &removed[..] else {
        unreachable!()
    };
    let living = id(&register(&admin, "living", &host).await);
    let records = |of: &str| {
        let sql = format!("SELECT count(*) FROM operation WHERE resource_id = '{of}'");
        number(&manager, &sql)
    };
    let kept = (records(old), records(young), records(&living));
    manager.sql(&format!(
        "UPDATE operation SET updated_at = updated_at - {OLDER} WHERE resource_id = '{old}'"
    ));
    assert_eq!((records(old), records(young), records(&living)), kept);
    clock.set(DAY).unwrap();
    eventually("the old ones are gone", async || {
        (records(old) == 0).then_some(())
    })
    .await;
    assert_eq!((records(young), records(&living)), (kept.1, kept.2));
    clock.set(2 * DAY).unwrap();
    eventually("the young ones are gone", async || {
        (records(young) == 0).then_some(())
    })
    .await;
    assert!(records(&living) > 0, "the last one of what lives stays");
}
