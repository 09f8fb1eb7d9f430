//! Under load callers give up, connections are cut and replicas share the work; what was begun is whole or not there.

use super::{done, outcome, permit, provision, ready};
use crate::engines::{World, on_both, postgres};
use crate::samples::registry;
use qm_store::deed::{self, Begun};
use qm_store::{Error, Store};
use tokio::task::JoinSet;

on_both!(callers_that_give_up);

/// Each row that must not be there without another, and each that must be there once.
async fn is_whole(world: &World) {
    for sql in [
        "SELECT count(*) FROM instance i WHERE NOT EXISTS (SELECT 1 FROM operation o WHERE o.resource_id = i.id)",
        "SELECT count(*) FROM operation o WHERE NOT EXISTS (SELECT 1 FROM instance i WHERE i.id = o.resource_id)",
        "SELECT count(*) FROM instance i WHERE NOT EXISTS (SELECT 1 FROM label l WHERE l.object_id = i.id)",
        "SELECT count(*) FROM operation o WHERE (o.phase = 'done') <> EXISTS (SELECT 1 FROM event e WHERE e.id = 'e-' || o.id)",
        "SELECT count(*) FROM operation o WHERE (o.phase = 'done') <> EXISTS (SELECT 1 FROM audit a WHERE a.resource_id = o.id)",
        "SELECT count(*) FROM operation o JOIN instance i ON i.id = o.resource_id WHERE (o.phase = 'done') <> i.ready",
        "SELECT count(*) - count(DISTINCT resource_id) FROM audit",
    ] {
        assert_eq!(world.number(sql).await, 0, "{sql}");
    }
}

/// A provision as the engine does it. The answer says what it was told.
async fn deed(store: Store, id: String) -> Result<(), Error> {
    let begun = deed::begin(&store, &permit(), provision(&id)).await?;
    let Begun::Begun(held) = begun else { panic!() };
    tokio::task::yield_now().await;
    let settlement = outcome(&held, done(), ready(&id));
    deed::settle(&store, &permit(), settlement).await.map(drop)
}

async fn callers_that_give_up(world: World) {
    registry(&world).await;
    let mut callers = JoinSet::new();
    for n in 0..400 {
        let run = deed(world.store.clone(), format!("i{n}"));
        callers.spawn(async move {
            // As many steps as chance allows, then the caller is gone.
            let patience = (n * 7) % 13;
            tokio::pin!(run);
            for _ in 0..patience {
                tokio::select! {
                    biased;
                    answer = &mut run => return answer.is_ok(),
                    () = tokio::task::yield_now() => {}
                }
            }
            if n % 3 == 0 { run.await.is_ok() } else { false }
        });
    }
    let served = callers
        .join_all()
        .await
        .into_iter()
        .filter(|ok| *ok)
        .count();
    assert!(served >= 100, "those who wait are served: {served}");
    // Whatever was begun is done with when the store is closed.
    world.store.close().await;
    is_whole(&world).await;
    let done = world
        .number("SELECT count(*) FROM operation WHERE phase = 'done'")
        .await;
    assert!(done >= i64::try_from(served).unwrap());
}

/// The server cuts every connection again and again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_that_are_cut() {
    let Some(world) = postgres().await else {
        return;
    };
    registry(&world).await;
    let mut callers = JoinSet::new();
    for n in 0..600 {
        callers.spawn(deed(world.store.clone(), format!("i{n}")));
    }
    let killer = world.beneath().await;
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    let mut served = 0;
    while let Some(answer) = callers.join_next().await {
        match answer.unwrap() {
            Ok(()) => served += 1,
            Err(Error::Database(
                qm_db::Error::Unknown
                | qm_db::Error::Unavailable { .. }
                | qm_db::Error::Busy { .. },
            )) => {}
            Err(other) => panic!("{other:?}"),
        }
        if callers.len() % 60 == 59 {
            killer.query(cut, vec![]).await.unwrap();
        }
    }
    is_whole(&world).await;
    let done = world
        .number("SELECT count(*) FROM operation WHERE phase = 'done'")
        .await;
    assert!(
        done >= served,
        "what was said to be stored is: {done} of {served}"
    );
    // And it goes on.
    deed(world.store.clone(), "after".to_owned()).await.unwrap();
}
