//! Platforms that were connected to a manager that was killed: nobody has said that they left.

use crate::harness::{Client, Engine, Platform, Setup, eventually, query};
use qm_testkit::clock::Clock;

on_both_engines!(a_platform_of_a_killed_manager_does_not_stay_active);

/// More than the silence after which a platform is taken for gone.
const LATER: i64 = 200;

async fn a_platform_of_a_killed_manager_does_not_stay_active(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    let mut manager = Setup::new(engine)
        .clock(&clock)
        .set("QM_METRICS_INTERVAL", "50ms")
        .start()
        .await;
    let admin = manager.admin();
    let gone = Platform::register(&manager, "gone", "cloudfoundry").await;
    let back = Platform::register(&manager, "back", "kubernetes").await;
    let sockets = [gone.connect(None).await, back.connect(None).await];
    for platform in [&gone, &back] {
        eventually("it is active", async || {
            active(&admin, platform, true).await
        })
        .await;
    }
    manager.kill9();
    drop(sockets);
    manager.restart().await;
    // It comes back before anybody has noticed that it was away.
    let _socket = back.connect(None).await;
    for platform in [&gone, &back] {
        let same = active(&admin, platform, true).await;
        same.expect("a short break is no reason to call a platform gone");
    }
    clock.set(LATER).unwrap();
    eventually("it is known to be gone", async || {
        active(&admin, &gone, false).await
    })
    .await;
    // Whoever connects is active again.
    let _socket = gone.connect(None).await;
    eventually("it is active again", async || {
        active(&admin, &gone, true).await
    })
    .await;
}

async fn active(admin: &Client, platform: &Platform, wanted: bool) -> Option<()> {
    let criterion = format!("active eq true and id eq '{}'", platform.id);
    let path = query("/v1/platforms", &[("fieldQuery", &criterion)]);
    let found = admin.get(&path).await.expect(200);
    (found["num_items"] == i32::from(wanted)).then_some(())
}
