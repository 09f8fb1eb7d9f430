//! Migrations: once, in order, all or nothing, and never over a store that knows better.

use crate::engines::{World, on_all, on_shared};
use qm_db::{Error, Migration};

on_all!(
    up_and_again,
    a_longer_list_adds_what_is_missing,
    an_edited_one_is_refused,
    a_newer_schema_is_refused,
    a_failing_one_leaves_nothing,
    down_and_up,
    two_parts_in_one_store,
    a_list_out_of_order_is_refused,
    each_engine_has_its_lines,
);

mod at_once {
    use super::{on_shared, several_openers};

    on_shared!(several_openers);
}

const FIRST: Migration = Migration {
    version: 1,
    name: "tables",
    up: "CREATE TABLE a (id TEXT PRIMARY KEY);",
    down: "DROP TABLE a",
};
const SECOND: Migration = Migration {
    version: 2,
    name: "more",
    up: "ALTER TABLE a ADD COLUMN n BIGINT; INSERT INTO a (id, n) VALUES ('x', 1); CREATE INDEX a_n ON a (n)",
    down: "DROP INDEX a_n; DELETE FROM a WHERE id = 'x'; ALTER TABLE a DROP COLUMN n",
};
const BROKEN: Migration = Migration {
    version: 3,
    name: "broken",
    up: "CREATE TABLE b (id TEXT); SELECT nonsense",
    down: "DROP TABLE b",
};
const EDITED: Migration = Migration {
    up: "CREATE TABLE a (id TEXT PRIMARY KEY, sneaked TEXT)",
    ..FIRST
};

static ONE: &[Migration] = &[FIRST];
static TWO: &[Migration] = &[FIRST, SECOND];
static THREE: &[Migration] = &[FIRST, SECOND, BROKEN];
static CHANGED: &[Migration] = &[EDITED, SECOND];
static LATER: &[Migration] = &[
    FIRST,
    Migration {
        version: 7,
        ..SECOND
    },
];

async fn up_and_again(world: World) {
    world.db.migrate(TWO).await.unwrap();
    world.db.migrate(TWO).await.unwrap();
    assert_eq!(world.one("SELECT n FROM a WHERE id = 'x'").await, 1);
    assert_eq!(world.one("SELECT count(*) FROM schema_migration").await, 2);
}

async fn a_longer_list_adds_what_is_missing(world: World) {
    world.db.migrate(ONE).await.unwrap();
    world
        .db
        .execute("INSERT INTO a (id) VALUES ('kept')", vec![])
        .await
        .unwrap();
    world.db.migrate(TWO).await.unwrap();
    assert_eq!(world.one("SELECT count(*) FROM a").await, 2);
}

async fn an_edited_one_is_refused(world: World) {
    world.db.migrate(ONE).await.unwrap();
    let result = world.db.migrate(CHANGED).await;
    assert!(
        matches!(&result, Err(Error::EditedMigration { version: 1, name }) if name == "tables"),
        "{result:?}"
    );
    assert_eq!(world.one("SELECT count(*) FROM schema_migration").await, 1);
}

async fn a_newer_schema_is_refused(world: World) {
    world.db.migrate(TWO).await.unwrap();
    let result = world.db.migrate(ONE).await;
    assert!(
        matches!(result, Err(Error::NewerSchema { found: 2, known: 1 })),
        "{result:?}"
    );
    let result = world.db.migrate(LATER).await;
    assert!(
        matches!(result, Err(Error::EditedMigration { version: 7, .. })),
        "{result:?}"
    );
    let result = world.db.migrate(&[]).await;
    assert!(
        matches!(result, Err(Error::NewerSchema { known: 0, .. })),
        "{result:?}"
    );
}

async fn a_failing_one_leaves_nothing(world: World) {
    let result = world.db.migrate(THREE).await;
    assert!(matches!(result, Err(Error::Statement { .. })), "{result:?}");
    assert!(world.db.query("SELECT * FROM a", vec![]).await.is_err());
    assert!(world.db.query("SELECT * FROM b", vec![]).await.is_err());
    world.db.migrate(TWO).await.unwrap();
}

async fn down_and_up(world: World) {
    for _ in 0..2 {
        world.db.migrate(TWO).await.unwrap();
        world.db.migrate_down("main", TWO, 1).await.unwrap();
        assert_eq!(world.one("SELECT count(*) FROM a").await, 0);
        assert!(world.db.query("SELECT n FROM a", vec![]).await.is_err());
        world.db.migrate(TWO).await.unwrap();
        world.db.migrate_down("main", TWO, 0).await.unwrap();
        assert!(world.db.query("SELECT * FROM a", vec![]).await.is_err());
    }
}

async fn two_parts_in_one_store(world: World) {
    static OTHER: &[Migration] = &[Migration {
        version: 1,
        name: "other",
        up: "CREATE TABLE c (id TEXT)",
        down: "DROP TABLE c",
    }];
    world.db.migrate(TWO).await.unwrap();
    world.db.migrate_named("other", OTHER).await.unwrap();
    world.db.migrate(TWO).await.unwrap();
    world.db.migrate_named("other", OTHER).await.unwrap();
    assert_eq!(world.one("SELECT count(*) FROM schema_migration").await, 3);
}

async fn a_list_out_of_order_is_refused(world: World) {
    static SWAPPED: &[Migration] = &[SECOND, FIRST];
    let result = world.db.migrate(SWAPPED).await;
    assert!(
        matches!(result, Err(Error::Migrations { .. })),
        "{result:?}"
    );
}

async fn each_engine_has_its_lines(world: World) {
    static BOTH: &[Migration] = &[Migration {
        version: 1,
        name: "numbered",
        up: "CREATE TABLE numbered (
                 id INTEGER PRIMARY KEY AUTOINCREMENT, -- only sqlite
                 id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, -- only postgres
                 name TEXT)",
        down: "DROP TABLE numbered",
    }];
    world.db.migrate(BOTH).await.unwrap();
    let rows = world
        .db
        .write_returning(
            "INSERT INTO numbered (name) VALUES ('a'), ('b') RETURNING id",
            vec![],
        )
        .await
        .unwrap();
    assert_eq!(rows[1].get::<i64>(0).unwrap(), 2);
}

async fn several_openers(world: World) {
    let mut tasks = Vec::new();
    for _ in 0..6 {
        let db = world.another().await;
        tasks.push(tokio::spawn(async move { db.migrate(TWO).await }));
    }
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(world.one("SELECT count(*) FROM a").await, 1);
    assert_eq!(world.one("SELECT count(*) FROM schema_migration").await, 2);
}
