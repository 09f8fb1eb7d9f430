//! The manager dies in the middle of a cascade, at each of its steps, and goes on afterwards.

use super::{PATIENCE, populate, start};
use crate::harness::wait::within;
use crate::harness::{Engine, Platform};
use crate::osb::world::World;
use http::Method;

on_both_engines!(a_cascade_outlives_its_manager);

/// Where it dies: after the root was stored, at the beginning of a turn, between two children, when nothing is left
/// below, when a node is handed to the engine, when it has ended; and in the calls that it makes.
const PLACES: [&str; 11] = [
    "cascade.begun",
    "cascade.turn",
    "cascade.turn:2",
    "cascade.child",
    "cascade.child:3",
    "cascade.bare",
    "cascade.queued",
    "cascade.ended",
    "unbind.launched",
    "unbind.called:2",
    "deprovision.outcome:2",
];

async fn a_cascade_outlives_its_manager(engine: Engine) {
    let mut world = start(engine).await;
    for (n, place) in PLACES.into_iter().enumerate() {
        let name = format!("p-{n}");
        world.platform = Platform::register(&world.manager, &name, "kubernetes").await;
        populate(&world, &format!("i-{n}"), 4).await;
        die(&mut world, place).await;
    }
}

async fn die(world: &mut World, place: &str) {
    let path = format!("/v1/platforms/{}", world.platform.id);
    let die = [("QUARTERMASTER_DIE_AT", place)];
    world.manager.restart_with(&die).await;
    let admin = world.manager.admin();
    let ask = format!("{path}?cascade=true");
    // It may die before it answers.
    let _ = admin
        .try_send(Method::DELETE, &ask, &[], String::new())
        .await;
    let ended = world.manager.process().wait().await;
    ended.unwrap_or_else(|error| panic!("{place}: it lives on: {error}"));
    let die = [("QUARTERMASTER_DIE_AT", "")];
    world.manager.restart_with(&die).await;
    let admin = world.manager.admin();
    let what = format!("{place}: the platform is gone");
    within(PATIENCE, &what, async || {
        (admin.get(&path).await.status == 404).then_some(())
    })
    .await;
    assert!(world.agree().await.is_empty(), "{place}");
    let failed = "SELECT resource_id || ' ' || description FROM operation WHERE state = 'failed'";
    assert_eq!(world.manager.sql(failed), Vec::<String>::new(), "{place}");
}
