//! Claims of one particular operation, and what is released at the start.

use super::{at, begun, outcome, provision, settle};
use crate::engines::{World, on_both};
use crate::samples::registry;
use qm_db::Dialect;
use qm_store::deed::{self, Effect, Next};
use qm_store::facts::Phase;
use qm_store::{Error, operation as table};

on_both!(
    only_what_nobody_holds,
    a_file_that_was_left_is_taken_up_at_once,
    the_same_is_known_again,
);

async fn only_what_nobody_holds(world: World) {
    registry(&world).await;
    let held = begun(&world, provision("i")).await;
    let take = async |fence, now| {
        deed::take(
            &world.store,
            &held.id,
            fence,
            "other",
            at(now),
            at(now + 100),
        )
        .await
        .unwrap()
    };
    assert!(take(1, 99).await.is_none(), "still held");
    assert!(take(2, 100).await.is_none(), "another fence");
    let taken = take(1, 100).await.unwrap();
    assert_eq!((taken.held.fence, taken.held.owner.as_str()), (2, "other"));
    assert_eq!(taken.work, b"how to go on");
    assert_eq!(taken.phase, Phase::Intent);
    assert!(take(1, 300).await.is_none(), "an old fence");
    let late = settle(&world, outcome(&held, super::done(), super::ready("i"))).await;
    assert!(matches!(late, Err(Error::Fenced)));
    let polling = Next::Polling {
        broker_operation: Some("task".to_owned()),
        due: at(1_000),
        description: String::new(),
    };
    settle(&world, outcome(&taken.held, polling, Effect::None))
        .await
        .unwrap();
    let again = take(2, 150).await.unwrap();
    assert_eq!(
        (again.phase, again.broker_operation.as_deref()),
        (Phase::Polling, Some("task")),
        "free, though not due"
    );
    let mut last = outcome(&again.held, super::done(), super::ready("i"));
    last.event = None;
    settle(&world, last).await.unwrap();
    assert!(take(3, 500).await.is_none(), "it has ended");
}

async fn a_file_that_was_left_is_taken_up_at_once(world: World) {
    registry(&world).await;
    begun(&world, provision("i")).await;
    let held = begun(&world, provision("j")).await;
    settle(&world, outcome(&held, super::done(), super::ready("j")))
        .await
        .unwrap();
    let released = table::release_all(&world.store).await.unwrap();
    let taken = table::claim(&world.store, "next", at(10), at(100), 10)
        .await
        .unwrap();
    match world.store.dialect() {
        Dialect::Sqlite => assert_eq!((released, taken.len()), (1, 1)),
        Dialect::Postgres => assert_eq!((released, taken.len()), (0, 0), "another may hold it"),
    }
}

async fn the_same_is_known_again(world: World) {
    let other = world.another().await;
    let of = |store, parts: &[&[u8]]| deed::fingerprint(store, parts);
    let print = of(&world.store, &[b"ab", b"c"]);
    assert_eq!(print.len(), 32);
    assert_eq!(print, of(&other, &[b"ab", b"c"]));
    assert_ne!(print, of(&other, &[b"a", b"bc"]));
    assert_ne!(print, of(&other, &[b"abc"]));
    assert_ne!(print, of(&other, &[b"ab", b"c", b""]));
}
