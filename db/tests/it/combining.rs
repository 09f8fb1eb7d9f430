//! The combiner: many callers' rows in one statement, each with its own outcome.

use crate::engines::{World, on_all};
use qm_db::combine::{Kind, Outcome, Script, Shape, Write};
use qm_db::{Error, Value};

on_all!(
    every_caller_gets_its_own_outcome,
    a_bad_row_fails_alone,
    updates_find_their_rows,
    an_old_fence_changes_nothing,
    upserts_take_turns,
    every_kind_goes_through,
    what_does_not_fit_is_refused_before,
    it_ends_with_the_store,
);

const ITEM: Shape = Shape {
    table: "item",
    columns: &[("id", Kind::Text), ("n", Kind::Int), ("tag", Kind::Text)],
    key: &["id"],
    write: Write::Insert,
};

fn item(id: impl Into<String>, n: i64, tag: Option<&str>) -> Vec<Value> {
    vec![id.into().into(), n.into(), tag.into()]
}

async fn every_caller_gets_its_own_outcome(world: World) {
    let world = world.with_table().await;
    let combiner = world.db.combiner(&ITEM).unwrap();
    // Each id comes three times; exactly one of them is written.
    let tasks: Vec<_> = (0..300)
        .map(|n: i64| {
            let combiner = combiner.clone();
            tokio::spawn(async move {
                (
                    n / 3,
                    combiner
                        .write(item(format!("{}", n / 3), n, None))
                        .await
                        .unwrap(),
                )
            })
        })
        .collect();
    let mut written = vec![0; 100];
    for task in tasks {
        let (id, outcome) = task.await.unwrap();
        if outcome == Outcome::Written {
            written[usize::try_from(id).unwrap()] += 1;
        }
    }
    assert!(written.iter().all(|count| *count == 1));
    assert_eq!(world.count().await, 100);
}

async fn a_bad_row_fails_alone(world: World) {
    let world = world.with_table().await;
    world
        .db
        .execute(
            "INSERT INTO item (id, n, tag) VALUES ('x', 1, 'taken')",
            vec![],
        )
        .await
        .unwrap();
    let combiner = world.db.combiner(&ITEM).unwrap();
    let tasks: Vec<_> = (0..200)
        .map(|n: i64| {
            let combiner = combiner.clone();
            tokio::spawn(async move {
                let row = match n % 20 {
                    3 => item(format!("{n}"), 99_999_999, None),
                    7 => item(format!("{n}"), n, Some("taken")),
                    _ => item(format!("{n}"), n, None),
                };
                combiner.write(row).await
            })
        })
        .collect();
    for (n, task) in tasks.into_iter().enumerate() {
        let result = task.await.unwrap();
        match n % 20 {
            3 => assert!(matches!(result, Err(Error::Check { .. })), "{result:?}"),
            7 => assert!(
                matches!(&result, Err(Error::Unique { columns, .. }) if columns == "tag"),
                "{result:?}"
            ),
            _ => assert_eq!(result.unwrap(), Outcome::Written),
        }
    }
    assert_eq!(world.count().await, 181);
}

async fn updates_find_their_rows(world: World) {
    let world = world.with_table().await;
    for n in 0..50 {
        let sql = "INSERT INTO item (id, n) VALUES ($1, 0)";
        world
            .db
            .execute(sql, vec![format!("{n}").into()])
            .await
            .unwrap();
    }
    let shape = Shape {
        columns: &[("n", Kind::Int), ("id", Kind::Text)],
        write: Write::Update,
        ..ITEM
    };
    let combiner = world.db.combiner(&shape).unwrap();
    let tasks: Vec<_> = (0..100)
        .map(|n: i64| {
            let combiner = combiner.clone();
            tokio::spawn(async move {
                combiner
                    .write(vec![n.into(), format!("{n}").into()])
                    .await
                    .unwrap()
            })
        })
        .collect();
    for (n, task) in tasks.into_iter().enumerate() {
        let expected = if n < 50 {
            Outcome::Written
        } else {
            Outcome::Skipped
        };
        assert_eq!(task.await.unwrap(), expected);
    }
    let right = "SELECT count(*) FROM item WHERE CAST(n AS TEXT) = id";
    assert_eq!(world.one(right).await, 50);
}

