//! A full disk on SQLite: a clear error, nothing half done, nothing damaged.

use crate::samples::{access, broker};
use qm_db::{Db, Options};
use qm_model::{Ctx, Kind};
use qm_policy::Settings;
use qm_store::{Error, KeyRing, Store, Tx, broker as brokers};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// A file system of a few megabytes, gone when dropped.
struct Small {
    dir: tempfile::TempDir,
}

impl Small {
    fn mount() -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=3m", "tmpfs"])
            .arg(dir.path())
            .output();
        match mounted {
            Ok(output) if output.status.success() => Some(Self { dir }),
            _ => None,
        }
    }

    fn path(&self) -> &Path {
        self.dir.path()
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount")
            .arg("-l")
            .arg(self.dir.path())
            .output();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_said_and_harms_nothing() {
    let Some(small) = Small::mount() else {
        // Not `eprintln!`: the harness would keep the line of a test that passes to itself.
        let _ = writeln!(
            std::io::stderr(),
            "skipped: no small file system can be mounted here, so none can be filled"
        );
        return;
    };
    let address = format!("sqlite:{}", small.path().join("test.db").display());
    let keys = KeyRing::generate().unwrap();
    let store = Store::open(Options::parse(&address).unwrap(), keys.clone())
        .await
        .unwrap();
    let settings = Settings {
        tenant_label: "tenant".to_owned(),
    };
    let permit =
        qm_policy::change(&Ctx::system("test", String::new()), Kind::Broker, &settings).unwrap();
    let insert = async |id: String| {
        let mut it = broker(&id);
        it.description = "x".repeat(20_000);
        let write = async move |tx: &Tx<'_>| brokers::insert(tx, &it, &access("x")).await;
        store.change::<_, Error, _>(&permit, write).await
    };
    store.probe().await.unwrap();
    let mut stored = 0;
    let refused = loop {
        match insert(format!("b{stored}")).await {
            Ok(true) => stored += 1,
            Ok(false) => panic!("nobody else writes"),
            Err(error) => break error,
        }
        assert!(stored < 1_000, "the disk does not fill");
    };
    assert!(
        matches!(refused, Error::Database(qm_db::Error::Full)),
        "{refused:?}"
    );
    let told = qm_model::Error::from(refused);
    assert_eq!(told.status(), 503);
    assert!(told.to_string().contains("full"));
    assert!(stored > 5);
    let probed = store.probe().await;
    assert!(
        matches!(probed, Err(Error::Database(qm_db::Error::Full))),
        "{probed:?}"
    );
    store.close().await;

    // Room again: all that was answered is there, and the file is whole.
    let copy = tempfile::tempdir().unwrap();
    for name in ["test.db", "test.db-wal"] {
        if small.path().join(name).exists() {
            std::fs::copy(small.path().join(name), copy.path().join(name)).unwrap();
        }
    }
    let address = format!("sqlite:{}", copy.path().join("test.db").display());
    let beneath = Db::open(Options::parse(&address).unwrap()).await.unwrap();
    let check = beneath
        .query("PRAGMA integrity_check", vec![])
        .await
        .unwrap();
    assert_eq!(check[0].get::<String>(0).unwrap(), "ok");
    let found = beneath.query(
        "SELECT count(*), (SELECT n FROM total WHERE kind = 'broker') FROM broker",
        vec![],
    );
    let found = found.await.unwrap();
    assert_eq!(
        (
            found[0].get::<i64>(0).unwrap(),
            found[0].get::<i64>(1).unwrap()
        ),
        (stored, stored)
    );
    beneath.close().await;
    let again = Store::open(Options::parse(&address).unwrap(), keys)
        .await
        .unwrap();
    let it = broker("after");
    let write = async move |tx: &Tx<'_>| brokers::insert(tx, &it, &access("x")).await;
    assert!(again.change::<_, Error, _>(&permit, write).await.unwrap());
}
