//! The outbox: order, completeness, position, trimming.

use crate::engines::{World, change, on_both, read};
use crate::samples::{NOW, access, broker, event};
use qm_model::Time;
use qm_model::event::{Audience, Event, NewEvent};
use qm_model::id::{EventId, PlatformId};
use qm_store::outbox::{self, Position};
use qm_store::{Error, Store, Tx, broker as brokers};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

on_both!(
    an_event_comes_back_as_it_was_stored,
    what_is_rolled_back_is_not_told,
    is_trimmed_from_its_beginning,
    a_follower_misses_nothing,
);

async fn append(world: &World, id: &str, when: Time) {
    let it = event(id);
    change!(world, [it], tx => outbox::append(tx, &it, when).await).unwrap();
}

async fn position(world: &World) -> Position {
    read!(world, [], tx => outbox::position(tx).await).unwrap()
}

async fn an_event_comes_back_as_it_was_stored(world: World) {
    assert_eq!(outbox::sequence(&world.store).await.unwrap(), None);
    let mut appended = world.store.appended();
    let ids = |ids: &[&str]| {
        ids.iter()
            .map(|id| PlatformId::stored((*id).to_owned()))
            .collect::<BTreeSet<_>>()
    };
    let audiences = [
        Audience::Everyone,
        Audience::Except(ids(&["a", "b"])),
        Audience::Only(ids(&["c"])),
    ];
    for (n, audience) in audiences.iter().enumerate() {
        let it = NewEvent {
            broker: None,
            audience: audience.clone(),
            ..event(&format!("e{n}"))
        };
        change!(world, [it], tx => outbox::append(tx, &it, NOW).await).unwrap();
    }
    assert!(appended.has_changed().unwrap());
    appended.mark_unchanged();
    assert_eq!(outbox::sequence(&world.store).await.unwrap(), Some(3));
    assert_eq!(
        outbox::sequence(&world.store).await.unwrap(),
        Some(3),
        "nothing new"
    );
    assert!(!appended.has_changed().unwrap());
    assert_eq!(
        position(&world).await,
        Position {
            last: 3,
            trimmed: 0
        }
    );
    let (all, headers, some, found, none) = read!(world, [], tx => {
        Ok((
            outbox::after(tx, 0, 10).await?,
            outbox::headers_after(tx, 1, 10).await?,
            outbox::by_revisions(tx, &[3, 1, 99]).await?,
            outbox::by_id(tx, &EventId::stored("e2".to_owned())).await?,
            outbox::by_id(tx, &EventId::stored("none".to_owned())).await?,
        ))
    })
    .unwrap();
    let given = event("e1");
    assert_eq!(
        all[1],
        Event {
            revision: 2,
            id: given.id,
            resource: given.resource,
            resource_id: given.resource_id,
            change: given.change,
            audience: audiences[1].clone(),
            payload: Arc::from(given.payload),
            correlation_id: given.correlation_id,
            created_at: NOW,
        }
    );
    assert_eq!(
        headers,
        [(2, audiences[1].clone()), (3, audiences[2].clone())]
    );
    assert_eq!(some, [all[0].clone(), all[2].clone()]);
    assert_eq!((found, none), (Some(all[2].clone()), None));
    let limited = read!(world, [], tx => outbox::after(tx, 1, 1).await).unwrap();
    assert_eq!(limited, all[1..2]);
}

async fn what_is_rolled_back_is_not_told(world: World) {
    let appended = world.store.appended();
    let it = event("e");
    let undone = change!(world, [it], tx => {
        outbox::append(tx, &it, NOW).await?;
        Err::<(), _>(Error::OtherKeys)
    });
    assert!(undone.is_err());
    assert!(!appended.has_changed().unwrap());
    assert_eq!(outbox::sequence(&world.store).await.unwrap(), None);
    append(&world, "e", NOW).await;
    assert_eq!(
        outbox::sequence(&world.store).await.unwrap(),
        Some(1),
        "no gap is left"
    );
}

