//! What a door shows is what the registry says at that moment, on the replica where it was changed.

use super::registry::{admin, basic, catalog, change, hide, label, offer, plans, register, show};
use crate::identity::world::{World, on_both};
use qm_lifecycle::broker::{self, BrokerChange};
use qm_lifecycle::visibility::{self, VisibilityChange};
use qm_lifecycle::{Mode, door, platform};
use qm_model::Ctx;
use qm_testkit::hostile::{HostileBroker, SYNC_PLAN, standard_catalog, without_plan};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

on_both!(
    a_visibility_is_seen_at_once,
    a_broker_is_seen_as_it_is_now,
    a_platform_that_takes_a_former_ones_id_sees_nothing_of_it,
    a_catalog_has_the_managers_ids_and_is_made_once,
    no_load_leaves_what_a_change_has_outdated,
);

async fn login(world: &World, id: &str) -> Ctx {
    let pair = register(&world.deeds, id).await;
    basic(&world.deeds, &pair).await.unwrap()
}

async fn a_visibility_is_seen_at_once(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    offer(&world, "c", &host).await;
    let (b, c) = (plans(&world, "b").await, plans(&world, "c").await);
    let (k, l) = (login(&world, "k").await, login(&world, "l").await);
    let sees = async |ctx: &Ctx, broker: &str| catalog(deeds, ctx, broker).await.unwrap();
    let none: [&str; 0] = [];
    assert_eq!(sees(&k, "b").await, none);
    assert_eq!(sees(&k, "c").await, none);
    let shown = show(deeds, &b[0], Some("k")).await;
    assert_eq!(sees(&k, "b").await, ["sync"]);
    assert_eq!(sees(&l, "b").await, none);
    // To another plan of another broker: both views change.
    let moved = VisibilityChange {
        plan_id: Some(c[1].clone()),
        ..VisibilityChange::default()
    };
    visibility::update(deeds, &admin(), &shown, moved)
        .await
        .unwrap();
    assert_eq!(sees(&k, "b").await, none);
    assert_eq!(sees(&k, "c").await, ["async"]);
    hide(deeds, &shown).await;
    assert_eq!(sees(&k, "c").await, none);
    let public = show(deeds, &c[0], None).await;
    assert_eq!(sees(&k, "c").await, ["sync"]);
    assert_eq!(sees(&l, "c").await, ["sync"]);
    hide(deeds, &public).await;
    assert_eq!(sees(&l, "c").await, none);
}

async fn a_broker_is_seen_as_it_is_now(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    let k = login(&world, "k").await;
    assert_eq!(catalog(deeds, &k, "b").await, None);
    offer(&world, "b", &host).await;
    for plan in plans(&world, "b").await {
        show(deeds, &plan, None).await;
    }
    let both = || Some(vec!["sync".to_owned(), "async".to_owned()]);
    assert_eq!(catalog(deeds, &k, "b").await, both());
    // The broker takes a plan away.
    host.set_catalog(without_plan(&standard_catalog(), SYNC_PLAN));
    let changed = BrokerChange::default();
    broker::update(deeds, &admin(), "b", changed, Mode::Sync)
        .await
        .unwrap();
    assert_eq!(
        catalog(deeds, &k, "b").await,
        Some(vec!["async".to_owned()])
    );
    // The broker becomes another tenant's.
    let owned = BrokerChange {
        labels: vec![label("tenant", "theirs")],
        ..BrokerChange::default()
    };
    let change_ = qm_lifecycle::platform::PlatformChange {
        labels: vec![label("tenant", "ours")],
        ..Default::default()
    };
    change(deeds, "k", change_).await;
    let pair = super::registry::rotate(deeds, "k").await;
    let k = basic(deeds, &pair).await.unwrap();
    assert!(catalog(deeds, &k, "b").await.is_some());
    broker::update(deeds, &admin(), "b", owned, Mode::Sync)
        .await
        .unwrap();
    assert_eq!(catalog(deeds, &k, "b").await, None);
    broker::remove(deeds, &admin(), "b").await.unwrap();
    let system = Ctx::system("test", String::new());
    assert_eq!(catalog(deeds, &system, "b").await, None);
    assert_eq!(catalog(deeds, &system, "no id:/").await, None);
}

