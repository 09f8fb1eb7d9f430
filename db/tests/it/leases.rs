//! Leases and fences: one holder at a time, and an old one cannot write.

use std::collections::HashSet;

use crate::engines::{World, on_all, on_shared};
use qm_db::lease::{Leases, Work};
use qm_db::{Db, Error, Value};

on_all!(
    a_claim_takes_what_is_due,
    an_expired_lease_is_taken_over,
    an_old_fence_is_refused,
    a_released_row_comes_back_when_due,
    a_row_is_taken_by_its_key,
    keys_of_two_columns,
);

mod contended {
    use super::{on_shared, two_workers_never_hold_one_row};

    on_shared!(two_workers_never_hold_one_row);
}

const WORK: Work = Work {
    table: "work",
    key: &["id"],
    ready: "state <> 'done'",
    columns: &["state"],
};

async fn leases(db: &Db) -> Leases {
    db.execute(
        "CREATE TABLE work (id TEXT PRIMARY KEY, state TEXT NOT NULL, due_at BIGINT NOT NULL,
         lease_owner TEXT, lease_until BIGINT, fence BIGINT NOT NULL DEFAULT 0)",
        vec![],
    )
    .await
    .unwrap();
    Leases::new(db.dialect(), WORK)
}

async fn add(db: &Db, id: &str, state: &str, due: i64) {
    let sql = "INSERT INTO work (id, state, due_at) VALUES ($1, $2, $3)";
    db.execute(sql, vec![id.into(), state.into(), due.into()])
        .await
        .unwrap();
}

fn ids(leases: &[qm_db::lease::Lease]) -> Vec<Value> {
    let mut ids: Vec<Value> = leases.iter().map(|lease| lease.key[0].clone()).collect();
    ids.sort_by_key(|id| match id {
        Value::Text(text) => text.clone(),
        _ => panic!("a key that is not text"),
    });
    ids
}

async fn a_claim_takes_what_is_due(world: World) {
    let (db, work) = (&world.db, leases(&world.db).await);
    add(db, "a", "new", 10).await;
    add(db, "b", "new", 20).await;
    add(db, "c", "new", 30).await;
    add(db, "later", "new", 200).await;
    add(db, "done", "done", 1).await;
    let first = work.claim(db, "w1", 100, 150, 2).await.unwrap();
    assert_eq!(ids(&first), vec!["a".into(), "b".into()]);
    assert!(
        first
            .iter()
            .all(|lease| lease.fence == 1 && lease.owner == "w1")
    );
    assert_eq!(first[0].row.get::<String>(0).unwrap(), "new");
    let second = work.claim(db, "w2", 100, 150, 10).await.unwrap();
    assert_eq!(ids(&second), vec!["c".into()]);
    assert!(work.claim(db, "w3", 100, 150, 10).await.unwrap().is_empty());
}

async fn an_expired_lease_is_taken_over(world: World) {
    let (db, work) = (&world.db, leases(&world.db).await);
    add(db, "a", "new", 10).await;
    work.claim(db, "w1", 100, 150, 1).await.unwrap();
    assert!(work.claim(db, "w2", 149, 200, 1).await.unwrap().is_empty());
    let taken = work.claim(db, "w2", 150, 200, 1).await.unwrap();
    assert_eq!(taken[0].fence, 2);
}

async fn an_old_fence_is_refused(world: World) {
    let (db, work) = (&world.db, leases(&world.db).await);
    add(db, "a", "new", 10).await;
    let old = work.claim(db, "w1", 100, 150, 1).await.unwrap().remove(0);
    work.renew(db, &old, 160).await.unwrap();
    let new = work.claim(db, "w1", 160, 200, 1).await.unwrap().remove(0);
    assert!(matches!(
        work.renew(db, &old, 300).await,
        Err(Error::Fenced)
    ));
    assert!(matches!(
        work.release(db, &old, None).await,
        Err(Error::Fenced)
    ));
    let (leases, lease) = (work.clone(), old.clone());
    let outcome = db
        .transaction(async move |tx| {
            tx.execute("UPDATE work SET state = 'spoilt'", &[]).await?;
            leases.hold_in(tx, &lease).await
        })
        .await;
    assert!(matches!(outcome, Err(Error::Fenced)), "{outcome:?}");
    let (leases, lease) = (work.clone(), new.clone());
    db.transaction(async move |tx| {
        leases.hold_in(tx, &lease).await?;
        tx.execute(
            "UPDATE work SET state = 'done' WHERE id = $1",
            &[&lease.key[0]],
        )
        .await?;
        leases.release_in(tx, &lease, None).await
    })
    .await
    .unwrap();
    assert!(matches!(
        work.renew(db, &new, 300).await,
        Err(Error::Fenced)
    ));
    assert_eq!(
        world
            .one("SELECT count(*) FROM work WHERE state = 'done' AND lease_owner IS NULL")
            .await,
        1
    );
}

