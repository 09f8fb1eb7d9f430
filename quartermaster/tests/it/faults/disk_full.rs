//! A full disk under SQLite: a clear answer, no damage, and everything goes on once there is room.
//!
//! Needs a file system that can be filled, so it needs root to mount one; without root it is skipped.

use crate::harness::{Client, Engine, Setup, eventually};
use http::Method;
use serde_json::json;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// A small file system of its own.
pub(crate) struct Disk(TempDir);

impl Disk {
    /// `None`, after one printed line, where nobody may mount.
    pub(crate) fn mount() -> Option<Self> {
        let user = Command::new("id").arg("-u").output().unwrap();
        let root = String::from_utf8_lossy(&user.stdout).trim() == "0";
        let folder = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=16m", "tmpfs"])
            .arg(folder.path())
            .output();
        let worked = mounted.as_ref().is_ok_and(|it| it.status.success());
        if root && worked {
            return Some(Self(folder));
        }
        // A container's root may be forbidden to mount; that is no fault of ours either.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: no file system can be mounted here to be filled (root: {root}, mount: {mounted:?})"
        );
        assert!(
            !root || std::env::var_os("CI").is_none(),
            "root in CI, and mount does not work"
        );
        None
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    /// Fills it to the last byte.
    pub(crate) fn fill(&self) -> PathBuf {
        let path = self.path().join("ballast");
        let mut ballast = std::fs::File::create(&path).unwrap();
        let mut piece = vec![7_u8; 1 << 20];
        while !piece.is_empty() {
            if ballast.write_all(&piece).is_err() {
                piece.truncate(piece.len() / 2);
            }
        }
        path
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(self.path()).status();
    }
}

#[tokio::test]
async fn a_full_disk_is_said_and_survived() {
    let Some(disk) = Disk::mount() else { return };
    let file = disk.path().join("manager.db");
    let mut manager = Setup::new(Engine::Sqlite)
        .set("QM_DATABASE_URL", file.to_str().unwrap())
        .start()
        .await;
    let pid = manager.process().pid();
    let admin = manager.admin();
    let mut sure = Vec::new();
    for n in 0..5 {
        assert_eq!(make(&admin, &format!("before-{n}")).await.0, 201);
        sure.push(format!("before-{n}"));
    }

    let mut refused = Vec::new();
    for round in 0..3 {
        let ballast = disk.fill();
        let mut words = String::new();
        // What is left in the log's own file is used up first.
        for n in 0..10_000 {
            let name = format!("full-{round}-{n}");
            let (status, text) = make(&admin, &name).await;
            if status == 201 {
                sure.push(name);
                continue;
            }
            assert_eq!(status, 503, "{text}");
            refused.push(name);
            words = text;
            break;
        }
        assert!(
            words.contains("full"),
            "it is not said that the disk is full: {words:?}"
        );
        assert!(
            words.contains("room"),
            "it is not said what to do: {words:?}"
        );
        // Whoever asks whether it can work hears that too: people with the reason.
        let words = eventually("it is not ready", async || {
            let ready = admin.get("/readyz").await;
            (ready.status == 503).then_some(ready.text)
        })
        .await;
        assert!(words.contains("full"), "{words}");
        // Reading goes on.
        admin.get("/v1/platforms?max_items=0").await.expect(200);
        std::fs::remove_file(ballast).unwrap();
        let name = format!("after-{round}");
        eventually("there is room, and it works again", async || {
            (make(&admin, &name).await.0 == 201).then_some(())
        })
        .await;
        sure.push(name);
        eventually("it is ready again", async || {
            (admin.get("/readyz").await.status == 200).then_some(())
        })
        .await;
    }
    assert_eq!(manager.process().pid(), pid, "it was restarted");

    let check = |when: &str| {
        let connection = rusqlite::Connection::open(&file).unwrap();
        let verdict: String = connection
            .query_row("PRAGMA integrity_check", [], |row| row.get(0))
            .unwrap();
        assert_eq!(verdict, "ok", "{when}");
    };
    check("while it runs");
    manager.kill9();
    manager.restart().await;
    for name in &sure {
        admin
            .get(&format!("/v1/platforms/{name}"))
            .await
            .expect(200);
    }
    for name in &refused {
        admin
            .get(&format!("/v1/platforms/{name}"))
            .await
            .expect(404);
    }
    assert!(manager.stop().await.success());
    check("in the end");
}

/// Registers a platform of some size: the status and the words of a refusal.
async fn make(admin: &Client, name: &str) -> (u16, String) {
    let body =
        json!({"id": name, "name": name, "type": "cloudfoundry", "description": "x".repeat(2_000)});
    let headers = [("content-type", "application/json")];
    let made = admin
        .try_send(Method::POST, "/v1/platforms", &headers, body.to_string())
        .await
        .unwrap();
    let words = made.body["description"]
        .as_str()
        .unwrap_or_default()
        .to_owned();
    (made.status, words)
}
