//! What a change touches: who watches hears it before the change returns, and who reads the outbox hears it as well.

use crate::engines::{World, change, on_both, read};
use crate::samples::{
    NOW, access, broker, event, offering, plan, platform, registry, visibilities,
};
use qm_model::credential::{Credential, Pair};
use qm_model::event::NewEvent;
use qm_model::id::{BrokerId, CredentialId, OfferingId, PlanId, PlatformId, VisibilityId};
use qm_model::{Labels, Secret, Time};
use qm_store::outbox::{self, touched_after};
use qm_store::platform::Secrets;
use qm_store::{
    Error, Touched, broker as brokers, catalog, credential, platform as platforms,
    visibility as visibilities_,
};
use serde_json::json;
use std::sync::{Arc, Mutex};

on_both!(
    brokers_and_their_catalogs,
    platforms_and_their_pairs,
    visibilities_of_the_brokers_plans,
    what_an_event_says_is_not_said_again,
    what_is_undone_touches_nothing,
    who_missed_a_row_is_told_so,
);

/// Hears by both ways.
struct Ears {
    world: World,
    heard: Arc<Mutex<Vec<Touched>>>,
    seen: i64,
}

impl Ears {
    async fn new(world: World) -> Self {
        registry(&world).await;
        visibilities(&world, &[("v1", "b1-p1", Some("k8s"))]).await;
        let heard: Arc<Mutex<Vec<Touched>>> = Arc::default();
        let hears = Arc::clone(&heard);
        world
            .store
            .watch(move |touched| hears.lock().unwrap().extend_from_slice(touched));
        let seen = outbox::sequence(&world.store).await.unwrap().unwrap_or(0);
        Self { world, heard, seen }
    }

    /// What was touched since the last question; both ways must say the same.
    async fn hear(&mut self) -> Vec<Touched> {
        let mut heard = std::mem::take(&mut *self.heard.lock().unwrap());
        let last = outbox::sequence(&self.world.store)
            .await
            .unwrap()
            .unwrap_or(0);
        let seen = std::mem::replace(&mut self.seen, last);
        let read = read!(self.world, [], tx => touched_after(tx, seen, last, 1_000).await);
        let mut read = read.unwrap().expect("no row is missing");
        for touched in [&mut heard, &mut read] {
            touched.sort();
            touched.dedup();
        }
        assert_eq!(heard, read);
        heard
    }
}

fn id(text: &str) -> BrokerId {
    BrokerId::new(text).unwrap()
}

fn view(broker: &str) -> Touched {
    Touched::View(id(broker))
}

async fn brokers_and_their_catalogs(world: World) {
    let mut ears = Ears::new(world).await;
    let world = &ears.world;
    let mut it = broker("new");
    let secret = access("x");
    change!(world, [it, secret], tx => brokers::insert(tx, &it, &secret).await).unwrap();
    assert_eq!(ears.hear().await, [], "nobody can know it yet");
    let world = &ears.world;
    it.description = "other".to_owned();
    change!(world, [it], tx => brokers::update(tx, &it, None).await).unwrap();
    assert_eq!(ears.hear().await, [view("new")]);
    let world = &ears.world;
    let (an_offering, a_plan) = (offering("new", "on"), plan("on", "pn"));
    change!(world, [an_offering], tx => catalog::put_offering(tx, &an_offering, &json!({})).await)
        .unwrap();
    assert_eq!(ears.hear().await, [view("new")]);
    let world = &ears.world;
    change!(world, [a_plan], tx => catalog::put_plan(tx, &a_plan, &json!({})).await).unwrap();
    assert_eq!(ears.hear().await, [view("new")]);
    let world = &ears.world;
    let (offering_id, plan_id) = (OfferingId::new("on").unwrap(), PlanId::new("pn").unwrap());
    change!(world, [offering_id], tx => catalog::label_offering(tx, &offering_id, &Labels::new(), NOW).await).unwrap();
    assert_eq!(ears.hear().await, [view("new")]);
    let world = &ears.world;
    change!(world, [plan_id], tx => catalog::label_plan(tx, &plan_id, &Labels::new(), NOW).await)
        .unwrap();
    assert_eq!(ears.hear().await, [view("new")]);
    let world = &ears.world;
    change!(world, [plan_id], tx => catalog::delete_plan(tx, &plan_id).await).unwrap();
    assert_eq!(ears.hear().await, [view("new")]);
    let world = &ears.world;
    change!(world, [offering_id], tx => catalog::delete_offering(tx, &offering_id).await).unwrap();
    assert_eq!(ears.hear().await, [view("new")]);
    let world = &ears.world;
    let gone = id("new");
    change!(world, [gone], tx => brokers::delete(tx, &gone).await).unwrap();
    assert_eq!(ears.hear().await, [Touched::Gone(id("new"))]);
    // How a look at the catalog went is nobody's concern.
    let world = &ears.world;
    let (b1, state) = (id("b1"), qm_model::broker::CatalogState::default());
    change!(world, [b1, state], tx => brokers::set_catalog_state(tx, &b1, &state).await).unwrap();
    assert_eq!(ears.hear().await, []);
}