/// `fence` as part of the key: who has an old one changes nothing.
async fn an_old_fence_changes_nothing(world: World) {
    let db = &world.db;
    db.execute(
        "CREATE TABLE work (id TEXT PRIMARY KEY, fence BIGINT, state TEXT)",
        vec![],
    )
    .await
    .unwrap();
    db.execute("INSERT INTO work VALUES ('a', 2, 'busy')", vec![])
        .await
        .unwrap();
    let shape = Shape {
        table: "work",
        columns: &[
            ("id", Kind::Text),
            ("fence", Kind::Int),
            ("state", Kind::Text),
        ],
        key: &["id", "fence"],
        write: Write::Update,
    };
    let combiner = db.combiner(&shape).unwrap();
    let old = combiner
        .write(vec!["a".into(), 1.into(), "spoilt".into()])
        .await
        .unwrap();
    assert_eq!(old, Outcome::Skipped);
    let new = combiner
        .write(vec!["a".into(), 2.into(), "done".into()])
        .await
        .unwrap();
    assert_eq!(new, Outcome::Written);
    assert_eq!(
        world
            .one("SELECT count(*) FROM work WHERE state = 'done' AND fence = 2")
            .await,
        1
    );
}

async fn upserts_take_turns(world: World) {
    let world = world.with_table().await;
    let combiner = world
        .db
        .combiner(&Shape {
            write: Write::Upsert,
            ..ITEM
        })
        .unwrap();
    let tasks: Vec<_> = (0..60)
        .map(|n: i64| {
            let combiner = combiner.clone();
            tokio::spawn(async move { combiner.write(item("same", n, None)).await.unwrap() })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), Outcome::Written);
    }
    assert_eq!(world.count().await, 1);
    combiner
        .write(item("same", 77, Some("last")))
        .await
        .unwrap();
    assert_eq!(world.one("SELECT n FROM item WHERE tag = 'last'").await, 77);
}

async fn every_kind_goes_through(world: World) {
    let db = &world.db;
    let sql =
        "CREATE TABLE kinds (i BIGINT PRIMARY KEY, b BOOLEAN, r DOUBLE PRECISION, t TEXT, d BYTEA)";
    db.execute(sql, vec![]).await.unwrap();
    let shape = Shape {
        table: "kinds",
        columns: &[
            ("i", Kind::Int),
            ("b", Kind::Bool),
            ("r", Kind::Real),
            ("t", Kind::Text),
            ("d", Kind::Blob),
        ],
        key: &["i"],
        write: Write::Insert,
    };
    let combiner = db.combiner(&shape).unwrap();
    combiner
        .write(vec![
            1.into(),
            true.into(),
            0.5.into(),
            "a,{b}\"".into(),
            vec![0_u8, 1].into(),
        ])
        .await
        .unwrap();
    combiner
        .write(vec![
            2.into(),
            Value::Null,
            Value::Null,
            Value::Null,
            Value::Null,
        ])
        .await
        .unwrap();
    let rows = db
        .query("SELECT b, r, t, d FROM kinds ORDER BY i", vec![])
        .await
        .unwrap();
    assert!(rows[0].get::<bool>(0).unwrap());
    assert!((rows[0].get::<f64>(1).unwrap() - 0.5).abs() < f64::EPSILON);
    assert_eq!(rows[0].get::<String>(2).unwrap(), "a,{b}\"");
    assert_eq!(rows[0].get::<Vec<u8>>(3).unwrap(), vec![0, 1]);
    for column in 0..4 {
        assert_eq!(rows[1].get::<Value>(column).unwrap(), Value::Null);
    }
}

