//! Placeholder until the engines' harness is in place: the SQLite side, end to end.

use qm_db::{Db, Error, Migration, Options};

static SET: &[Migration] = &[Migration {
    version: 1,
    name: "first",
    up: "CREATE TABLE t (id TEXT PRIMARY KEY, n BIGINT NOT NULL, data BYTEA, ok BOOLEAN NOT NULL DEFAULT TRUE)",
    down: "DROP TABLE t",
}];

#[tokio::test(flavor = "multi_thread")]
async fn a_round_trip() {
    let db = Db::open(Options::parse("sqlite::memory:").unwrap())
        .await
        .unwrap();
    db.migrate(SET).await.unwrap();
    db.migrate(SET).await.unwrap();
    let handle = tokio::spawn({
        let db = db.clone();
        async move {
            let id = "a".to_owned();
            db.transaction(async move |tx| {
                tx.execute("INSERT INTO t (n, id) VALUES ($2, $1)", &[&id, &7])
                    .await?;
                Ok::<_, Error>(())
            })
            .await
        }
    });
    handle.await.unwrap().unwrap();
    let rows = db
        .query("SELECT id, n, ok, data FROM t", vec![])
        .await
        .unwrap();
    assert_eq!(rows[0].get::<String>(0).unwrap(), "a");
    assert_eq!(rows[0].get::<i64>(1).unwrap(), 7);
    assert!(rows[0].get::<bool>(2).unwrap());
    assert_eq!(rows[0].get::<Option<Vec<u8>>>(3).unwrap(), None);
    let again = db
        .execute("INSERT INTO t (id, n) VALUES ($1, 1)", vec!["a".into()])
        .await;
    assert!(
        matches!(again, Err(Error::Unique { table, columns, .. }) if table == "t" && columns == "id")
    );
    db.close().await;
    assert!(matches!(db.ping().await, Err(Error::Closed)));
}