async fn platforms_and_their_pairs(world: World) {
    let mut ears = Ears::new(world).await;
    let world = &ears.world;
    let k8s = PlatformId::new("k8s").unwrap();
    let touched = || Touched::Platform(PlatformId::new("k8s").unwrap());
    let it = platform("k8s");
    change!(world, [it], tx => platforms::update(tx, &it).await).unwrap();
    assert_eq!(ears.hear().await, [touched()]);
    let world = &ears.world;
    let secrets = Secrets {
        username: "user".to_owned(),
        hash: [7; 32],
    };
    change!(world, [k8s, secrets], tx => platforms::rotate(tx, &k8s, &secrets).await).unwrap();
    assert_eq!(ears.hear().await, [touched()]);
    for expected in [vec![touched()], vec![]] {
        let world = &ears.world;
        change!(world, [k8s], tx => platforms::activate(tx, &k8s, "user").await).unwrap();
        assert_eq!(ears.hear().await, expected, "activating once is enough");
    }
    // A sign of life changes nothing that is remembered.
    let world = &ears.world;
    change!(world, [k8s], tx => platforms::set_active(tx, &k8s, true, NOW, None).await).unwrap();
    assert_eq!(ears.hear().await, []);
    let world = &ears.world;
    let pair = Credential {
        id: CredentialId::new("c").unwrap(),
        broker_id: id("b1"),
        platform_id: k8s.clone(),
        current: Pair {
            username: "user".to_owned(),
            password_hash: Secret::new("hash".to_owned()),
        },
        old: None,
        notification_id: None,
        active: false,
        created_at: NOW,
        updated_at: NOW,
    };
    change!(world, [pair], tx => credential::put(tx, &pair).await).unwrap();
    let credential = || Touched::Credential(CredentialId::new("c").unwrap());
    assert_eq!(ears.hear().await, [credential()]);
    let (world, b1) = (&ears.world, id("b1"));
    change!(world, [k8s, b1], tx => credential::delete_of(tx, &k8s, &b1).await).unwrap();
    assert_eq!(ears.hear().await, [credential()]);
    // With the platform go its visibilities: the broker's view names it no more.
    let world = &ears.world;
    change!(world, [k8s], tx => platforms::delete(tx, &k8s).await).unwrap();
    assert_eq!(ears.hear().await, [view("b1"), touched()]);
}

