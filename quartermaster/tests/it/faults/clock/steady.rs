//! Looks at catalogs go on at their pace through all jumps, and after a restart with another date.

use super::{Clock, DAY, JUMPS, long_lived, watchful};
use crate::faults::catalogs;
use crate::harness::brokers::{broker_with, read, register};
use crate::harness::brokers::{offering, plan};
use crate::harness::{Engine, answer::id, eventually, query};
use quartermaster_osb::Verb;
use serde_json::json;

on_both_engines!(catalogs_are_looked_at_through_all_jumps);

async fn catalogs_are_looked_at_through_all_jumps(engine: Engine) {
    let Some(clock) = Clock::new() else { return };
    let mut manager = long_lived(watchful(engine, &clock))
        .set("QM_BROKERS_REFRESH_INTERVAL", "300ms")
        .start()
        .await;
    let admin = manager.admin();
    let host = broker_with(&catalogs::steady("b", 1)).await;
    let registered = register(&admin, "b", &host).await;
    let criterion = format!("broker_id eq '{}'", id(&registered));
    let offerings = query("/v1/service_offerings", &[("fieldQuery", &criterion)]);
    let restarts = [(DAY, true), (0, true), (-DAY, true), (0, true)];
    let jumps = JUMPS.map(|jump| (jump, false)).into_iter().chain(restarts);
    for (n, (jump, restart)) in jumps.enumerate() {
        if restart {
            manager.kill9();
        }
        clock.set(jump).unwrap();
        if restart {
            manager.restart().await;
        }
        // Two looks: the first may have been due before the jump.
        let before = host.calls_of(Verb::Catalog).len();
        host.wait_for(Verb::Catalog, before + 2).await.unwrap();
        // What they find is taken over.
        let name = format!("name-{n}");
        let catalog = json!({"services": [offering("b", &name, &[plan("b-p0", "p0")])]});
        host.set_catalog(read(&catalog));
        eventually("the new name is known", async || {
            let page = admin.get(&offerings).await.expect(200);
            (page["items"][0]["name"] == name.as_str()).then_some(())
        })
        .await;
    }
}
