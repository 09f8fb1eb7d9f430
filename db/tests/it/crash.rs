//! `kill -9` in the middle of writing: what was acknowledged is there, and nothing is half there.
//!
//! The writer is this test program itself, run again with `QM_CRASH_STORE` set.

use std::collections::HashSet;
use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::engines::{World, on_shared};
use qm_db::combine::{Kind, Shape, Write};
use qm_db::{Db, Error, Options};

on_shared!(killed_writers_lose_nothing);

const ROUNDS: usize = 6;

async fn killed_writers_lose_nothing(world: World) {
    let world = world.with_table().await;
    let dir = tempfile::tempdir().unwrap();
    let acks = dir.path().join("acks");
    std::fs::write(&acks, "").unwrap();
    for round in 0..ROUNDS {
        let before = lines(&acks).len();
        let mut child = writer(&world.address, &acks, round);
        // Killed after a different number of acknowledgements each time.
        while lines(&acks).len() < before + 40 + round * 97 {
            assert!(
                child.try_wait().unwrap().is_none(),
                "the writer ended by itself"
            );
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let db = world.another().await;
    let rows = db.query("SELECT id, n FROM item", vec![]).await.unwrap();
    let stored: HashSet<String> = rows.iter().map(|row| row.get(0).unwrap()).collect();
    let acks = lines(&acks);
    assert!(acks.len() > ROUNDS * 40);
    for id in &acks {
        assert!(
            stored.contains(id),
            "{id} was acknowledged and is not there"
        );
    }
    // A transaction writes `-a` and `-b`.
    for id in &stored {
        if let Some(stem) = id.strip_suffix("-a") {
            assert!(stored.contains(&format!("{stem}-b")), "half of {stem}");
        } else if let Some(stem) = id.strip_suffix("-b") {
            assert!(stored.contains(&format!("{stem}-a")), "half of {stem}");
        }
    }
}

fn lines(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap();
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    whole.lines().map(str::to_owned).collect()
}

fn writer(address: &str, acks: &Path, round: usize) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "crash::the_writer", "--ignored", "--nocapture"])
        .env("QM_CRASH_STORE", address)
        .env("QM_CRASH_ACKS", acks)
        .env("QM_CRASH_ROUND", round.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap()
}

/// Writes for ever by closures, single statements and the combiner. Each acknowledged id becomes a
/// line, written only after the store has answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the process that the test above kills"]
async fn the_writer() {
    let Ok(store) = std::env::var("QM_CRASH_STORE") else {
        return;
    };
    let round = std::env::var("QM_CRASH_ROUND").unwrap();
    let acks = std::fs::OpenOptions::new()
        .append(true)
        .open(std::env::var("QM_CRASH_ACKS").unwrap())
        .unwrap();
    let acks = Arc::new(Mutex::new(acks));
    let db = Db::open(Options::parse(&store).unwrap()).await.unwrap();
    let shape = Shape {
        table: "item",
        columns: &[("id", Kind::Text), ("n", Kind::Int)],
        key: &["id"],
        write: Write::Insert,
    };
    let combiner = db.combiner(&shape).unwrap();
    let tasks: Vec<_> = (0..24)
        .map(|task| {
            let (db, combiner, acks, round) = (
                db.clone(),
                combiner.clone(),
                Arc::clone(&acks),
                round.clone(),
            );
            tokio::spawn(async move {
                for n in 0.. {
                    let id = format!("{round}-{task}-{n}");
                    let written = match n % 3 {
                        0 => pair(&db, id).await,
                        1 => {
                            let sql = "INSERT INTO item (id, n) VALUES ($1, 1)";
                            db.execute(sql, vec![id.as_str().into()]).await.unwrap();
                            vec![id]
                        }
                        _ => {
                            combiner
                                .write(vec![id.as_str().into(), 2.into()])
                                .await
                                .unwrap();
                            vec![id]
                        }
                    };
                    let text = written
                        .iter()
                        .map(|id| format!("{id}\n"))
                        .collect::<String>();
                    acks.lock().unwrap().write_all(text.as_bytes()).unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

async fn pair(db: &Db, id: String) -> Vec<String> {
    db.transaction(async move |tx| {
        let (a, b) = (format!("{id}-a"), format!("{id}-b"));
        tx.execute("INSERT INTO item (id, n) VALUES ($1, 0)", &[&a])
            .await?;
        tx.execute("INSERT INTO item (id, n) VALUES ($1, 0)", &[&b])
            .await?;
        Ok::<_, Error>(vec![a, b])
    })
    .await
    .unwrap()
}