async fn a_platform_that_takes_a_former_ones_id_sees_nothing_of_it(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    let k = login(&world, "k").await;
    show(deeds, &plans(&world, "b").await[0], Some("k")).await;
    assert_eq!(catalog(deeds, &k, "b").await.unwrap(), ["sync"]);
    platform::remove(deeds, &admin(), "k").await.unwrap();
    let k = login(&world, "k").await;
    assert!(catalog(deeds, &k, "b").await.unwrap().is_empty());
}

async fn a_catalog_has_the_managers_ids_and_is_made_once(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    let plans = plans(&world, "b").await;
    for plan in &plans {
        show(deeds, plan, None).await;
    }
    let (k, l) = (login(&world, "k").await, login(&world, "l").await);
    let first = door::catalog(deeds, &k, "b").await.unwrap();
    let other = door::catalog(deeds, &l, "b").await.unwrap();
    assert!(Arc::ptr_eq(&first, &other));
    assert!(first.etag.starts_with('"') && first.etag.ends_with('"') && first.etag.len() > 10);
    let mut shown: Value = serde_json::from_slice(&first.bytes).unwrap();
    let mut theirs = serde_json::to_value(standard_catalog()).unwrap();
    let service = &mut shown["services"][0];
    assert!(service["metadata"]["sm_offering_id"].is_string());
    service.as_object_mut().unwrap().remove("metadata");
    for (n, id) in plans.iter().enumerate() {
        let metadata = service["plans"][n]
            .as_object_mut()
            .unwrap()
            .remove("metadata");
        assert_eq!(metadata.unwrap(), json!({"sm_plan_id": id}));
    }
    // Nothing else is added or lost.
    let strip = |value: &mut Value| {
        for plan in value["services"][0]["plans"].as_array_mut().unwrap() {
            plan.as_object_mut().unwrap().remove("metadata");
        }
        value["services"][0]
            .as_object_mut()
            .unwrap()
            .remove("metadata");
    };
    strip(&mut theirs);
    assert_eq!(shown, theirs);
    // A new view of the same says the same.
    let change_ = BrokerChange {
        labels: vec![label("some", "thing")],
        ..BrokerChange::default()
    };
    broker::update(deeds, &admin(), "b", change_, Mode::Sync)
        .await
        .unwrap();
    let again = door::catalog(deeds, &k, "b").await.unwrap();
    assert!(!Arc::ptr_eq(&first, &again));
    assert_eq!(first, again);
}

/// Readers load all the time while a visibility comes and goes; after each change the next look must see it.
async fn no_load_leaves_what_a_change_has_outdated(world: World) {
    let deeds = &world.deeds;
    let host = HostileBroker::start().await.unwrap();
    offer(&world, "b", &host).await;
    let plan = plans(&world, "b").await.remove(0);
    let k = login(&world, "k").await;
    let done = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..4)
        .map(|_| {
            let (deeds, k, done) = (deeds.clone(), k.clone(), Arc::clone(&done));
            tokio::spawn(async move {
                while !done.load(Ordering::Relaxed) {
                    catalog(&deeds, &k, "b").await.unwrap();
                    tokio::task::yield_now().await;
                }
            })
        })
        .collect();
    for _ in 0..25 {
        let shown = show(deeds, &plan, Some("k")).await;
        assert_eq!(catalog(deeds, &k, "b").await.unwrap(), ["sync"]);
        hide(deeds, &shown).await;
        assert!(catalog(deeds, &k, "b").await.unwrap().is_empty());
    }
    done.store(true, Ordering::Relaxed);
    for reader in readers {
        reader.await.unwrap();
    }
}
