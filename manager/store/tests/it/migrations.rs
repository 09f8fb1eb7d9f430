//! The schema goes down and up again, and a newer one is not touched.

use crate::engines::{World, on_both};
use crate::samples::{registry, visibilities};
use qm_db::Options;
use qm_store::migrations::{ALL, PART};
use qm_store::{Error, Store};

on_both!(down_and_up_again, a_newer_schema_is_left_alone);

async fn down_and_up_again(world: World) {
    registry(&world).await;
    visibilities(&world, &[("v", "b1-p1", None)]).await;
    world.store.close().await;
    world
        .beneath()
        .await
        .migrate_down(PART, ALL, 0)
        .await
        .unwrap();
    let gone = world
        .beneath()
        .await
        .query("SELECT 1 FROM broker", vec![])
        .await;
    assert!(gone.is_err());
    let again = Store::open(Options::parse(&world.address).unwrap(), world.keys.clone())
        .await
        .unwrap();
    again.close().await;
    assert_eq!(world.number("SELECT count(*) FROM broker").await, 0);
    assert_eq!(world.number("SELECT last FROM outbox").await, 0);
}

async fn a_newer_schema_is_left_alone(world: World) {
    let sql = "INSERT INTO schema_migration (part, version, name, checksum, applied_at)
               VALUES ('manager', 999, 'later', 'x', 0)";
    world.beneath().await.execute(sql, vec![]).await.unwrap();
    let refused = Store::open(Options::parse(&world.address).unwrap(), world.keys.clone())
        .await
        .unwrap_err();
    assert!(matches!(
        refused,
        Error::Database(qm_db::Error::NewerSchema { found: 999, .. })
    ));
}
