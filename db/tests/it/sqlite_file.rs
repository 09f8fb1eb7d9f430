//! What only a SQLite file has: its mode, its log, other processes, a full disk, damage.

use std::os::unix::fs::{FileExt as _, PermissionsExt as _};

use crate::engines::{self, World};
use qm_db::{Db, Error, Options};

async fn world() -> World {
    engines::file().await.unwrap().with_table().await
}

fn path(world: &World) -> String {
    world.address.strip_prefix("sqlite:").unwrap().to_owned()
}

#[tokio::test]
async fn only_the_owner_may_read_the_file() {
    let world = world().await;
    for suffix in ["", "-wal", "-shm"] {
        let mode = std::fs::metadata(format!("{}{suffix}", path(&world)))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600, "{suffix}");
    }
}

#[tokio::test]
async fn the_log_is_gone_after_close() {
    let world = world().await;
    world
        .db
        .execute("INSERT INTO item (id, n) VALUES ('a', 1)", vec![])
        .await
        .unwrap();
    world.db.close().await;
    let wal = format!("{}-wal", path(&world));
    assert!(!std::path::Path::new(&wal).exists());
    assert_eq!(
        world
            .another()
            .await
            .query("SELECT * FROM item", vec![])
            .await
            .unwrap()
            .len(),
        1
    );
}

#[tokio::test]
async fn what_is_no_database_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("text");
    std::fs::write(
        &path,
        "this is no database, but long enough to be looked at ".repeat(100),
    )
    .unwrap();
    let opened = Db::open(Options::parse(path.to_str().unwrap()).unwrap()).await;
    assert!(matches!(opened, Err(Error::Corrupt { .. })), "{opened:?}");
}

/// SQLite may undo a whole group when one statement fills the disk; whoever was told "done" must
/// still be there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_fails_only_who_did_not_fit() {
    let world = world().await;
    world
        .db
        .write_returning("PRAGMA max_page_count = 200", vec![])
        .await
        .unwrap();
    let tasks: Vec<_> = (0..100)
        .map(|n| {
            let db = world.db.clone();
            tokio::spawn(async move {
                let (id, tag) = (format!("{n}"), format!("{n}").repeat(10_000));
                let sql = "INSERT INTO item (id, n, tag) VALUES ($1, 1, $2)";
                if n % 2 == 0 {
                    db.execute(sql, vec![id.into(), tag.into()]).await
                } else {
                    db.transaction(async move |tx| tx.execute(sql, &[&id, &tag]).await)
                        .await
                }
            })
        })
        .collect();
    let (mut fitted, mut full) = (0, 0);
    for task in tasks {
        match task.await.unwrap() {
            Ok(_) => fitted += 1,
            Err(Error::Full) => full += 1,
            Err(error) => panic!("{error:?}"),
        }
    }
    assert!(fitted > 0 && full > 0, "{fitted} fitted, {full} did not");
    assert_eq!(world.count().await, fitted);
    world.db.execute("DELETE FROM item", vec![]).await.unwrap();
    world
        .db
        .execute("INSERT INTO item (id, n) VALUES ('a', 1)", vec![])
        .await
        .unwrap();
}

/// Another process holds the file for writing for longer than we are willing to wait.
#[tokio::test]
async fn a_file_that_stays_locked_is_busy() {
    let world = world().await;
    let patience = std::time::Duration::from_millis(50);
    let db = Db::open(
        Options::parse(&world.address)
            .unwrap()
            .busy_timeout(patience),
    )
    .await
    .unwrap();
    let other = rusqlite::Connection::open(path(&world)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let write = db
        .execute("INSERT INTO item (id, n) VALUES ('a', 1)", vec![])
        .await;
    assert!(
        matches!(&write, Err(error @ Error::Busy { .. }) if error.retryable()),
        "{write:?}"
    );
    assert_eq!(
        db.query("SELECT * FROM item", vec![]).await.unwrap().len(),
        0
    );
    other.execute_batch("COMMIT").unwrap();
    db.execute("INSERT INTO item (id, n) VALUES ('a', 1)", vec![])
        .await
        .unwrap();
}

/// Under steady writing the log is moved into the file and starts over, so that it does not grow for ever.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_log_starts_over() {
    let world = world().await;
    let text = "x".repeat(2_000);
    let began = starts(&world);
    let mut rows = 0;
    // How much is written meanwhile is the machine's affair; a log that never starts over has no end.
    for round in 0..400 {
        let tasks: Vec<_> = (0..20)
            .map(|task| {
                let (db, text) = (world.db.clone(), text.clone());
                tokio::spawn(async move {
                    for n in 0..25 {
                        let sql = "INSERT INTO item (id, n, tag) VALUES ($1, 1, $2)";
                        let id = format!("{round}-{task}-{n}");
                        let tag = format!("{id}{text}");
                        db.execute(sql, vec![id.into(), tag.into()]).await.unwrap();
                    }
                })
            })
            .collect();
        for task in tasks {
            task.await.unwrap();
        }
        rows += 500;
        if starts(&world) >= began + 2 {
            assert_eq!(world.count().await, rows);
            return;
        }
    }
    panic!("{rows} rows were written and the log went on");
}

/// How often the log has started over: a number in its header (bytes 12 to 15) is counted up then.
fn starts(world: &World) -> u32 {
    let log = std::fs::File::open(format!("{}-wal", path(world))).unwrap();
    let mut number = [0; 4];
    match log.read_exact_at(&mut number, 12) {
        Ok(()) => u32::from_be_bytes(number),
        Err(_) => 0,
    }
}
