//! Which records of operations go: by age, by number, and which never.

use crate::engines::{World, change, on_both};
use crate::samples::{NOW, operation, registry};
use qm_model::id::OperationId;
use qm_model::operation::{Family, Operation, State};
use qm_model::{Kind, Time};
use qm_store::operation::{
    self as table, Began, Expired, ExpiryPlace, Held, Keep, NewOperation, expire,
};

on_both!(
    the_last_one_of_the_living_stays,
    of_too_many_the_oldest_go,
    a_cascade_that_goes_on_is_kept_whole,
    many_go_step_by_step,
);

fn at(millis: i64) -> Time {
    Time(NOW.0 + millis)
}

async fn record(world: &World, id: &str, kind: Kind, resource: &str, when: Time) {
    let it = Operation {
        state: State::Succeeded,
        updated_at: when,
        ..operation(id, kind, resource)
    };
    change!(world, [it], tx => table::record(tx, &it, None).await).unwrap();
}

/// Walks to the end, and says how many went.
async fn all(world: &World, keep: Keep) -> u64 {
    let mut all = 0;
    let mut from = Some(ExpiryPlace::START);
    while let Some(place) = from {
        let Expired { removed, next } = expire(&world.store, keep, place).await.unwrap();
        assert!(next.is_none_or(|next| next > place), "it goes on");
        all += removed;
        from = next;
    }
    all
}

fn older(millis: i64) -> Keep {
    Keep {
        before: at(millis),
        gone_before: at(millis),
        at_most: None,
    }
}

async fn left(world: &World) -> Vec<String> {
    let rows = world
        .beneath()
        .await
        .query("SELECT id FROM operation ORDER BY id", vec![])
        .await
        .unwrap();
    rows.iter().map(|row| row.get(0).unwrap()).collect()
}

async fn the_last_one_of_the_living_stays(world: World) {
    registry(&world).await;
    for n in 0..5 {
        record(&world, &format!("alive{n}"), Kind::Broker, "b1", at(n)).await;
        record(&world, &format!("dead{n}"), Kind::Broker, "gone", at(n)).await;
    }
    record(&world, "young", Kind::Broker, "gone", at(1_000)).await;
    record(&world, "tenant", Kind::Tenant, "acme", at(1)).await;
    assert_eq!(all(&world, older(0)).await, 0);
    // Of what is gone the records may go earlier.
    let earlier = Keep {
        gone_before: at(2),
        ..older(1)
    };
    assert_eq!(
        all(&world, earlier).await,
        4,
        "alive0, dead0, dead1, tenant"
    );
    let later = Keep {
        gone_before: at(2),
        ..older(100)
    };
    assert_eq!(all(&world, later).await, 3, "alive1 to alive3");
    assert_eq!(all(&world, older(100)).await, 3, "dead2 to dead4");
    assert_eq!(all(&world, older(100)).await, 0);
    assert_eq!(left(&world).await, ["alive4", "young"]);
    world.kept_numbers_agree().await;
}

async fn of_too_many_the_oldest_go(world: World) {
    registry(&world).await;
    record(&world, "alive", Kind::Broker, "b1", at(-1)).await;
    for n in 0..6 {
        record(&world, &format!("dead{n}"), Kind::Broker, "gone", at(n)).await;
    }
    let at_most = |many| Keep {
        at_most: Some(many),
        ..older(-100)
    };
    assert_eq!(all(&world, at_most(7)).await, 0);
    assert_eq!(all(&world, at_most(3)).await, 3);
    assert_eq!(
        left(&world).await,
        ["alive", "dead3", "dead4", "dead5"],
        "the last one of what lives stays, however many there are"
    );
    assert_eq!(all(&world, at_most(0)).await, 3);
    assert_eq!(left(&world).await, ["alive"]);
}

async fn a_cascade_that_goes_on_is_kept_whole(world: World) {
    let held = root(&world, "root").await;
    let child = Operation {
        state: State::Failed,
        family: Family {
            parent: Some(held.id.clone()),
            root: Some(held.id.clone()),
        },
        ..operation("child", Kind::Instance, "gone")
    };
    change!(world, [child], tx => table::record(tx, &child, None).await).unwrap();
    let keep = Keep {
        at_most: Some(0),
        ..older(1_000)
    };
    assert_eq!(all(&world, keep).await, 0);
    change!(world, [held], tx => {
        table::finish(tx, &held, State::Failed, None, "", at(5)).await.map(drop)
    })
    .unwrap();
    assert_eq!(all(&world, keep).await, 2, "all of it has ended");
}

async fn root(world: &World, id: &str) -> Held {
    let new = NewOperation {
        operation: Operation {
            state: State::Pending,
            family: Family {
                parent: None,
                root: Some(OperationId::stored(id.to_owned())),
            },
            ..operation(id, Kind::Tenant, "acme")
        },
        tenant: None,
        work: b"{}".to_vec(),
        keep_on_failure: false,
        owner: "first".to_owned(),
        lease_until: at(100),
    };
    match change!(world, [new], tx => table::family::insert(tx, &new).await).unwrap() {
        Began::Begun(held) => held,
        Began::Busy(other) => panic!("{other:?}"),
    }
}

async fn many_go_step_by_step(world: World) {
    let many = 2_345;
    change!(world, [], tx => {
        for n in 0..many {
            let it = Operation {
                state: State::Succeeded,
                updated_at: at(n % 7),
                ..operation(&format!("o{n}"), Kind::Broker, "gone")
            };
            table::record(tx, &it, None).await?;
        }
        Ok(())
    })
    .unwrap();
    let first = expire(&world.store, older(3), ExpiryPlace::START)
        .await
        .unwrap();
    assert!(first.removed <= 1_000, "{first:?}");
    assert!(first.next.is_some());
    all(&world, older(3)).await;
    let old = (0..many).filter(|n| n % 7 < 3).count();
    assert_eq!(
        left(&world).await.len(),
        usize::try_from(many).unwrap() - old
    );
    world.kept_numbers_agree().await;
}
