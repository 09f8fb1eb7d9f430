//! The database goes away and comes back: subscribers stay and miss nothing.

use crate::engines::{World, next, platform, revisions, stream, tell};
use qm_model::event::Audience;
use qm_stream::{Stream, StreamSettings, SubscribeError};
use qm_testkit::postgres::{self, Server};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinSet;

/// A server of its own, because the test disturbs it.
async fn own_server() -> Option<(Arc<Server>, postgres::Database, World)> {
    blocking(|| postgres::server().map(drop)).await?;
    let (server, database) = blocking(|| {
        let server = Server::start(postgres::Options::default()).unwrap();
        let database = server.database().unwrap();
        (Arc::new(server), database)
    })
    .await;
    let world = World::at(database.url()).await;
    Some((server, database, world))
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_cut_in_the_middle_cost_nobody_an_event() {
    let Some((server, database, world)) = own_server().await else {
        return;
    };
    let stream = world.stream(10_000);
    let mut live = stream.subscribe(platform("live"), None).await.unwrap();
    let mut writers = JoinSet::new();
    for writer in 0..4 {
        let store = world.store.clone();
        writers.spawn(async move {
            let mut committed = BTreeSet::new();
            for number in 0..60 {
                let about = format!("{writer}-{number}");
                // What was not answered may have been committed or not; either is right.
                if tell(&store, &Audience::Everyone, &about).await.is_ok() {
                    committed.insert(about);
                }
            }
            committed
        });
    }
    for _ in 0..5 {
        let (server, name) = (Arc::clone(&server), database.name().to_owned());
        blocking(move || server.terminate_backends(&name).unwrap()).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let mut committed = BTreeSet::new();
    for written in writers.join_all().await {
        committed.extend(written);
    }
    // The last word, so that the reader knows when to stop.
    while tell(&world.store, &Audience::Everyone, "the end")
        .await
        .is_err()
    {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut got = BTreeSet::new();
    let mut has = 0;
    loop {
        let message = next(&mut live).await.expect("subscribers stay");
        assert_eq!(message.revision(), has + 1, "once and in order");
        has += 1;
        let text = String::from_utf8(message.text().to_vec()).unwrap();
        let about = text.split_once(' ').unwrap().1.to_owned();
        if about == "the end" {
            break;
        }
        assert!(got.insert(about), "twice: {text}");
    }
    assert!(
        got.is_superset(&committed),
        "lost: {:?}",
        committed.difference(&got)
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_the_database_is_away_nobody_new_comes_and_nobody_old_goes() {
    let Some((server, _database, world)) = own_server().await else {
        return;
    };
    let settings = StreamSettings {
        queue: 100,
        poll: Duration::from_millis(20),
        patience: Duration::from_millis(500),
    };
    let encode = crate::engines::text as fn(&qm_model::event::Event) -> String;
    let impatient = Stream::start(world.store.clone(), settings, encode);
    let mut live = impatient.subscribe(platform("live"), None).await.unwrap();
    world.tell(2).await;
    assert_eq!(revisions(&mut live, 2).await, [1, 2]);

    let stopping = Arc::clone(&server);
    blocking(move || stopping.stop().unwrap()).await;
    for revision in [None, Some(1)] {
        let refused = impatient.subscribe(platform("new"), revision).await;
        assert!(
            matches!(refused, Err(SubscribeError::Unavailable(_))),
            "{refused:?}"
        );
    }
    assert!(tell(&world.store, &Audience::Everyone, "x").await.is_err());
    assert_eq!(live.end(), None);
    // One that starts while the database is away refuses too, and works as soon as it is back.
    let late = stream(&world.store, 100);

    let starting = Arc::clone(&server);
    blocking(move || starting.start_again().unwrap()).await;
    while tell(&world.store, &Audience::Everyone, "x").await.is_err() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(revisions(&mut live, 1).await, [3]);
    let mut subscription = late.subscribe(platform("late"), Some(1)).await.unwrap();
    assert_eq!(revisions(&mut subscription, 2).await, [2, 3]);
}
