//! A transaction is done whole or not at all, and answers for nobody else.

use crate::engines::{World, on_all};
use qm_db::{Error, Tx};

on_all!(
    an_error_rolls_back,
    a_panic_rolls_back,
    one_failure_among_many_is_alone,
    going_on_after_a_failure_is_refused,
    awaiting_the_world_is_refused,
    a_dropped_statement_is_refused,
    a_reader_sees_what_was_committed,
    a_reader_cannot_write,
    a_reader_sees_one_state,
    a_look_up_is_a_read,
    many_look_up_at_once,
    the_callers_own_error_comes_back,
    a_dropped_future_breaks_nobody,
    a_deferred_constraint_fails_alone,
);

#[derive(Debug)]
enum Own {
    Enough,
    Db(Error),
}

impl From<Error> for Own {
    fn from(error: Error) -> Self {
        Self::Db(error)
    }
}

async fn put(tx: &Tx<'_>, id: &str, n: i64) -> Result<(), Error> {
    tx.execute("INSERT INTO item (id, n) VALUES ($1, $2)", &[&id, &n])
        .await
        .map(drop)
}

async fn an_error_rolls_back(world: World) {
    let world = world.with_table().await;
    let result = world
        .db
        .transaction(async move |tx| {
            put(tx, "a", 1).await?;
            put(tx, "b", 1).await?;
            tx.execute("INSERT INTO nowhere (id) VALUES ($1)", &[&"c"])
                .await?;
            Ok::<_, Error>(())
        })
        .await;
    assert!(matches!(result, Err(Error::Statement { .. })), "{result:?}");
    assert_eq!(world.count().await, 0);
}

async fn a_panic_rolls_back(world: World) {
    let world = world.with_table().await;
    let result = world
        .db
        .transaction(async move |tx| {
            put(tx, "a", 1).await?;
            if tx.query_opt("SELECT 1 FROM item", &[]).await?.is_some() {
                panic!("on purpose");
            }
            Ok::<_, Error>(())
        })
        .await;
    assert!(matches!(result, Err(Error::Panicked)), "{result:?}");
    assert_eq!(world.count().await, 0);
    world
        .db
        .transaction(async move |tx| put(tx, "a", 1).await)
        .await
        .unwrap();
    assert_eq!(world.count().await, 1);
}

/// Two hundred at once, so that SQLite commits them in groups; every third fails half way.
async fn one_failure_among_many_is_alone(world: World) {
    let world = world.with_table().await;
    let tasks: Vec<_> = (0..200)
        .map(|n: i64| {
            let db = world.db.clone();
            tokio::spawn(async move {
                db.transaction(async move |tx| {
                    put(tx, &format!("a{n}"), n).await?;
                    put(tx, &format!("b{n}"), n).await?;
                    if n % 3 == 0 { Err(Own::Enough) } else { Ok(n) }
                })
                .await
            })
        })
        .collect();
    for (n, task) in tasks.into_iter().enumerate() {
        match task.await.unwrap() {
            Ok(told) => assert!(told % 3 != 0 && told == i64::try_from(n).unwrap()),
            Err(Own::Enough) => assert!(n % 3 == 0),
            Err(Own::Db(error)) => panic!("{error}"),
        }
    }
    let kept = (0..200).filter(|n| n % 3 != 0).count() * 2;
    assert_eq!(world.count().await, i64::try_from(kept).unwrap());
    assert_eq!(
        world.one("SELECT count(*) FROM item WHERE n % 3 = 0").await,
        0
    );
}

async fn going_on_after_a_failure_is_refused(world: World) {
    let world = world.with_table().await;
    world
        .db
        .transaction(async move |tx| put(tx, "a", 1).await)
        .await
        .unwrap();
    let result = world
        .db
        .transaction(async move |tx| {
            put(tx, "b", 1).await?;
            let conflict = put(tx, "a", 2).await;
            assert!(
                matches!(conflict, Err(Error::Unique { .. })),
                "{conflict:?}"
            );
            let next = put(tx, "c", 3).await;
            assert!(matches!(next, Err(Error::Doomed)), "{next:?}");
            Ok::<_, Error>(())
        })
        .await;
    assert!(matches!(result, Err(Error::Doomed)), "{result:?}");
    assert_eq!(world.count().await, 1);
}

