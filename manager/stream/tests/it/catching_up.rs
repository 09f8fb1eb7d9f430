//! Which revisions can be gone on from, and what comes after them.

use crate::engines::{World, on_both, only, platform, revisions, tell, tell_at};
use qm_model::Time;
use qm_model::event::Audience;
use qm_store::outbox;
use qm_stream::{Stream, SubscribeError};

on_both!(
    before_anything_was_told_no_revision_is_known,
    a_revision_is_gone_when_what_follows_cannot_be_given,
    what_is_for_others_does_not_count_as_missed,
    what_retention_has_removed_is_gone,
    without_a_revision_only_what_is_new_comes,
);

async fn is_gone(stream: &Stream, revision: i64) -> bool {
    match stream.subscribe(platform("p"), Some(revision)).await {
        Ok(_) => false,
        Err(SubscribeError::Gone) => true,
        Err(error) => panic!("{error:?}"),
    }
}

/// Waits until the last revision is this one, as a platform would see it. The follower may not have offered it yet: who
/// subscribes now and is to stay needs a queue with room for everything that was told.
async fn until(stream: &Stream, last: i64) {
    while stream
        .subscribe(platform("p"), None)
        .await
        .unwrap()
        .revision()
        != Some(last)
    {
        tokio::task::yield_now().await;
    }
}

async fn before_anything_was_told_no_revision_is_known(world: World) {
    let stream = world.stream(3);
    let subscription = stream.subscribe(platform("p"), None).await.unwrap();
    assert_eq!(subscription.revision(), None);
    for revision in [i64::MIN, -1, 0, 1, i64::MAX] {
        assert!(is_gone(&stream, revision).await, "{revision}");
    }
    assert_eq!(stream.connected(), 1, "who is refused is not connected");
}

async fn a_revision_is_gone_when_what_follows_cannot_be_given(world: World) {
    let stream = world.stream(3);
    world.tell(5).await;
    until(&stream, 5).await;
    for (revision, gone) in [
        (-1, true),
        (0, true),
        (1, true), // four were missed, three may be
        (2, false),
        (3, false),
        (5, false),
        (6, true),
        (i64::MAX, true),
    ] {
        assert_eq!(is_gone(&stream, revision).await, gone, "{revision}");
    }
    let mut subscription = stream.subscribe(platform("p"), Some(2)).await.unwrap();
    assert_eq!(subscription.revision(), Some(5));
    assert_eq!(revisions(&mut subscription, 3).await, [3, 4, 5]);
    world.tell(1).await;
    assert_eq!(revisions(&mut subscription, 1).await, [6]);
}

async fn what_is_for_others_does_not_count_as_missed(world: World) {
    let stream = world.stream(3);
    world.tell(1).await;
    for _ in 0..10 {
        tell(&world.store, &only(&["other"]), "x").await.unwrap();
    }
    world.tell(2).await;
    until(&stream, 13).await;
    let mut subscription = stream.subscribe(platform("p"), Some(1)).await.unwrap();
    assert_eq!(revisions(&mut subscription, 2).await, [12, 13]);
    assert!(matches!(
        stream.subscribe(platform("other"), Some(1)).await,
        Err(SubscribeError::Gone)
    ));
}

async fn what_retention_has_removed_is_gone(world: World) {
    let stream = world.stream(100);
    for n in 1..=6 {
        tell_at(&world.store, &Audience::Everyone, "x", Time(n * 1000))
            .await
            .unwrap();
    }
    until(&stream, 6).await;
    outbox::trim(&world.store, Time(3500), None).await.unwrap();
    for (revision, gone) in [
        (1, true),
        (2, true),
        (3, false),
        (4, false),
        (6, false),
        (7, true),
    ] {
        assert_eq!(is_gone(&stream, revision).await, gone, "{revision}");
    }
    // A replica that starts later and knows nothing by heart says the same.
    let later = world.stream(100);
    assert!(is_gone(&later, 2).await);
    let mut subscription = later.subscribe(platform("p"), Some(3)).await.unwrap();
    assert_eq!(revisions(&mut subscription, 3).await, [4, 5, 6]);
    // With everything gone the last revision still counts.
    outbox::trim(&world.store, Time(i64::MAX), None)
        .await
        .unwrap();
    assert!(is_gone(&later, 5).await);
    let mut subscription = later.subscribe(platform("p"), Some(6)).await.unwrap();
    assert_eq!(subscription.revision(), Some(6));
    world.tell(1).await;
    assert_eq!(revisions(&mut subscription, 1).await, [7]);
}

async fn without_a_revision_only_what_is_new_comes(world: World) {
    let stream = world.stream(10);
    world.tell(5).await;
    until(&stream, 5).await;
    let mut subscription = stream.subscribe(platform("p"), None).await.unwrap();
    world.tell(1).await;
    assert_eq!(revisions(&mut subscription, 1).await, [6]);
}