async fn what_does_not_fit_is_refused_before(world: World) {
    let world = world.with_table().await;
    let combiner = world.db.combiner(&ITEM).unwrap();
    for row in [
        vec![],
        vec!["a".into(), "b".into(), "c".into()],
        vec![1.into(), 1.into(), Value::Null],
    ] {
        let result = combiner.write(row).await;
        assert!(matches!(result, Err(Error::Statement { .. })), "{result:?}");
    }
    for wrong in [
        Shape { key: &[], ..ITEM },
        Shape {
            key: &["nowhere"],
            ..ITEM
        },
        Shape {
            columns: &[("id", Kind::Text)],
            write: Write::Update,
            ..ITEM
        },
    ] {
        assert!(matches!(
            world.db.combiner(&wrong),
            Err(Error::Statement { .. })
        ));
    }
    assert_eq!(world.count().await, 0);
}

/// Each caller takes from an account what it has, and a line in the book says so.
const TRANSFER: Script<'_> = Script {
    text: "WITH taken AS (
            UPDATE item AS i SET n = i.n - given.amount FROM {given} WHERE i.id = given.id AND i.n >= given.amount
            RETURNING i.id, i.n, given.note),
         written AS (INSERT INTO book (note) SELECT note FROM taken)
         SELECT id, n, note FROM taken",
    columns: &[("id", Kind::Text), ("amount", Kind::Int), ("note", Kind::Text)],
    key: &["id"],
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_serves_each_or_leaves_no_trace() {
    let Some(world) = crate::engines::postgres().await else {
        return;
    };
    let world = world.with_table().await;
    let db = &world.db;
    db.execute("CREATE TABLE book (note TEXT NOT NULL)", vec![])
        .await
        .unwrap();
    let fill = "INSERT INTO item (id, n) SELECT n::text, 100 FROM generate_series(0, 49) n";
    db.execute(fill, vec![]).await.unwrap();
    let script = db.script(&TRANSFER).unwrap();
    // Each account is asked four times for 30, which it has three times; every tenth caller's note is missing.
    let tasks: Vec<_> = (0..200_i64)
        .map(|n| {
            let script = script.clone();
            tokio::spawn(async move {
                let note = (n % 10 != 9).then(|| format!("note {n}"));
                let id = (n % 50).to_string();
                (n, script.run(vec![id.into(), 30.into(), note.into()]).await)
            })
        })
        .collect();
    let mut served = 0;
    for task in tasks {
        match task.await.unwrap() {
            (n, Ok(Some(answer))) => {
                served += 1;
                assert_eq!(answer.get::<String>(1).unwrap(), format!("note {n}"));
                assert!([70, 40, 10].contains(&answer.get::<i64>(0).unwrap()));
            }
            (_, Ok(None)) => {}
            (n, Err(Error::Check { .. })) => assert_eq!(n % 10, 9),
            (n, other) => panic!("{n}: {other:?}"),
        }
    }
    assert_eq!(
        served,
        45 * 3,
        "three times each, but for those without a note"
    );
    assert_eq!(world.one("SELECT count(*) FROM book").await, served);
    let left = world.one("SELECT sum(n)::bigint FROM item").await;
    assert_eq!(left, 50 * 100 - 30 * served);
    let wrong = Script {
        key: &["nowhere"],
        ..TRANSFER
    };
    assert!(matches!(db.script(&wrong), Err(Error::Statement { .. })));
    let few = script.run(vec!["1".into()]).await;
    assert!(matches!(few, Err(Error::Statement { .. })));
}

async fn it_ends_with_the_store(world: World) {
    let world = world.with_table().await;
    let combiner = world.db.combiner(&ITEM).unwrap();
    combiner.write(item("a", 1, None)).await.unwrap();
    world.db.close().await;
    assert!(matches!(
        combiner.write(item("b", 1, None)).await,
        Err(Error::Closed)
    ));
}
