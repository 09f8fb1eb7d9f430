//! Whether a platform shows as connected, when the clock jumps.

use super::{Clock, DAY, long_lived, watchful};
use crate::harness::{Engine, Platform, query, wait::within};
use crate::model_platform::ModelPlatform;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

on_both_engines!(a_connected_platform_is_active_again_after_a_jump);

/// A sign of life is written every 30 s.
const PATIENCE: Duration = Duration::from_secs(180);

async fn a_connected_platform_is_active_again_after_a_jump(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    let manager = long_lived(watchful(engine, &clock))
        .set("QM_NOTIFICATIONS_PING_TIMEOUT", "5s")
        .start()
        .await;
    let admin = manager.admin();
    let platform = Platform::register(&manager, "cf", "cloudfoundry").await;
    let criterion = format!("active eq true and id eq '{}'", platform.id);
    let path = query("/v1/platforms", &[("fieldQuery", &criterion)]);
    let model = ModelPlatform::start(platform);
    model.connected().await;
    let active = async |wanted: bool| {
        let shown = admin.get(&path).await.expect(200);
        (shown["num_items"] == i32::from(wanted)).then_some(())
    };
    within(PATIENCE, "it is active", async || active(true).await).await;
    // Its last sign of life seems to be a day old, and it to be gone, until the next one. Half a day ahead only a sign
    // after the jump can lie.
    let ahead = format!(
        "SELECT 1 FROM platform WHERE active AND last_active > {}",
        now() + 1_000 * DAY / 2
    );
    clock.set(DAY).unwrap();
    within(PATIENCE, "there is a new sign of life", async || {
        (!manager.sql(&ahead).is_empty()).then_some(())
    })
    .await;
    active(true).await.expect("it is active again");
    // Set back, its last sign of life lies ahead; it stays active.
    clock.set(0).unwrap();
    active(true).await.expect("it is still connected");
    assert_eq!((model.connections(), model.resyncs()), (1, 1));
}

/// Milliseconds since 1970 by the machine's clock.
fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(now.as_millis()).unwrap()
}
