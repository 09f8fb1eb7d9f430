//! Exactly once, in commit order, to those it is for.

use crate::engines::{
    World, except, next, on_both, only, platform, revisions, stream, tell, text, texts,
};
use qm_model::event::{Audience, Event};
use qm_store::Store;
use qm_stream::{Stream, StreamSettings, Subscription};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::task::JoinSet;

on_both!(
    sixteen_writers_reach_everyone_once_and_in_order,
    who_comes_back_with_its_revision_misses_and_repeats_nothing,
    an_event_goes_to_those_it_is_for,
    a_platform_that_is_connected_twice_gets_everything_twice,
    an_event_is_encoded_once_for_all,
);

const WRITERS: usize = 16;
const EACH: usize = 15;
const ALL: usize = WRITERS * EACH;

/// Sixteen tasks that commit events; `about` names writer and number.
fn write(store: &Store) -> JoinSet<()> {
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let store = store.clone();
        writers.spawn(async move {
            for number in 0..EACH {
                let about = format!("{writer}-{number}");
                tell(&store, &Audience::Everyone, &about).await.unwrap();
            }
        });
    }
    writers
}

async fn sixteen_writers_reach_everyone_once_and_in_order(world: World) {
    let stream = world.stream(ALL);
    let mut subscriptions = Vec::new();
    for n in 0..4 {
        let subscription = stream
            .subscribe(platform(&format!("p{n}")), None)
            .await
            .unwrap();
        assert_eq!(subscription.revision(), None);
        subscriptions.push(subscription);
    }
    write(&world.store).join_all().await;
    for mut subscription in subscriptions {
        let mut got = Vec::new();
        for revision in 1..=i64::try_from(ALL).unwrap() {
            let message = next(&mut subscription).await.unwrap();
            assert_eq!(message.revision(), revision);
            let text = String::from_utf8(message.text().to_vec()).unwrap();
            got.push(text.split_once(' ').unwrap().1.to_owned());
        }
        let distinct: BTreeSet<_> = got.iter().collect();
        assert_eq!(distinct.len(), ALL, "something came twice");
        for writer in 0..WRITERS {
            let own: Vec<_> = got
                .iter()
                .filter(|about| about.starts_with(&format!("{writer}-")))
                .collect();
            let written: Vec<_> = (0..EACH)
                .map(|number| format!("{writer}-{number}"))
                .collect();
            assert_eq!(
                own,
                written.iter().collect::<Vec<_>>(),
                "a writer's own order is kept"
            );
        }
    }
}

async fn who_comes_back_with_its_revision_misses_and_repeats_nothing(world: World) {
    let stream = world.stream(ALL);
    world.tell(1).await;
    // The first event may have no revision yet when the platform asks; it then comes live.
    let mut first = stream.subscribe(platform("first"), None).await.unwrap();
    let begin = match first.revision() {
        Some(revision) => revision,
        None => next(&mut first).await.unwrap().revision(),
    };
    let writers = write(&world.store);
    let mut readers = JoinSet::new();
    for reader in 0..6 {
        let stream = stream.clone();
        readers.spawn(async move {
            let mut has = begin;
            let end = begin + i64::try_from(ALL).unwrap();
            while has < end {
                let mut subscription: Subscription =
                    stream.subscribe(platform("p"), Some(has)).await.unwrap();
                // Each leaves after another number of messages, so they come back at all kinds of moments.
                for _ in 0..=reader * 3 {
                    if has == end {
                        break;
                    }
                    let message = next(&mut subscription).await.expect("cut");
                    assert_eq!(message.revision(), has + 1);
                    has += 1;
                }
            }
        });
    }
    writers.join_all().await;
    readers.join_all().await;
}

async fn an_event_goes_to_those_it_is_for(world: World) {
    let stream = world.stream(10);
    let mut a = stream.subscribe(platform("a"), None).await.unwrap();
    let mut b = stream.subscribe(platform("b"), None).await.unwrap();
    for (audience, about) in [
        (Audience::Everyone, "all"),
        (only(&["a"]), "only a"),
        (except(&["a", "c"]), "all but a"),
        (only(&[]), "nobody"),
        (only(&["a", "b", "c"]), "three"),
    ] {
        tell(&world.store, &audience, about).await.unwrap();
    }
    assert_eq!(texts(&mut a, 3).await, ["all", "only a", "three"]);
    assert_eq!(texts(&mut b, 3).await, ["all", "all but a", "three"]);
    // The same when they come back.
    let mut a = stream.subscribe(platform("a"), Some(1)).await.unwrap();
    let mut b = stream.subscribe(platform("b"), Some(1)).await.unwrap();
    assert_eq!(texts(&mut a, 2).await, ["only a", "three"]);
    assert_eq!(texts(&mut b, 2).await, ["all but a", "three"]);
}

async fn a_platform_that_is_connected_twice_gets_everything_twice(world: World) {
    let stream = world.stream(10);
    let mut one = stream.subscribe(platform("p"), None).await.unwrap();
    let mut two = stream.subscribe(platform("p"), None).await.unwrap();
    assert_eq!(
        (stream.connected(), stream.connected_as(&platform("p"))),
        (2, 2)
    );
    world.tell(3).await;
    assert_eq!(revisions(&mut one, 3).await, [1, 2, 3]);
    assert_eq!(revisions(&mut two, 3).await, [1, 2, 3]);
    assert!(!one.leave(), "the other one is still there");
    world.tell(1).await;
    assert_eq!(revisions(&mut two, 1).await, [4]);
    assert!(two.leave());
    drop((one, two));
    assert_eq!(stream.connected(), 0);
}

async fn an_event_is_encoded_once_for_all(world: World) {
    let made = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&made);
    let encode = move |event: &Event| {
        counter.fetch_add(1, Ordering::SeqCst);
        text(event)
    };
    let watcher = stream(&world.store, 100);
    let mut seen = watcher.subscribe(platform("watcher"), None).await.unwrap();
    let stream = Stream::start(world.store.clone(), StreamSettings::default(), encode);
    // These may find nobody there, and then no text is made of them.
    world.tell(2).await;
    assert_eq!(revisions(&mut seen, 2).await, [1, 2]);
    let mut many = Vec::new();
    for n in 0..50 {
        many.push(
            stream
                .subscribe(platform(&format!("p{n}")), Some(2))
                .await
                .unwrap(),
        );
    }
    world.tell(4).await;
    for subscription in &mut many {
        assert_eq!(revisions(subscription, 4).await, [3, 4, 5, 6]);
    }
    assert!(
        made.load(Ordering::SeqCst) <= 6,
        "once per event, not per platform"
    );
    // They all come back and miss what perhaps was never made: it is read and made once.
    drop(many);
    let mut back = JoinSet::new();
    for n in 0..50 {
        let stream = stream.clone();
        back.spawn(async move {
            let mut subscription = stream
                .subscribe(platform(&format!("p{n}")), Some(1))
                .await
                .unwrap();
            assert_eq!(revisions(&mut subscription, 5).await, [2, 3, 4, 5, 6]);
        });
    }
    back.join_all().await;
    assert!(
        made.load(Ordering::SeqCst) <= 6,
        "once per event, not per platform"
    );
}
