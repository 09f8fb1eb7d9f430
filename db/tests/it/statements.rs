//! Single statements, parameters, columns, and errors by kind.

use crate::engines::{World, on_all};
use qm_db::{Error, Value};

on_all!(
    every_kind_goes_in_and_out,
    parameters_are_bound_by_number,
    a_wrong_number_of_parameters_is_refused,
    a_wrong_column_is_an_error,
    conflicts_have_a_type,
    other_constraints_have_a_type,
    returning_gives_rows,
    counts_are_right,
    errors_do_not_show_values,
    a_closed_store_says_so,
    a_schema_change_under_a_prepared_statement,
);

async fn every_kind_goes_in_and_out(world: World) {
    let db = &world.db;
    db.execute(
        "CREATE TABLE kinds (i BIGINT, b BOOLEAN, r DOUBLE PRECISION, t TEXT, d BYTEA, x TEXT)",
        vec![],
    )
    .await
    .unwrap();
    let insert = "INSERT INTO kinds (i, b, r, t, d, x) VALUES ($1, $2, $3, $4, $5, $6)";
    let bytes = vec![0_u8, 255, 7];
    let row: Vec<Value> = vec![
        i64::MIN.into(),
        true.into(),
        0.5.into(),
        "ä\u{1F600}".into(),
        bytes.clone().into(),
        Value::Null,
    ];
    assert_eq!(db.execute(insert, row).await.unwrap(), 1);
    let rows = db
        .query("SELECT i, b, r, t, d, x FROM kinds", vec![])
        .await
        .unwrap();
    let row = &rows[0];
    assert_eq!(row.get::<i64>(0).unwrap(), i64::MIN);
    assert!(row.get::<bool>(1).unwrap());
    assert!((row.get::<f64>(2).unwrap() - 0.5).abs() < f64::EPSILON);
    assert_eq!(row.get::<String>(3).unwrap(), "ä\u{1F600}");
    assert_eq!(row.get::<Vec<u8>>(4).unwrap(), bytes);
    assert_eq!(row.get::<Option<String>>(5).unwrap(), None);

    let (t, d) = ("text".to_owned(), b"bytes".to_vec());
    db.transaction(async move |tx| {
        tx.execute(insert, &[&7_i64, &false, &1.5, &t, &d, &Some("x")])
            .await?;
        let all_null: [Option<&str>; 2] = [None, None];
        tx.execute(
            "INSERT INTO kinds (t, x) VALUES ($1, $2)",
            &[&all_null[0], &all_null[1]],
        )
        .await?;
        Ok::<_, Error>(())
    })
    .await
    .unwrap();
    let rows = db
        .query("SELECT x, b FROM kinds WHERE i = $1", vec![7.into()])
        .await
        .unwrap();
    assert_eq!(
        rows[0].get::<Option<String>>(0).unwrap().as_deref(),
        Some("x")
    );
    assert!(!rows[0].get::<bool>(1).unwrap());
    assert_eq!(
        world
            .one("SELECT count(*) FROM kinds WHERE i IS NULL AND t IS NULL")
            .await,
        1
    );
}

/// SQLite would bind by first appearance.
async fn parameters_are_bound_by_number(world: World) {
    let world = world.with_table().await;
    world
        .db
        .execute(
            "INSERT INTO item (n, tag, id) VALUES ($3, $2, $1)",
            vec!["id".into(), "tag".into(), 3.into()],
        )
        .await
        .unwrap();
    let rows = world
        .db
        .query(
            "SELECT id, tag, n FROM item WHERE tag = $2 AND id = $1 AND $1 = id",
            vec!["id".into(), "tag".into()],
        )
        .await
        .unwrap();
    assert_eq!(rows[0].get::<String>(0).unwrap(), "id");
    assert_eq!(rows[0].get::<String>(1).unwrap(), "tag");
    assert_eq!(rows[0].get::<i64>(2).unwrap(), 3);
}

