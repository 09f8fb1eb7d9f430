//! Rows for nobody: they take a revision each, reach no platform, and count as missed by none.

use crate::engines::{World, next, on_both, only, platform, revisions, tell, tell_at};
use qm_model::Time;
use qm_model::event::Audience;
use qm_store::outbox;
use qm_stream::Stream;

on_both!(
    nobody_gets_them,
    nobody_has_missed_them,
    nobody_must_start_over_because_they_were_trimmed,
);

async fn touch(world: &World, count: usize) {
    for _ in 0..count {
        tell(&world.store, &only(&[]), "touch").await.unwrap();
    }
}

/// A subscription of somebody who has everything up to a revision, once that is the last one.
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

async fn nobody_gets_them(world: World) {
    let stream = world.stream(4);
    let mut subscription = stream.subscribe(platform("p"), None).await.unwrap();
    // More than its queue holds: they are not even queued.
    touch(&world, 10).await;
    world.tell(1).await;
    assert_eq!(revisions(&mut subscription, 1).await, [11]);
    touch(&world, 1).await;
    world.tell(1).await;
    let message = next(&mut subscription).await.unwrap();
    assert_eq!(&message.text()[..], b"13 x");
}

async fn nobody_has_missed_them(world: World) {
    let stream = world.stream(3);
    world.tell(1).await;
    touch(&world, 10).await;
    world.tell(2).await;
    touch(&world, 10).await;
    until(&stream, 23).await;
    let mut subscription = stream.subscribe(platform("p"), Some(1)).await.unwrap();
    assert_eq!(revisions(&mut subscription, 2).await, [12, 13]);
    world.tell(1).await;
    assert_eq!(revisions(&mut subscription, 1).await, [24]);
}

async fn nobody_must_start_over_because_they_were_trimmed(world: World) {
    let stream = world.stream(100);
    let mut witness = stream.subscribe(platform("w"), None).await.unwrap();
    let at = async |audience: &Audience, at: i64| {
        let told = tell_at(&world.store, audience, "x", Time(at)).await;
        told.unwrap();
    };
    at(&Audience::Everyone, 1_000).await;
    at(&Audience::Everyone, 2_000).await;
    for n in 3..=5 {
        at(&only(&[]), n * 1_000).await;
    }
    // Retention that overtakes the follower is a gap: it must have told everything before the rows go.
    at(&only(&["w"]), 9_000).await;
    assert_eq!(revisions(&mut witness, 3).await, [1, 2, 6]);
    let trimmed = outbox::trim(&world.store, Time(6_000), None).await.unwrap();
    assert_eq!(trimmed.removed, 5);
    // It has heard all there was to hear, though five is the last revision that went.
    let mut subscription = stream.subscribe(platform("p"), Some(2)).await.unwrap();
    assert!(stream.subscribe(platform("p"), Some(1)).await.is_err());
    world.tell(1).await;
    assert_eq!(revisions(&mut subscription, 1).await, [7]);
}
