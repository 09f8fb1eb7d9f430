//! Several want the same: exactly one gets it.

use super::{act, at, begin, begun, done, outcome, permit, provision, ready, settle};
use crate::engines::{World, on_both};
use crate::samples::registry;
use qm_model::Kind;
use qm_model::operation::Verb;
use qm_store::deed::{self, Begun, Effect, Intent, Next};
use qm_store::{Error, operation as table};
use tokio::task::JoinSet;

on_both!(one_begins, one_takes_over, the_holder_a_worker_and_a_delete,);

const ROUNDS: usize = 12;
const CALLERS: usize = 16;

async fn one_begins(world: World) {
    registry(&world).await;
    let other = world.another().await;
    let mut callers = JoinSet::new();
    for round in 0..ROUNDS {
        for n in 0..CALLERS {
            let store = [&world.store, &other][n % 2].clone();
            let intent = match n % 4 {
                3 => act(Verb::Delete, Kind::Instance, &format!("i{round}")),
                _ => provision(&format!("i{round}")),
            };
            callers.spawn(async move { (round, begin(&store, intent).await.unwrap()) });
        }
    }
    let mut won = [0; ROUNDS];
    for (round, answer) in callers.join_all().await {
        match answer {
            Begun::Begun(_) => won[round] += 1,
            Begun::Taken => {}
            Begun::NameTaken | Begun::Referenced(_) | Begun::Terminating => panic!(),
        }
    }
    assert_eq!(won, [1; ROUNDS]);
    let creates = world.number("SELECT count(*) FROM operation WHERE type = 'create'");
    let rows = world.number("SELECT count(*) FROM instance");
    assert_eq!(
        creates.await,
        rows.await,
        "a row for each create, and no other"
    );
    world.kept_numbers_agree().await;
}

async fn one_takes_over(world: World) {
    registry(&world).await;
    let other = world.another().await;
    let mut callers = JoinSet::new();
    for round in 0..ROUNDS {
        let id = format!("i{round}");
        let held = begun(&world, provision(&id)).await;
        let polling = Next::Polling {
            broker_operation: None,
            due: at(60),
            description: String::new(),
        };
        settle(&world, outcome(&held, polling, Effect::None))
            .await
            .unwrap();
        for n in 0..6 {
            let store = [&world.store, &other][n % 2].clone();
            let intent = Intent {
                over: Some((held.id.clone(), 1)),
                ..act(Verb::Delete, Kind::Instance, &id)
            };
            callers.spawn(async move { (round, begin(&store, intent).await) });
        }
    }
    let mut won = [0; ROUNDS];
    for (round, answer) in callers.join_all().await {
        match answer {
            Ok(Begun::Begun(_)) => won[round] += 1,
            Ok(Begun::Taken) | Err(Error::Database(qm_db::Error::Busy { .. })) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(won, [1; ROUNDS]);
}

/// The lease has just run out: the holder comes with its outcome, a worker claims, a caller takes, a delete takes over.
/// What one of them did is whole, and the holder's outcome counts only if it came first.
async fn the_holder_a_worker_and_a_delete(world: World) {
    registry(&world).await;
    let other = world.another().await;
    for round in 0..ROUNDS {
        let id = format!("i{round}");
        let held = begun(&world, provision(&id)).await;
        let mut callers = JoinSet::new();
        let (store, settlement) = (world.store.clone(), outcome(&held, done(), ready(&id)));
        callers.spawn(async move {
            match deed::settle(&store, &permit(), settlement).await {
                Ok(_) => Some("settled"),
                Err(Error::Fenced) => None,
                Err(other) => panic!("{other:?}"),
            }
        });
        let (store, name) = (other.clone(), held.id.clone());
        callers.spawn(async move {
            let taken = deed::take(&store, &name, 1, "caller", at(100), at(900));
            taken.await.unwrap().map(|_| "taken")
        });
        let store = other.clone();
        callers.spawn(async move {
            let claimed = table::claim(&store, "worker", at(100), at(900), 1);
            claimed.await.unwrap().first().map(|_| "claimed")
        });
        let (store, name) = (world.store.clone(), id.clone());
        let over = held.id.clone();
        callers.spawn(async move {
            let intent = Intent {
                over: Some((over, 1)),
                lease_until: at(10_000),
                ..act(Verb::Delete, Kind::Instance, &name)
            };
            match begin(&store, intent).await {
                Ok(Begun::Begun(_)) => Some("taken over"),
                Ok(Begun::Taken) | Err(Error::Database(qm_db::Error::Busy { .. })) => None,
                other => panic!("{other:?}"),
            }
        });
        let won: Vec<&str> = callers.join_all().await.into_iter().flatten().collect();
        assert_eq!(won.len(), 1, "{won:?}");
        let told = world.number("SELECT count(*) FROM event WHERE id LIKE 'e-%'");
        let ready = world.number("SELECT count(*) FROM instance WHERE ready");
        assert_eq!(told.await, ready.await, "an event for each that is ready");
    }
}