async fn a_wrong_number_of_parameters_is_refused(world: World) {
    let world = world.with_table().await;
    let sql = "INSERT INTO item (id, n) VALUES ($1, $2)";
    for params in [
        vec![],
        vec!["a".into()],
        vec!["a".into(), 1.into(), 2.into()],
    ] {
        let result = world.db.execute(sql, params).await;
        assert!(matches!(result, Err(Error::Statement { .. })), "{result:?}");
    }
    assert_eq!(world.count().await, 0);
}

async fn a_wrong_column_is_an_error(world: World) {
    let world = world.with_table().await;
    world
        .db
        .execute("INSERT INTO item (id, n) VALUES ('a', 1)", vec![])
        .await
        .unwrap();
    let rows = world
        .db
        .query("SELECT id, n, tag FROM item", vec![])
        .await
        .unwrap();
    assert!(matches!(
        rows[0].get::<i64>(0),
        Err(Error::Column { index: 0, .. })
    ));
    assert!(matches!(
        rows[0].get::<String>(1),
        Err(Error::Column { index: 1, .. })
    ));
    assert!(matches!(
        rows[0].get::<String>(2),
        Err(Error::Column {
            index: 2,
            found: "null",
            ..
        })
    ));
    assert!(matches!(
        rows[0].get::<String>(3),
        Err(Error::Column { index: 3, .. })
    ));
}

async fn conflicts_have_a_type(world: World) {
    let world = world.with_table().await;
    let sql = "INSERT INTO item (id, n, tag) VALUES ($1, 1, $2)";
    world
        .db
        .execute(sql, vec!["a".into(), "t".into()])
        .await
        .unwrap();
    for (id, tag, column) in [("a", "u", "id"), ("b", "t", "tag")] {
        match world.db.execute(sql, vec![id.into(), tag.into()]).await {
            Err(error @ Error::Unique { .. }) => {
                assert!(error.is_conflict() && !error.retryable());
                let Error::Unique { table, columns, .. } = error else {
                    unreachable!()
                };
                assert_eq!((table.as_str(), columns.as_str()), ("item", column));
            }
            other => panic!("{other:?}"),
        }
    }
    let pair = "CREATE TABLE pair (a TEXT, b TEXT, PRIMARY KEY (a, b))";
    world.db.execute(pair, vec![]).await.unwrap();
    world
        .db
        .execute("INSERT INTO pair VALUES ('x', 'y')", vec![])
        .await
        .unwrap();
    let again = world
        .db
        .execute("INSERT INTO pair VALUES ('x', 'y')", vec![])
        .await;
    assert!(matches!(again, Err(Error::Unique { columns, .. }) if columns == "a, b"));
}

async fn other_constraints_have_a_type(world: World) {
    let world = world.with_table().await;
    let sql = "CREATE TABLE child (id TEXT PRIMARY KEY, of TEXT NOT NULL REFERENCES item (id))";
    world.db.execute(sql, vec![]).await.unwrap();
    let orphan = world
        .db
        .execute("INSERT INTO child VALUES ('c', 'nobody')", vec![])
        .await;
    assert!(
        matches!(orphan, Err(Error::ForeignKey { .. })),
        "{orphan:?}"
    );
    let null = world
        .db
        .execute("INSERT INTO child (id) VALUES ('c')", vec![])
        .await;
    assert!(
        matches!(&null, Err(Error::Check { constraint }) if constraint == "child.of"),
        "{null:?}"
    );
    let large = world
        .db
        .execute("INSERT INTO item (id, n) VALUES ('l', 9999999)", vec![])
        .await;
    assert!(
        matches!(&large, Err(Error::Check { constraint }) if constraint == "small"),
        "{large:?}"
    );
}

async fn returning_gives_rows(world: World) {
    let world = world.with_table().await;
    let sql = "INSERT INTO item (id, n) VALUES ('a', 1), ('b', 2) RETURNING id, n";
    let rows = world.db.write_returning(sql, vec![]).await.unwrap();
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[1].get::<String>(0).unwrap(), "b");
    // Rows that nobody asked for do not stop a write half way.
    let all = "UPDATE item SET n = n + 1 RETURNING id";
    assert_eq!(world.db.execute(all, vec![]).await.unwrap(), 2);
    assert_eq!(
        world.one("SELECT CAST(sum(n) AS BIGINT) FROM item").await,
        5
    );
}

