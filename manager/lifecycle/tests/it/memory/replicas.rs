//! Two managers on one PostgreSQL: what one changes the other has forgotten after its next look at the outbox.

use super::registry::{
    admin, basic, catalog, change, door, hide, offer, own, plans, put, register, rotate, show,
    suspend,
};
use crate::identity::world::{World, on};
use qm_lifecycle::{Lifecycle, broker, credential, platform, views};
use qm_model::Caller;
use qm_store::outbox;
use qm_testkit::hostile::HostileBroker;
use std::time::Duration;

on!(postgres:
    the_other_sees_what_is_visible_now,
    the_other_lets_in_whom_it_should_now,
    the_other_forgets_what_is_gone,
    who_missed_rows_forgets_everything,
    the_first_look_forgets_everything
);

/// The stream of some replica gives numbers, and the task of this one looks.
async fn look(world: &World, deeds: &Lifecycle) {
    outbox::sequence(&world.store).await.unwrap();
    views::follow(deeds).await.unwrap();
}

async fn the_other_sees_what_is_visible_now(world: World) {
    let (one, other) = (&world.deeds, &world.replica().await);
    look(&world, other).await;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    let plan = plans(&world, "b").await.remove(0);
    let k = basic(one, &register(one, "k").await).await.unwrap();
    assert!(catalog(other, &k, "b").await.unwrap().is_empty());
    let shown = show(one, &plan, Some("k")).await;
    assert_eq!(catalog(one, &k, "b").await.unwrap(), ["sync"]);
    assert!(
        catalog(other, &k, "b").await.unwrap().is_empty(),
        "it remembers"
    );
    look(&world, other).await;
    assert_eq!(catalog(other, &k, "b").await.unwrap(), ["sync"]);
    hide(one, &shown).await;
    look(&world, other).await;
    assert!(catalog(other, &k, "b").await.unwrap().is_empty());
    // Nobody is told of labels of a plan, and yet the view is another.
    let before = qm_lifecycle::door::catalog(other, &k, "b").await.unwrap();
    let labels = vec![super::registry::label("a", "b")];
    let labelled = qm_lifecycle::catalog::label_plan(one, &admin(), &plan, labels).await;
    labelled.unwrap();
    look(&world, other).await;
    let after = qm_lifecycle::door::catalog(other, &k, "b").await.unwrap();
    assert!(!std::sync::Arc::ptr_eq(&before, &after));
}

async fn the_other_lets_in_whom_it_should_now(world: World) {
    let (one, other) = (&world.deeds, &world.replica().await);
    look(&world, other).await;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    let first = register(one, "k").await;
    let k = basic(one, &first).await.unwrap();
    platform::connected(one, &k, None).await.unwrap();
    let id = put(one, &k, "b", "one", "first").await;
    credential::activate(one, &k, &id).await.unwrap();
    look(&world, other).await;
    assert!(basic(other, &first).await.is_some());
    assert!(door(other, "b", "one", "first").await.is_some());

    let second = rotate(one, "k").await;
    let new = basic(one, &second).await.unwrap();
    platform::connected(one, &new, None).await.unwrap();
    put(one, &k, "b", "two", "second").await;
    credential::activate(one, &k, &id).await.unwrap();
    look(&world, other).await;
    assert!(basic(other, &first).await.is_none());
    assert!(own(other, "b", &first).await.is_none());
    assert!(door(other, "b", "one", "first").await.is_none());
    assert!(basic(other, &second).await.is_some());
    assert!(door(other, "b", "two", "second").await.is_some());

    let suspended = async || match door(other, "b", "two", "second").await.unwrap().caller {
        Caller::Platform(platform) => platform.suspended,
        other => panic!("{other:?}"),
    };
    assert!(!suspended().await);
    change(one, "k", suspend(true)).await;
    look(&world, other).await;
    assert!(suspended().await);
}

async fn the_other_forgets_what_is_gone(world: World) {
    let (one, other) = (&world.deeds, &world.replica().await);
    look(&world, other).await;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    offer(&world, "c", &host).await;
    let pair = register(one, "k").await;
    let k = basic(one, &pair).await.unwrap();
    for broker in ["b", "c"] {
        put(one, &k, broker, "user", "password").await;
        assert!(door(other, broker, "user", "password").await.is_some());
        assert!(catalog(other, &k, broker).await.is_some());
    }
    broker::remove(one, &admin(), "b").await.unwrap();
    look(&world, other).await;
    assert!(door(other, "b", "user", "password").await.is_none());
    assert!(catalog(other, &k, "b").await.is_none());
    assert!(door(other, "c", "user", "password").await.is_some());
    assert!(basic(other, &pair).await.is_some());
    platform::remove(one, &admin(), "k").await.unwrap();
    look(&world, other).await;
    assert!(door(other, "c", "user", "password").await.is_none());
    assert!(basic(other, &pair).await.is_none());
}

async fn who_missed_rows_forgets_everything(world: World) {
    let (one, other) = (&world.deeds, &world.replica().await);
    let pair = register(one, "k").await;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    let plan = plans(&world, "b").await.remove(0);
    look(&world, other).await;
    let k = basic(other, &pair).await.unwrap();
    assert!(catalog(other, &k, "b").await.unwrap().is_empty());
    show(one, &plan, Some("k")).await;
    platform::remove(one, &admin(), "k").await.unwrap();
    // It was away for so long that everything was trimmed.
    outbox::sequence(&world.store).await.unwrap();
    let later = world.clock.now().plus(Duration::from_secs(1));
    assert!(
        outbox::trim(&world.store, later, None)
            .await
            .unwrap()
            .removed
            > 0
    );
    assert!(basic(other, &pair).await.is_some(), "it remembers");
    look(&world, other).await;
    assert!(basic(other, &pair).await.is_none());
}

async fn the_first_look_forgets_everything(world: World) {
    let (one, other) = (&world.deeds, &world.replica().await);
    let pair = register(one, "k").await;
    assert!(basic(other, &pair).await.is_some());
    platform::remove(one, &admin(), "k").await.unwrap();
    assert!(basic(other, &pair).await.is_some(), "it has not looked yet");
    look(&world, other).await;
    assert!(basic(other, &pair).await.is_none());
}
