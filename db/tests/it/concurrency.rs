//! Many callers, several handles: no update is lost, nothing is counted twice.

use crate::engines::{World, on_all, on_shared};
use qm_db::{Db, Error};

on_all!(counters_in_one_statement, counters_read_then_written);

mod two_handles {
    use super::{counters_with_two_handles, on_shared, write_skew_is_refused};

    on_shared!(counters_with_two_handles, write_skew_is_refused);
}

async fn add_one(db: Db) {
    db.transaction(async move |tx| {
        let row = tx
            .query_opt("SELECT n FROM item WHERE id = 'c'", &[])
            .await?;
        let n: i64 = row.map(|row| row.get(0)).transpose()?.unwrap_or_default();
        tx.execute("UPDATE item SET n = $1 WHERE id = 'c'", &[&(n + 1)])
            .await?;
        Ok::<_, Error>(())
    })
    .await
    .unwrap();
}

async fn all<F: Future<Output = ()> + Send + 'static>(work: impl Iterator<Item = F>) {
    let tasks: Vec<_> = work.map(tokio::spawn).collect();
    for task in tasks {
        task.await.unwrap();
    }
}

async fn start(world: World) -> World {
    let world = world.with_table().await;
    world
        .db
        .execute("INSERT INTO item (id, n) VALUES ('c', 0)", vec![])
        .await
        .unwrap();
    world
}

async fn counters_in_one_statement(world: World) {
    let world = start(world).await;
    let db = world.db.clone();
    all((0..300).map(move |_| {
        let db = db.clone();
        async move {
            db.execute("UPDATE item SET n = n + 1 WHERE id = 'c'", vec![])
                .await
                .unwrap();
        }
    }))
    .await;
    assert_eq!(world.one("SELECT n FROM item").await, 300);
}

async fn counters_read_then_written(world: World) {
    let world = start(world).await;
    let db = world.db.clone();
    all((0..150).map(move |_| add_one(db.clone()))).await;
    assert_eq!(world.one("SELECT n FROM item").await, 150);
}

async fn counters_with_two_handles(world: World) {
    let world = start(world).await;
    let handles = [world.db.clone(), world.another().await];
    all((0..120).map(move |n| add_one(handles[n % 2].clone()))).await;
    assert_eq!(world.one("SELECT n FROM item").await, 120);
}

/// Each of two transactions reads what the other writes. One after the other, exactly one of them
/// may still go off duty.
async fn write_skew_is_refused(world: World) {
    let world = world.with_table().await;
    let handles = [world.db.clone(), world.another().await];
    for round in 0..20 {
        world.db.execute("DELETE FROM item", vec![]).await.unwrap();
        world
            .db
            .execute("INSERT INTO item (id, n) VALUES ('a', 1), ('b', 1)", vec![])
            .await
            .unwrap();
        let tasks: Vec<_> = ["a", "b"]
            .into_iter()
            .zip(handles.clone())
            .map(|(who, db)| {
                tokio::spawn(async move {
                    db.transaction(async move |tx| {
                        let on: i64 = tx
                            .query("SELECT count(*) FROM item WHERE n = 1", &[])
                            .await?[0]
                            .get(0)?;
                        if on > 1 {
                            tx.execute("UPDATE item SET n = 0 WHERE id = $1", &[&who])
                                .await?;
                        }
                        Ok::<_, Error>(())
                    })
                    .await
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap().unwrap();
        }
        assert_eq!(
            world.one("SELECT count(*) FROM item WHERE n = 1").await,
            1,
            "round {round}"
        );
    }
}
