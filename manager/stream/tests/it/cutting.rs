//! Subscriptions that end otherwise than by their holder, and what the others notice of it: nothing.

use crate::engines::{World, next, on_both, platform, revisions};
use qm_db::Dialect;
use qm_stream::{End, SubscribeError};
use std::time::Duration;

on_both!(
    one_that_takes_nothing_is_cut_and_the_others_go_on,
    stopping_ends_everybody_and_waits_for_them,
    a_database_that_was_put_back_cuts_everybody,
);

async fn one_that_takes_nothing_is_cut_and_the_others_go_on(world: World) {
    let stream = world.stream(5);
    let mut slow = stream.subscribe(platform("slow"), None).await.unwrap();
    let mut quick = stream.subscribe(platform("quick"), None).await.unwrap();
    world.tell(1).await;
    assert_eq!(revisions(&mut slow, 1).await, [1]);
    assert_eq!(revisions(&mut quick, 1).await, [1]);
    for revision in 2..=6 {
        world.tell(1).await;
        assert_eq!(revisions(&mut quick, 1).await, [revision]);
    }
    assert_eq!(slow.end(), None, "five may wait");
    world.tell(1).await;
    assert_eq!(revisions(&mut quick, 1).await, [7]);
    slow.over().await;
    assert_eq!(slow.end(), Some(End::Slow));
    assert_eq!(
        next(&mut slow).await,
        None,
        "what waited is not handed out any more"
    );
    assert_eq!(stream.connected(), 1);
    // It had the first one; six were missed and five may be.
    assert!(matches!(
        stream.subscribe(platform("slow"), Some(1)).await,
        Err(SubscribeError::Gone)
    ));
    let mut back = stream.subscribe(platform("slow"), Some(2)).await.unwrap();
    assert_eq!(revisions(&mut back, 5).await, [3, 4, 5, 6, 7]);
}

async fn stopping_ends_everybody_and_waits_for_them(world: World) {
    let stream = world.stream(5);
    let mut subscription = stream.subscribe(platform("p"), None).await.unwrap();
    let holder = tokio::spawn(async move {
        let ended = next(&mut subscription).await.is_none();
        (ended, subscription.end())
    });
    stream.stop(Duration::from_secs(60)).await;
    assert_eq!(holder.await.unwrap(), (true, Some(End::Stopped)));
    assert_eq!(stream.connected(), 0);
    assert!(matches!(
        stream.subscribe(platform("p"), None).await,
        Err(SubscribeError::Stopping)
    ));
    // One that is not let go is not waited for without end.
    let other = world.stream(5);
    let held = other.subscribe(platform("p"), None).await.unwrap();
    other.stop(Duration::from_millis(1)).await;
    assert_eq!(held.end(), Some(End::Stopped));
}

async fn a_database_that_was_put_back_cuts_everybody(world: World) {
    let stream = world.stream(5);
    let mut subscription = stream.subscribe(platform("p"), None).await.unwrap();
    world.tell(3).await;
    assert_eq!(revisions(&mut subscription, 3).await, [1, 2, 3]);
    let bare = world.bare().await;
    let put_back = match bare.dialect() {
        Dialect::Sqlite => "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'event'",
        Dialect::Postgres => "UPDATE outbox SET last = 1",
    };
    bare.execute(put_back, vec![]).await.unwrap();
    assert_eq!(next(&mut subscription).await, None);
    assert_eq!(subscription.end(), Some(End::Behind));
    assert!(matches!(
        stream.subscribe(platform("p"), Some(3)).await,
        Err(SubscribeError::Gone)
    ));
}