async fn a_released_row_comes_back_when_due(world: World) {
    let (db, work) = (&world.db, leases(&world.db).await);
    add(db, "a", "new", 10).await;
    let lease = work.claim(db, "w1", 100, 150, 1).await.unwrap().remove(0);
    work.release(db, &lease, Some(500)).await.unwrap();
    assert!(work.claim(db, "w2", 499, 600, 1).await.unwrap().is_empty());
    let lease = work.claim(db, "w2", 500, 600, 1).await.unwrap().remove(0);
    assert_eq!(lease.fence, 2);
    work.release(db, &lease, None).await.unwrap();
    assert_eq!(work.claim(db, "w2", 500, 600, 1).await.unwrap()[0].fence, 3);
}

async fn a_row_is_taken_by_its_key(world: World) {
    let (db, work) = (&world.db, leases(&world.db).await);
    add(db, "a", "new", 1000).await;
    add(db, "d", "done", 10).await;
    let lease = work
        .take(db, &["a".into()], "w1", 100, 150)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(lease.fence, 1);
    assert!(
        work.take(db, &["a".into()], "w2", 100, 150)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        work.take(db, &["d".into()], "w2", 100, 150)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        work.take(db, &["nobody".into()], "w2", 100, 150)
            .await
            .unwrap()
            .is_none()
    );
}

async fn keys_of_two_columns(world: World) {
    let db = &world.db;
    db.execute(
        "CREATE TABLE pair (a TEXT, b BIGINT, due_at BIGINT NOT NULL, lease_owner TEXT,
         lease_until BIGINT, fence BIGINT NOT NULL DEFAULT 0, PRIMARY KEY (a, b))",
        vec![],
    )
    .await
    .unwrap();
    db.execute(
        "INSERT INTO pair (a, b, due_at) VALUES ('x', 1, 5), ('x', 2, 6)",
        vec![],
    )
    .await
    .unwrap();
    let work = Work {
        table: "pair",
        key: &["a", "b"],
        ready: "TRUE",
        columns: &[],
    };
    let leases = Leases::new(db.dialect(), work);
    let lease = leases.claim(db, "w", 10, 20, 1).await.unwrap().remove(0);
    assert_eq!(lease.key, vec!["x".into(), 1.into()]);
    leases.renew(db, &lease, 30).await.unwrap();
    let rest = leases.claim(db, "w", 25, 40, 9).await.unwrap();
    assert_eq!(rest[0].key, vec!["x".into(), 2.into()]);
    assert_eq!(rest.len(), 1);
    leases.release(db, &lease, None).await.unwrap();
}

/// Eight workers on two handles claim in turn until nothing is left. No row is handed out twice.
async fn two_workers_never_hold_one_row(world: World) {
    let (db, work) = (&world.db, leases(&world.db).await);
    for n in 0..200 {
        add(db, &format!("{n}"), "new", n).await;
    }
    let handles = [db.clone(), world.another().await];
    let tasks: Vec<_> = (0..8)
        .map(|n| {
            let (db, work) = (handles[n % 2].clone(), work.clone());
            tokio::spawn(async move {
                let mut mine = Vec::new();
                loop {
                    let claimed = work
                        .claim(&db, &format!("w{n}"), 1000, 2000, 3)
                        .await
                        .unwrap();
                    if claimed.is_empty() {
                        return mine;
                    }
                    assert!(claimed.iter().all(|lease| lease.fence == 1));
                    mine.extend(claimed.into_iter().map(|lease| match &lease.key[0] {
                        Value::Text(id) => id.clone(),
                        _ => panic!("a key that is not text"),
                    }));
                }
            })
        })
        .collect();
    let mut seen = HashSet::new();
    for task in tasks {
        for id in task.await.unwrap() {
            assert!(seen.insert(id.clone()), "{id} was handed out twice");
        }
    }
    // A worker that found all free rows locked by others ends early; that loses none of them.
    let rest = work.claim(db, "last", 1000, 2000, 500).await.unwrap();
    assert_eq!(seen.len() + rest.len(), 200);
}
