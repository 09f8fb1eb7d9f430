//! A full disk under SQLite in the middle of OSB traffic: a clear answer, no damage, and both records agree once there
//! is room.

use super::world::{World, quick, wanted};
use crate::faults::disk_full::Disk;
use crate::harness::{Engine, brokers, eventually};
use qm_testkit::hostile::SYNC_PLAN;
use serde_json::json;
use std::collections::BTreeSet;

#[tokio::test]
async fn a_full_disk_loses_no_instance() {
    let Some(disk) = Disk::mount() else { return };
    let file = disk.path().join("manager.db");
    let manager = quick(Engine::Sqlite)
        .set("QM_DATABASE_URL", file.to_str().unwrap())
        .start()
        .await;
    // Where the harness looks for it.
    std::os::unix::fs::symlink(&file, manager.data().join("manager.db")).unwrap();
    let mut world = World::around(manager, brokers::broker().await).await;
    let door = world.door();
    let mut wish = wanted(SYNC_PLAN);
    wish["context"]["filler"] = json!("x".repeat(2_000));
    let mut made = BTreeSet::new();
    let mut deleted = BTreeSet::new();
    for n in 0..5 {
        let id = format!("before-{n}");
        door.provision_as(&id, &wish).await.expect(201);
        made.insert(id);
    }
    for round in 0..3 {
        let ballast = disk.fill();
        let mut words = None;
        // What is left in the log's own file is used up first.
        for n in 0..10_000 {
            let id = format!("full-{round}-{n}");
            let answer = door.provision_as(&id, &wish).await;
            if answer.status == 201 {
                made.insert(id);
                continue;
            }
            let said = answer.expect(503)["description"].clone();
            words = said.as_str().map(str::to_owned);
            break;
        }
        let words = words.expect("the disk is never full, or nobody says so");
        assert!(words.contains("full"), "{words:?}");
        // Nor can anything else be begun; what is refused is not done.
        let kept = format!("before-{round}");
        let answer = door.deprovision(&kept).await;
        match answer.status {
            200 => {
                made.remove(&kept);
                deleted.insert(kept);
            }
            // It may have been deleted before the disk was found full, but nobody was told so.
            status => {
                assert_eq!(status, 503, "{answer:?}");
                made.remove(&kept);
            }
        }
        std::fs::remove_file(ballast).unwrap();
        let id = format!("after-{round}");
        eventually("there is room, and it works again", async || {
            let answer = door.provision_as(&id, &wish).await;
            matches!(answer.status, 200 | 201).then_some(())
        })
        .await;
        made.insert(id);
        let there: BTreeSet<String> = world.agree().await.into_keys().collect();
        let lost: Vec<_> = made.difference(&there).collect();
        assert!(lost.is_empty(), "answered and gone: {lost:?}");
        let back: Vec<_> = deleted.intersection(&there).collect();
        assert!(back.is_empty(), "deleted and there: {back:?}");
    }
    assert!(world.manager.stop().await.success());
    let connection = rusqlite::Connection::open(&file).unwrap();
    let verdict: String = connection
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(verdict, "ok");
}