async fn counts_are_right(world: World) {
    let world = world.with_table().await;
    let insert = "INSERT INTO item (id, n) VALUES ($1, 1) ON CONFLICT (id) DO NOTHING";
    assert_eq!(world.db.execute(insert, vec!["a".into()]).await.unwrap(), 1);
    assert_eq!(world.db.execute(insert, vec!["a".into()]).await.unwrap(), 0);
    assert_eq!(
        world
            .db
            .execute("UPDATE item SET n = 2 WHERE id = 'x'", vec![])
            .await
            .unwrap(),
        0
    );
    assert_eq!(
        world
            .db
            .execute("CREATE TABLE other (id TEXT)", vec![])
            .await
            .unwrap(),
        0
    );
    assert_eq!(
        world.db.execute("DELETE FROM item", vec![]).await.unwrap(),
        1
    );
}

/// PostgreSQL quotes values in its errors; ours must not, however they are printed.
async fn errors_do_not_show_values(world: World) {
    let world = world.with_table().await;
    let sql = "INSERT INTO item (id, n, tag) VALUES ($1, $2, $3)";
    let secret = || Value::from("s3cr3t");
    world
        .db
        .execute(sql, vec![secret(), 1.into(), secret()])
        .await
        .unwrap();
    let mut errors = vec![
        world
            .db
            .execute(sql, vec![secret(), 1.into(), Value::Null])
            .await
            .unwrap_err(),
        world
            .db
            .execute(sql, vec!["b".into(), 1.into(), secret()])
            .await
            .unwrap_err(),
        world
            .db
            .execute(sql, vec!["b".into(), 99_999_999.into(), secret()])
            .await
            .unwrap_err(),
        world
            .db
            .execute(sql, vec![secret(), Value::Null, Value::Null])
            .await
            .unwrap_err(),
    ];
    if world.is_postgres() {
        errors.push(
            world
                .db
                .query("SELECT CAST($1 AS TEXT)::BIGINT", vec![secret()])
                .await
                .unwrap_err(),
        );
        errors.push(
            world
                .db
                .execute(sql, vec![secret(), secret(), secret()])
                .await
                .unwrap_err(),
        );
    }
    for error in errors {
        let shown = format!("{error} {error:?}");
        assert!(
            !shown.contains("s3cr3t") && !shown.contains("99999999"),
            "{shown}"
        );
    }
}

async fn a_closed_store_says_so(world: World) {
    let world = world.with_table().await;
    world.db.ping().await.unwrap();
    world.db.close().await;
    world.db.close().await;
    assert!(matches!(world.db.ping().await, Err(Error::Closed)));
    let write = world.db.execute("DELETE FROM item", vec![]).await;
    assert!(matches!(write, Err(Error::Closed)));
    let write = world
        .db
        .transaction(async move |_| Ok::<_, Error>(()))
        .await;
    assert!(matches!(write, Err(Error::Closed)));
}

async fn a_schema_change_under_a_prepared_statement(world: World) {
    let world = world.with_table().await;
    world
        .db
        .execute("INSERT INTO item (id, n) VALUES ('a', 1)", vec![])
        .await
        .unwrap();
    for _ in 0..3 {
        assert_eq!(
            world.db.query("SELECT * FROM item", vec![]).await.unwrap()[0].len(),
            3
        );
    }
    world
        .db
        .execute("ALTER TABLE item ADD COLUMN more TEXT", vec![])
        .await
        .unwrap();
    for _ in 0..3 {
        assert_eq!(
            world.db.query("SELECT * FROM item", vec![]).await.unwrap()[0].len(),
            4
        );
        let rows = world
            .db
            .read(async move |tx| tx.query("SELECT * FROM item", &[]).await);
        assert_eq!(rows.await.unwrap()[0].len(), 4);
    }
}