async fn awaiting_the_world_is_refused(world: World) {
    let world = world.with_table().await;
    let result = world
        .db
        .transaction(async move |tx| {
            put(tx, "a", 1).await?;
            std::future::pending::<()>().await;
            Ok::<_, Error>(())
        })
        .await;
    assert!(matches!(result, Err(Error::Strayed)), "{result:?}");
    assert_eq!(world.count().await, 0);
}

/// PostgreSQL would turn COMMIT into ROLLBACK without a word if the unseen statement failed. On
/// SQLite a statement that was never awaited never began.
async fn a_dropped_statement_is_refused(world: World) {
    let world = world.with_table().await;
    let result = world
        .db
        .transaction(async move |tx| {
            put(tx, "a", 1).await?;
            let mut lost = Box::pin(tx.execute("INSERT INTO nowhere VALUES (1)", &[]));
            let first =
                std::future::poll_fn(|cx| std::task::Poll::Ready(lost.as_mut().poll(cx))).await;
            drop(first);
            drop(lost);
            Ok::<_, Error>(())
        })
        .await;
    assert!(matches!(result, Err(Error::Doomed)), "{result:?}");
    assert_eq!(world.count().await, 0);
}

async fn a_reader_sees_what_was_committed(world: World) {
    let world = world.with_table().await;
    for n in 0..50 {
        world
            .db
            .transaction(async move |tx| put(tx, &format!("{n}"), n).await)
            .await
            .unwrap();
        assert_eq!(world.count().await, n + 1);
        let read = world.db.read(async move |tx| {
            let row = tx.query_opt("SELECT count(*) FROM item", &[]).await?;
            row.map(|row| row.get::<i64>(0)).transpose()
        });
        assert_eq!(read.await.unwrap(), Some(n + 1));
    }
}

async fn a_reader_cannot_write(world: World) {
    let world = world.with_table().await;
    let write = world.db.read(async move |tx| put(tx, "a", 1).await).await;
    assert!(matches!(write, Err(Error::Statement { .. })), "{write:?}");
    for _ in 0..2 {
        let write = world
            .db
            .query(
                "INSERT INTO item (id, n) VALUES ('x', 1) RETURNING id",
                vec![],
            )
            .await;
        assert!(matches!(write, Err(Error::Statement { .. })), "{write:?}");
    }
    assert_eq!(world.count().await, 0);
}

/// A writer adds two rows at a time; a reader must never see an odd number, nor two numbers.
async fn a_reader_sees_one_state(world: World) {
    let world = world.with_table().await;
    let writer = tokio::spawn({
        let db = world.db.clone();
        async move {
            for n in 0..100 {
                db.transaction(async move |tx| {
                    put(tx, &format!("a{n}"), n).await?;
                    put(tx, &format!("b{n}"), n).await
                })
                .await
                .unwrap();
            }
        }
    });
    while !writer.is_finished() {
        let (first, second) = world
            .db
            .read(async move |tx| {
                let first: i64 = tx.query("SELECT count(*) FROM item", &[]).await?[0].get(0)?;
                let second: i64 = tx.query("SELECT count(id) FROM item", &[]).await?[0].get(0)?;
                Ok::<_, Error>((first, second))
            })
            .await
            .unwrap();
        assert_eq!(first, second);
        assert_eq!(first % 2, 0);
    }
    writer.await.unwrap();
    assert_eq!(world.count().await, 200);
}

async fn a_look_up_is_a_read(world: World) {
    let world = world.with_table().await;
    let insert = "INSERT INTO item (id, n) VALUES ($1, $2)";
    let row = vec!["a".into(), 1i64.into()];
    world.db.execute(insert, row).await.unwrap();
    let found = world
        .db
        .look_up(async move |tx| tx.query("SELECT n FROM item WHERE id = $1", &[&"a"]).await)
        .await
        .unwrap();
    assert_eq!(found[0].get::<i64>(0).unwrap(), 1);
    let write = world
        .db
        .look_up(async move |tx| put(tx, "b", 1).await)
        .await;
    assert!(write.is_err(), "{write:?}");
    let panicked = world
        .db
        .look_up(async move |_| -> Result<(), Error> { panic!("falls") })
        .await;
    assert!(matches!(panicked, Err(Error::Panicked)), "{panicked:?}");
    let own = world
        .db
        .look_up(async move |_| Err::<(), _>(Own::Enough))
        .await;
    assert!(matches!(own, Err(Own::Enough)), "{own:?}");
    assert_eq!(world.count().await, 1);
    world.db.close().await;
    let late = world.db.look_up(async move |_| Ok::<_, Error>(())).await;
    assert!(matches!(late, Err(Error::Closed)), "{late:?}");
}