async fn visibilities_of_the_brokers_plans(world: World) {
    let mut ears = Ears::new(world).await;
    let world = &ears.world;
    let (it, secret) = (broker("b9"), access("x"));
    let (an_offering, a_plan) = (offering("b9", "o9"), plan("o9", "p9"));
    change!(world, [it, secret, an_offering, a_plan], tx => {
        brokers::insert(tx, &it, &secret).await?;
        catalog::put_offering(tx, &an_offering, &json!({})).await?;
        catalog::put_plan(tx, &a_plan, &json!({})).await
    })
    .unwrap();
    assert_eq!(ears.hear().await, [view("b9")]);
    let world = &ears.world;
    let public = crate::samples::visibility("v9", "p9", None);
    change!(world, [public], tx => visibilities_::insert(tx, &public).await).unwrap();
    assert_eq!(ears.hear().await, [view("b9")]);
    // To a plan of another broker.
    let world = &ears.world;
    let v1 = crate::samples::visibility("v1", "p9", Some("k8s"));
    change!(world, [v1], tx => visibilities_::update(tx, &v1).await).unwrap();
    assert_eq!(ears.hear().await, [view("b1"), view("b9")]);
    let world = &ears.world;
    let gone = VisibilityId::new("v1").unwrap();
    change!(world, [gone], tx => visibilities_::delete(tx, &gone).await).unwrap();
    assert_eq!(ears.hear().await, [view("b9")]);
}

async fn what_an_event_says_is_not_said_again(world: World) {
    let mut ears = Ears::new(world).await;
    let world = &ears.world;
    let it = broker("b1");
    let told = NewEvent {
        broker: Some(id("b1")),
        ..event("told")
    };
    let before = ears.seen;
    change!(world, [it, told], tx => {
        brokers::update(tx, &it, None).await?;
        outbox::append(tx, &told, NOW).await
    })
    .unwrap();
    assert_eq!(ears.hear().await, [view("b1")]);
    assert_eq!(ears.seen, before + 1);
    // What nobody is told has the time of what the deed says otherwise, and nobody in its audience.
    let world = &ears.world;
    change!(world, [it], tx => {
        brokers::update(tx, &it, None).await?;
        brokers::update(tx, &it, None).await
    })
    .unwrap();
    assert_eq!(ears.hear().await, [view("b1")]);
    assert_eq!(ears.seen, before + 2);
    let last = read!(ears.world, [], tx => outbox::after(tx, before + 1, 10).await).unwrap();
    assert!(last.iter().all(|event| event.audience.is_nobody()));
    assert_eq!(&*last[0].payload, "{}");
}

async fn what_is_undone_touches_nothing(world: World) {
    let mut ears = Ears::new(world).await;
    let world = &ears.world;
    let it = broker("b1");
    let undone = change!(world, [it], tx => {
        brokers::update(tx, &it, None).await?;
        Err::<(), _>(Error::Nul)
    });
    assert!(undone.is_err());
    assert_eq!(ears.hear().await, []);
}

async fn who_missed_a_row_is_told_so(world: World) {
    let ears = Ears::new(world).await;
    let world = &ears.world;
    let it = broker("b1");
    for _ in 0..5 {
        change!(world, [it], tx => brokers::update(tx, &it, None).await).unwrap();
    }
    let last = outbox::sequence(&world.store).await.unwrap().unwrap();
    let seen = ears.seen;
    let all = read!(world, [], tx => touched_after(tx, seen, last, 5).await).unwrap();
    assert_eq!(all.unwrap(), vec![view("b1"); 5]);
    let many = read!(world, [], tx => touched_after(tx, seen, last, 4).await).unwrap();
    assert_eq!(many, None, "more than wanted");
    let back = read!(world, [], tx => touched_after(tx, last + 1, last, 4).await).unwrap();
    assert_eq!(back, None, "the numbers have gone back");
    outbox::trim(&world.store, Time(i64::MAX), None)
        .await
        .unwrap();
    let gap = read!(world, [], tx => touched_after(tx, seen, last, 5).await).unwrap();
    assert_eq!(gap, None, "they were removed");
    let none = read!(world, [], tx => touched_after(tx, last, last, 5).await).unwrap();
    assert_eq!(none, Some(vec![]));
}