async fn is_trimmed_from_its_beginning(world: World) {
    for (n, millis) in [0, 10, 50, 20, 60].into_iter().enumerate() {
        append(&world, &format!("e{n}"), Time(NOW.0 + millis)).await;
    }
    outbox::sequence(&world.store).await.unwrap();
    let trim = async |millis, at_most| {
        let before = Time(NOW.0 + millis);
        let trimmed = outbox::trim(&world.store, before, at_most).await.unwrap();
        assert!(!trimmed.more);
        trimmed.removed
    };
    assert_eq!(trim(0, None).await, 0);
    assert_eq!(trim(30, None).await, 2, "up to the first that is young");
    let last = 5;
    let trimmed = 2;
    assert_eq!(position(&world).await, Position { last, trimmed });
    let left = read!(world, [], tx => outbox::after(tx, 0, 10).await).unwrap();
    assert_eq!(
        left.iter().map(|event| event.revision).collect::<Vec<_>>(),
        [3, 4, 5]
    );
    assert_eq!(trim(0, Some(3)).await, 0, "not too many");
    assert_eq!(trim(0, Some(1)).await, 2, "too many, however young");
    let trimmed = 4;
    assert_eq!(position(&world).await, Position { last, trimmed });
    assert_eq!(trim(100, Some(10)).await, 1, "too old, however few");
    let trimmed = 5;
    assert_eq!(position(&world).await, Position { last, trimmed });
    append(&world, "later", NOW).await;
    assert_eq!(
        outbox::sequence(&world.store).await.unwrap(),
        Some(6),
        "revisions go on"
    );
    assert_eq!(trim(0, None).await, 0);
}

const WRITERS: usize = 16;
const EACH: usize = 25;

/// Sixteen writers with several statements each, two replicas that number, and one that follows by revision.
async fn a_follower_misses_nothing(world: World) {
    let other = world.another().await;
    let stop = Arc::new(AtomicBool::new(false));
    let mut numbering = tokio::task::JoinSet::new();
    for store in [world.store.clone(), other.clone()] {
        let stop = Arc::clone(&stop);
        numbering.spawn(async move {
            while !stop.load(Ordering::Relaxed) {
                match outbox::sequence(&store).await {
                    Ok(_) | Err(Error::Database(qm_db::Error::Busy { .. })) => {}
                    Err(error) => panic!("{error:?}"),
                }
                tokio::task::yield_now().await;
            }
        });
    }
    let mut writers = tokio::task::JoinSet::new();
    for n in 0..WRITERS {
        let store = if n % 2 == 0 {
            world.store.clone()
        } else {
            other.clone()
        };
        let permit = world.permit.clone();
        writers.spawn(async move {
            for m in 0..EACH {
                let write = || {
                    store.change::<_, Error, _>(&permit, async move |tx: &Tx<'_>| {
                        let mut it = broker(&format!("b{n}"));
                        it.meta.updated_at = Time(NOW.0 + i64::try_from(m).unwrap());
                        outbox::append(tx, &event(&format!("e-{n}-{m}-first")), NOW).await?;
                        if m == 0 {
                            assert!(brokers::insert(tx, &it, &access("x")).await?);
                        } else {
                            assert!(brokers::update(tx, &it, None).await?);
                        }
                        // It tells of the broker, so the change leaves no row of its own.
                        let second = NewEvent {
                            broker: Some(it.id),
                            ..event(&format!("e-{n}-{m}-second"))
                        };
                        outbox::append(tx, &second, NOW).await
                    })
                };
                while let Err(error) = write().await {
                    assert!(
                        matches!(error, Error::Database(qm_db::Error::Busy { .. })),
                        "{error:?}"
                    );
                }
            }
        });
    }
    let seen = follow(&world.store, WRITERS * EACH * 2).await;
    writers.join_all().await;
    stop.store(true, Ordering::Relaxed);
    numbering.join_all().await;

    let revisions: Vec<i64> = seen.iter().map(|event| event.revision).collect();
    let expected: Vec<i64> = (1..=i64::try_from(WRITERS * EACH * 2).unwrap()).collect();
    assert_eq!(revisions, expected, "without gap or repeat");
    for n in 0..WRITERS {
        let own = format!("e-{n}-");
        let own: Vec<&str> = seen
            .iter()
            .map(|event| event.id.as_str())
            .filter(|id| id.starts_with(&own))
            .collect();
        let expected: Vec<String> = (0..EACH)
            .flat_map(|m| ["first", "second"].map(|word| format!("e-{n}-{m}-{word}")))
            .collect();
        assert_eq!(own, expected, "in the order of commits");
    }
}

async fn follow(store: &Store, until: usize) -> Vec<Event> {
    let mut seen: Vec<Event> = Vec::new();
    while seen.len() < until {
        let last = seen.last().map_or(0, |event| event.revision);
        let more = store
            .read::<_, Error, _>(async move |tx: &Tx<'_>| outbox::after(tx, last, 50).await)
            .await;
        seen.extend(more.unwrap());
        tokio::task::yield_now().await;
    }
    seen
}
