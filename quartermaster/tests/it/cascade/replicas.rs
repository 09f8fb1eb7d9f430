//! Two managers on one PostgreSQL. The one that began a cascade dies, and the other one goes on.

use super::{cascade, end, populate, start, succeeded};
use crate::harness::{Engine, eventually};
use qm_testkit::hostile::Fault;
use quartermaster_osb::Verb;

#[tokio::test]
async fn another_replica_goes_on() {
    if !Engine::Postgres.is_here().await {
        return;
    }
    let mut world = start(Engine::Postgres).await;
    populate(&world, "i", 60).await;
    let second = world.manager.replica().await;
    world.broker.on(Verb::Deprovision).then(Fault::slow(100));
    let path = format!("/v1/platforms/{}", world.platform.id);
    let location = cascade(&world.manager.admin(), &path).await.location();
    eventually("it is in the middle", async || {
        let called = world.broker.calls_of(Verb::Deprovision).len();
        (called > 5).then_some(())
    })
    .await;
    world.manager.kill9();
    let admin = second.admin();
    assert_eq!(
        admin.get(&location).await.expect(200)["state"],
        "in progress",
        "it was killed too late"
    );
    succeeded(&end(&admin, &location).await);
    admin.get(&path).await.refused(404, "NotFound");
    assert!(world.broker.instances().is_empty());
    let left = second.sql("SELECT count(*) FROM instance");
    assert_eq!(left, ["0"]);
    let open = second.sql("SELECT count(*) FROM operation WHERE phase <> 'done'");
    assert_eq!(open, ["0"]);
}
