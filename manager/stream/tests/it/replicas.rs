//! Several streams on one database, as several replicas have them.

use crate::engines::{World, on_both, platform, revisions, stream, tell};
use qm_model::event::Audience;
use qm_stream::Subscription;
use tokio::task::JoinSet;

on_both!(
    what_one_commits_reaches_the_others_platforms,
    a_platform_moves_between_replicas_and_misses_nothing,
);

const EACH: usize = 40;

async fn what_one_commits_reaches_the_others_platforms(world: World) {
    let stores = [world.store.clone(), world.another().await];
    let streams = [stream(&stores[0], 1000), stream(&stores[1], 1000)];
    let mut subscriptions: Vec<Subscription> = Vec::new();
    for stream in &streams {
        subscriptions.push(stream.subscribe(platform("p"), None).await.unwrap());
    }
    let mut writers = JoinSet::new();
    for writer in 0..8 {
        let store = stores[writer % 2].clone();
        writers.spawn(async move {
            for _ in 0..EACH {
                tell(&store, &Audience::Everyone, "x").await.unwrap();
            }
        });
    }
    writers.join_all().await;
    let all: Vec<i64> = (1..=i64::try_from(8 * EACH).unwrap()).collect();
    for subscription in &mut subscriptions {
        assert_eq!(revisions(subscription, all.len()).await, all);
    }
}

/// One replica may be ahead of the other; who comes from the one that is ahead must not get anything again.
async fn a_platform_moves_between_replicas_and_misses_nothing(world: World) {
    let stores = [world.store.clone(), world.another().await];
    let streams = [stream(&stores[0], 1000), stream(&stores[1], 1000)];
    let mut first = streams[0].subscribe(platform("first"), None).await.unwrap();
    tell(&stores[0], &Audience::Everyone, "x").await.unwrap();
    assert_eq!(revisions(&mut first, 1).await, [1]);
    let mut writers = JoinSet::new();
    for writer in 0..4 {
        let store = stores[writer % 2].clone();
        writers.spawn(async move {
            for _ in 0..EACH {
                tell(&store, &Audience::Everyone, "x").await.unwrap();
            }
        });
    }
    let end = 1 + i64::try_from(4 * EACH).unwrap();
    let mut has = 1;
    let mut at = 0;
    while has < end {
        at = 1 - at;
        let mut subscription = streams[at]
            .subscribe(platform("p"), Some(has))
            .await
            .unwrap();
        assert_eq!(revisions(&mut subscription, 1).await, [has + 1]);
        has += 1;
    }
    writers.join_all().await;
}
