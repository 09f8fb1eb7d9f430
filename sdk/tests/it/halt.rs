//! A delete while the create is under way (B61): the create stops, what it left is removed, and whoever
//! polls the create reads that it failed. A delete that is refused lets the create go on.

use crate::desk::{Desk, both};
use crate::puppet::{Deed, End, Gate};

both!(
    an_asynchronous_delete_halts_a_create,
    a_synchronous_delete_halts_a_create,
    a_delete_that_cannot_wait_lets_the_create_go_on,
    a_refused_delete_lets_the_create_go_on,
    a_delete_that_fails_leaves_something_deletable,
    a_delete_halts_a_synchronous_create,
    an_unbind_halts_a_bind,
    two_deletes_halt_one_create,
);

async fn an_asynchronous_delete_halts_a_create(desk: Desk) {
    let (never, gate) = (Gate::shut(), Gate::shut());
    desk.world.set("provision", Deed::later().behind(&never));
    desk.world.set("deprovision", Deed::later().behind(&gate));
    let created = desk.provision("i", true).await.is(202).operation();
    desk.world.entered("provision", 1).await;
    let deleted = desk.deprovision("i", true).await.is(202).operation();
    assert_ne!(created, deleted);
    desk.world.entered("deprovision", 1).await;
    desk.last("i", &created).await.has_state("failed");
    desk.last("i", &deleted).await.has_state("in progress");
    desk.last("i", "").await.has_state("in progress");
    gate.open();
    desk.ended("i", &deleted).await.has_state("succeeded");
    desk.last("i", &created).await.has_state("failed");
    assert!(desk.world.is_empty());
    assert_eq!(desk.world.overlaps(), 0);
    desk.deprovision("i", true).await.is(410);
}

async fn a_synchronous_delete_halts_a_create(desk: Desk) {
    desk.world
        .set("provision", Deed::later().behind(&Gate::shut()));
    let created = desk.provision("i", true).await.is(202).operation();
    desk.world.entered("provision", 1).await;
    desk.deprovision("i", false).await.is(200);
    let failed = desk.last("i", &created).await.has_state("failed");
    assert!(!failed.description().is_empty());
    assert!(desk.world.is_empty());
    assert_eq!(desk.world.overlaps(), 0);
}

async fn a_delete_that_cannot_wait_lets_the_create_go_on(desk: Desk) {
    let gate = Gate::shut();
    desk.world.all(&Deed::later().behind(&gate));
    let created = desk.provision("i", true).await.is(202).operation();
    desk.world.entered("provision", 1).await;
    desk.deprovision("i", false)
        .await
        .has_word(422, "AsyncRequired");
    desk.last("i", &created).await.has_state("in progress");
    desk.world.entered("provision", 2).await;
    gate.open();
    desk.ended("i", &created).await.has_state("succeeded");
    assert_eq!(desk.world.last_attempt(), 2);
    assert_eq!(desk.world.overlaps(), 0);
    desk.fetch("i").await.is(200);
}

async fn a_refused_delete_lets_the_create_go_on(desk: Desk) {
    let gate = Gate::shut();
    desk.world.set("provision", Deed::later().behind(&gate));
    desk.world
        .set("deprovision", Deed::now().ends(End::Refuse(422)));
    let created = desk.provision("i", true).await.is(202).operation();
    desk.world.entered("provision", 1).await;
    desk.deprovision("i", true).await.is(422);
    gate.open();
    desk.ended("i", &created).await.has_state("succeeded");
    desk.fetch("i").await.is(200);
}

async fn a_delete_that_fails_leaves_something_deletable(desk: Desk) {
    desk.world
        .set("provision", Deed::later().behind(&Gate::shut()));
    desk.world
        .set("deprovision", Deed::later().ends(End::Break));
    let created = desk.provision("i", true).await.is(202).operation();
    desk.world.entered("provision", 1).await;
    let deleted = desk.deprovision("i", true).await.is(202).operation();
    desk.ended("i", &deleted).await.has_state("failed");
    desk.last("i", &created).await.has_state("failed");
    desk.fetch("i").await.is(404);
    desk.bind("i", "b", true).await.is(404);
    desk.world.set("deprovision", Deed::now());
    desk.deprovision("i", true).await.is(200);
    assert!(desk.world.is_empty());
}

async fn a_delete_halts_a_synchronous_create(desk: Desk) {
    desk.world
        .set("provision", Deed::now().behind(&Gate::shut()));
    let (created, deleted) = tokio::join!(desk.provision("i", false), async {
        desk.world.entered("provision", 1).await;
        desk.deprovision("i", false).await
    });
    deleted.is(200);
    created.has_word(422, "ConcurrencyError");
    assert!(desk.world.is_empty());
    desk.last("i", "").await.has_state("succeeded");
}

async fn an_unbind_halts_a_bind(desk: Desk) {
    desk.provision("i", false).await.is(201);
    desk.world.set("bind", Deed::later().behind(&Gate::shut()));
    let bound = desk.bind("i", "b", true).await.is(202).operation();
    desk.world.entered("bind", 1).await;
    desk.deprovision("i", true).await.is(422);
    desk.unbind("i", "b", true).await.is(200);
    assert_eq!(desk.world.last_seen(), "made: false");
    desk.last_of_binding("i", "b", &bound)
        .await
        .has_state("failed");
    assert_eq!(desk.world.thing("i/b"), None);
    desk.deprovision("i", true).await.is(200);
}

async fn two_deletes_halt_one_create(desk: Desk) {
    desk.world
        .set("provision", Deed::later().behind(&Gate::shut()));
    let gate = Gate::shut();
    desk.world.set("deprovision", Deed::later().behind(&gate));
    desk.provision("i", true).await.is(202);
    desk.world.entered("provision", 1).await;
    let (one, two) = tokio::join!(desk.deprovision("i", true), desk.deprovision("i", true));
    assert_eq!(one.is(202).operation(), two.is(202).operation());
    gate.open();
    desk.ended("i", "").await.has_state("succeeded");
    assert_eq!(desk.world.called("deprovision"), 1);
    assert!(desk.world.is_empty());
}