/// More than there are connections for it, on threads of their own, while somebody writes.
async fn many_look_up_at_once(world: World) {
    let world = world.with_table().await;
    let mut tasks = tokio::task::JoinSet::new();
    for n in 0..64i64 {
        let db = world.db.clone();
        tasks.spawn(async move {
            let id = n.to_string();
            let row = vec![id.clone().into(), n.into()];
            let insert = "INSERT INTO item (id, n) VALUES ($1, $2)";
            db.execute(insert, row).await.unwrap();
            let look =
                async move |tx: &Tx<'_>| tx.query("SELECT n FROM item WHERE id = $1", &[&id]).await;
            let found = db.look_up(look).await.unwrap();
            assert_eq!(found[0].get::<i64>(0).unwrap(), n);
        });
    }
    while let Some(done) = tasks.join_next().await {
        done.unwrap();
    }
}

async fn the_callers_own_error_comes_back(world: World) {
    let world = world.with_table().await;
    let result = world
        .db
        .transaction(async move |_| Err::<(), _>(Own::Enough))
        .await;
    assert!(matches!(result, Err(Own::Enough)), "{result:?}");
    let result = world
        .db
        .transaction(async move |tx| Ok::<_, Own>(put(tx, "a", 2_000_000).await?))
        .await;
    assert!(
        matches!(result, Err(Own::Db(Error::Check { .. }))),
        "{result:?}"
    );
}

/// Half of the callers give up at once or a little later. Every transaction writes two rows, and
/// none of them may be found with one.
async fn a_dropped_future_breaks_nobody(world: World) {
    let world = world.with_table().await;
    let mut kept = Vec::new();
    for n in 0..200_i64 {
        let db = world.db.clone();
        let task = tokio::spawn(async move {
            db.transaction(async move |tx| {
                put(tx, &format!("a{n}"), n).await?;
                put(tx, &format!("b{n}"), n).await
            })
            .await
        });
        if n % 2 == 0 {
            kept.push(task);
        } else {
            if n % 4 == 1 {
                tokio::task::yield_now().await;
            }
            task.abort();
        }
    }
    for task in kept {
        task.await.unwrap().unwrap();
    }
    world
        .db
        .transaction(async move |tx| put(tx, "end", -1).await)
        .await
        .unwrap();
    world.db.close().await;
    if world.address.contains(":memory:") {
        return;
    }
    let db = world.another().await;
    let rows = db
        .query(
            "SELECT n, count(*) FROM item WHERE n >= 0 GROUP BY n",
            vec![],
        )
        .await
        .unwrap();
    assert!(rows.iter().all(|row| row.get::<i64>(1).unwrap() == 2));
    let even = rows
        .iter()
        .filter(|row| row.get::<i64>(0).unwrap() % 2 == 0)
        .count();
    assert_eq!(even, 100);
}

/// A deferred constraint is checked by COMMIT, and on SQLite one COMMIT is for many callers.
async fn a_deferred_constraint_fails_alone(world: World) {
    let world = world.with_table().await;
    let sql = "CREATE TABLE child (id TEXT PRIMARY KEY,
               parent TEXT REFERENCES item (id) DEFERRABLE INITIALLY DEFERRED)";
    world.db.execute(sql, vec![]).await.unwrap();
    let tasks: Vec<_> = (0..60)
        .map(|n: i64| {
            let db = world.db.clone();
            tokio::spawn(async move {
                db.transaction(async move |tx| {
                    let id = format!("i{n}");
                    tx.execute("INSERT INTO child (id, parent) VALUES ($1, $1)", &[&id])
                        .await?;
                    if n % 5 != 0 {
                        put(tx, &id, n).await?;
                    }
                    Ok::<_, Error>(())
                })
                .await
            })
        })
        .collect();
    for (n, task) in tasks.into_iter().enumerate() {
        let result = task.await.unwrap();
        match n % 5 {
            0 => assert!(
                matches!(result, Err(Error::ForeignKey { .. })),
                "{result:?}"
            ),
            _ => result.unwrap(),
        }
    }
    assert_eq!(world.count().await, 48);
    assert_eq!(world.one("SELECT count(*) FROM child").await, 48);
}
