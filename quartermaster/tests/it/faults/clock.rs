//! The clock of a running manager is set forward and back by a day, in the middle of what it does. Only the date
//! jumps; time spans go on, as on any machine whose date is set.
//!
//! What happens, and what the tests hold:
//!
//! | | forward by a day | back by a day |
//! |---|---|---|
//! | deeds under way | go on | go on |
//! | work of a dead process | taken up | taken up |
//! | tokens | expire, a new login works | are good for a day longer, a new login works |
//! | connected platforms | stay, miss nothing, may show as inactive until their next sign of life | stay, miss nothing |
//! | catalogs | are looked at as before | are looked at as before |
//! | what is kept for a time | goes a day earlier | goes a day later |

mod leases;
mod load;
mod presence;
mod retention;
mod steady;
mod tokens;

use crate::harness::{Client, Engine, Setup, eventually, query};
use qm_testkit::clock::Clock;

const DAY: i64 = 86_400;

/// Forward, right again, back, right again.
const JUMPS: [i64; 4] = [DAY, 0, -DAY, 0];

/// A manager by this clock that looks for work and old things all the time, and says what it takes up.
fn watchful(engine: Engine, clock: &Clock) -> Setup {
    Setup::new(engine)
        .clock(clock)
        .set("QM_LOG_LEVEL", "info,qm_tasks=debug")
        .set("QM_OPERATIONS_LEASE", "2s")
        .set("QM_OPERATIONS_POLL_INTERVAL", "50ms")
        .set("QM_OPERATIONS_CLEANUP_INTERVAL", "100ms")
        .set("QM_NOTIFICATIONS_CLEAN_INTERVAL", "100ms")
        .set("QM_METRICS_INTERVAL", "100ms")
}

/// With a token that outlives all jumps.
fn long_lived(setup: Setup) -> Setup {
    setup
        .set("QM_IDENTITY_ACCESS_TOKEN_LIFETIME", "96h")
        .set("QM_NOTIFICATIONS_KEEP_FOR", "96h")
}

/// What a manager writes when it goes on with an operation that it finds left behind.
const TAKES_UP: &str = "taking up an operation";

/// Waits until nothing is under way.
async fn all_ended(admin: &Client) {
    let criterion = "state in ('pending','in progress')";
    let path = query("/v1/operations", &[("fieldQuery", criterion)]);
    eventually("all operations have ended", async || {
        let page = admin.get(&path).await.expect(200);
        (page["num_items"] == 0).then_some(())
    })
    .await;
}
