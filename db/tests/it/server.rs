//! What only a server has: connections that break, restarts, deadlocks, timeouts, TLS.

use std::sync::Arc;
use std::time::Duration;

use crate::engines::{self, World};
use qm_db::combine::{Kind, Shape, Write};
use qm_db::{Db, Error, Isolation, Options};
use qm_testkit::postgres::{self, Server};

async fn world() -> Option<World> {
    Some(engines::postgres().await?.with_table().await)
}

/// A server of its own with the table in its database `postgres`, because the test disturbs it.
async fn own_server() -> Option<(Arc<Server>, Db)> {
    postgres::server()?;
    let options = postgres::Options {
        fsync: true,
        settings: Vec::new(),
    };
    let server = Arc::new(Server::start(options).unwrap());
    let db = Db::open(Options::parse(&server.url("postgres")).unwrap())
        .await
        .unwrap();
    db.execute(
        "CREATE TABLE item (id TEXT PRIMARY KEY, n BIGINT NOT NULL, tag TEXT UNIQUE)",
        vec![],
    )
    .await
    .unwrap();
    Some((server, db))
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(work).await.unwrap()
}

/// How many callers were told what.
#[derive(Default, Debug)]
struct Told {
    done: i64,
    unknown: i64,
    refused: i64,
}

impl Told {
    fn count<T>(&mut self, result: &Result<T, Error>) {
        match result {
            Ok(_) => self.done += 1,
            Err(Error::Unknown) => self.unknown += 1,
            Err(error) if error.retryable() => self.refused += 1,
            Err(error) => panic!("{error:?}"),
        }
    }

    fn add(
        &mut self,
        Self {
            done,
            unknown,
            refused,
        }: Self,
    ) {
        self.done += done;
        self.unknown += unknown;
        self.refused += refused;
    }

    /// Everything acknowledged is there, and beyond it only what nobody knows about.
    fn matches(&self, found: i64) {
        assert!(
            self.done <= found && found <= self.done + self.unknown,
            "{self:?}, found {found}"
        );
    }
}

async fn callers(db: &Db, rounds: usize, kind: &'static str) -> Vec<tokio::task::JoinHandle<Told>> {
    let shape = Shape {
        table: "item",
        columns: &[("id", Kind::Text), ("n", Kind::Int)],
        key: &["id"],
        write: Write::Insert,
    };
    let combiner = db.combiner(&shape).unwrap();
    (0..12)
        .map(|task| {
            let (db, combiner) = (db.clone(), combiner.clone());
            tokio::spawn(async move {
                let mut told = Told::default();
                for n in 0..rounds {
                    let id = format!("{kind}-{task}-{n}");
                    let sql = "INSERT INTO item (id, n) VALUES ($1, 1)";
                    match kind {
                        "closure" => told.count(
                            &db.transaction(async move |tx| tx.execute(sql, &[&id]).await)
                                .await,
                        ),
                        "statement" => told.count(&db.execute(sql, vec![id.into()]).await),
                        _ => told.count(&combiner.write(vec![id.into(), 1.into()]).await),
                    }
                }
                told
            })
        })
        .collect()
}

async fn disturbed(kind: &'static str) {
    let Some((server, db)) = own_server().await else {
        return;
    };
    let tasks = callers(&db, 150, kind).await;
    for _ in 0..6 {
        let server = Arc::clone(&server);
        let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                   WHERE application_name = 'quartermaster'";
        blocking(move || server.psql("postgres", cut).unwrap()).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let mut told = Told::default();
    for task in tasks {
        told.add(task.await.unwrap());
    }
    let found = db.query("SELECT count(*) FROM item", vec![]).await.unwrap()[0]
        .get(0)
        .unwrap();
    told.matches(found);
    assert!(told.done > 0, "{told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn terminated_backends_lose_no_closure() {
    disturbed("closure").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn terminated_backends_lose_no_statement() {
    disturbed("statement").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn terminated_backends_lose_no_combined_row() {
    disturbed("combiner").await;
}

/// A transaction whose backend is cut before COMMIT is made again on another connection, and the
/// caller notices nothing. A sequence is not rolled back, so it counts the attempts.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_lost_before_commit_is_made_good() {
    let Some(world) = world().await else { return };
    world
        .db
        .execute("CREATE SEQUENCE attempts", vec![])
        .await
        .unwrap();
    world
        .db
        .transaction(async move |tx| {
            tx.execute("INSERT INTO item (id, n) VALUES ('a', 1)", &[])
                .await?;
            let first: bool = tx.query("SELECT nextval('attempts') = 1", &[]).await?[0].get(0)?;
            if first {
                tx.query("SELECT pg_terminate_backend(pg_backend_pid())", &[])
                    .await?;
            }
            Ok::<_, Error>(())
        })
        .await
        .unwrap();
    assert_eq!(world.count().await, 1);
    assert_eq!(world.one("SELECT last_value FROM attempts").await, 2);
}

/// A single write commits by itself: when its connection is lost, nobody knows whether it did, so
/// it is not repeated and the caller is told.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_whose_connection_is_lost_is_not_repeated() {
    let Some(world) = world().await else { return };
    world
        .db
        .execute("CREATE SEQUENCE attempts", vec![])
        .await
        .unwrap();
    let cut = "INSERT INTO item (id, n) SELECT 'a', n FROM (SELECT nextval('attempts') AS n) AS attempt,
               LATERAL (SELECT pg_terminate_backend(pg_backend_pid()) WHERE n > 0) AS cut RETURNING id";
    let result = world.db.write_returning(cut, vec![]).await;
    assert!(matches!(result, Err(Error::Unknown)), "{result:?}");
    let attempts = "SELECT last_value FROM attempts WHERE is_called";
    assert_eq!(world.one(attempts).await, 1);
    let result = world.db.execute(cut, vec![]).await;
    assert!(
        matches!(&result, Err(error @ Error::Unknown) if !error.retryable()),
        "{result:?}"
    );
    assert_eq!(world.one(attempts).await, 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_server_keeps_what_was_acknowledged() {
    let Some((server, db)) = own_server().await else {
        return;
    };
    let mut tasks = Vec::new();
    for kind in ["closure", "statement", "combiner"] {
        tasks.extend(callers(&db, 60, kind).await);
    }
    tokio::time::sleep(Duration::from_millis(150)).await;
    let same = Arc::clone(&server);
    blocking(move || {
        same.kill().unwrap();
        same.start_again().unwrap();
    })
    .await;
    let mut told = Told::default();
    for task in tasks {
        told.add(task.await.unwrap());
    }
    let found = db.query("SELECT count(*) FROM item", vec![]).await.unwrap()[0]
        .get(0)
        .unwrap();
    told.matches(found);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_server_is_unavailable_and_comes_back() {
    let Some((server, db)) = own_server().await else {
        return;
    };
    let same = Arc::clone(&server);
    blocking(move || same.stop().unwrap()).await;
    let down = db.ping().await;
    assert!(
        matches!(&down, Err(error @ Error::Unavailable { .. }) if error.retryable()),
        "{down:?}"
    );
    let write = db
        .transaction(async move |tx| tx.execute("DELETE FROM item", &[]).await)
        .await;
    assert!(matches!(write, Err(Error::Unavailable { .. })), "{write:?}");
    let same = Arc::clone(&server);
    blocking(move || same.start_again().unwrap()).await;
    db.ping().await.unwrap();
    db.transaction(async move |tx| tx.execute("DELETE FROM item", &[]).await)
        .await
        .unwrap();
}

/// Two transactions lock two rows in opposite order until the server breaks one of them up.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deadlocks_are_resolved() {
    let Some(world) = world().await else { return };
    world
        .db
        .execute("INSERT INTO item (id, n) VALUES ('a', 0), ('b', 0)", vec![])
        .await
        .unwrap();
    let tasks: Vec<_> = [("a", "b"), ("b", "a")]
        .into_iter()
        .map(|(first, second)| {
            let db = world.db.clone();
            tokio::spawn(async move {
                db.transaction(async move |tx| {
                    let add = "UPDATE item SET n = n + 1 WHERE id = $1";
                    tx.execute(add, &[&first]).await?;
                    tx.query("SELECT pg_sleep(0.2)", &[]).await?;
                    tx.execute(add, &[&second]).await
                })
                .await
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(
        world.one("SELECT CAST(sum(n) AS BIGINT) FROM item").await,
        4
    );
}

#[tokio::test]
async fn a_statement_that_takes_too_long_is_busy() {
    let Some(world) = world().await else { return };
    let options = Options::parse(&world.address)
        .unwrap()
        .statement_timeout(Duration::from_millis(50));
    let db = Db::open(options).await.unwrap();
    let slow = db.query("SELECT pg_sleep(20)", vec![]).await;
    assert!(
        matches!(&slow, Err(error @ Error::Busy { .. }) if error.retryable()),
        "{slow:?}"
    );
    db.ping().await.unwrap();
}

/// Who asks one thing after the other needs one connection; a second may be opened when the next
/// question comes before the first connection is idle again.
#[tokio::test]
async fn connections_are_opened_as_needed() {
    let Some(world) = world().await else { return };
    for n in 0..30 {
        let sql = "INSERT INTO item (id, n) VALUES ($1, 1)";
        world
            .db
            .execute(sql, vec![format!("{n}").into()])
            .await
            .unwrap();
    }
    let open = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()";
    assert!(world.one(open).await <= 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_closed_handle_leaves_no_connection() {
    let Some(world) = world().await else { return };
    let address = format!("{}?application_name=closing", world.address);
    let db = Db::open(Options::parse(&address).unwrap()).await.unwrap();
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let db = db.clone();
            tokio::spawn(async move { db.query("SELECT pg_sleep(0.02)", vec![]).await })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    let open = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'closing'";
    assert!(world.one(open).await > 1);
    db.close().await;
    // The server takes a moment to notice.
    while world.one(open).await > 0 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn snapshot_isolation_loses_no_update() {
    let Some(world) = world().await else { return };
    world
        .db
        .execute("INSERT INTO item (id, n) VALUES ('c', 0)", vec![])
        .await
        .unwrap();
    let options = Options::parse(&world.address)
        .unwrap()
        .isolation(Isolation::Snapshot);
    let db = Db::open(options).await.unwrap();
    let tasks: Vec<_> = (0..60)
        .map(|_| {
            let db = db.clone();
            tokio::spawn(async move {
                db.transaction(async move |tx| {
                    let n: i64 = tx.query("SELECT n FROM item", &[]).await?[0].get(0)?;
                    tx.execute("UPDATE item SET n = $1", &[&(n + 1)]).await
                })
                .await
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap().unwrap();
    }
    assert_eq!(world.one("SELECT n FROM item").await, 60);
}

/// `require` takes any certificate, `verify-full` only one that the given root has signed.
#[cfg(feature = "tls")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_encrypted() {
    let Some((server, plain)) = own_server().await else {
        return;
    };
    let made = rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned()])
        .unwrap();
    let other = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let (root, wrong) = (dir.path().join("root.pem"), dir.path().join("wrong.pem"));
    std::fs::write(&root, made.cert.pem()).unwrap();
    std::fs::write(&wrong, other.cert.pem()).unwrap();

    let refused =
        Db::open(Options::parse(&format!("{}?sslmode=require", server.url("postgres"))).unwrap())
            .await;
    assert!(
        matches!(refused, Err(Error::Unavailable { .. })),
        "{refused:?}"
    );
    plain.close().await;

    // The server writes its own files, so that they are its own.
    let same = Arc::clone(&server);
    blocking(move || {
        for (name, text) in [
            ("server.crt", made.cert.pem()),
            ("server.key", made.signing_key.serialize_pem()),
        ] {
            let rows = text
                .lines()
                .map(|line| format!("('{line}')"))
                .collect::<Vec<_>>()
                .join(", ");
            let sql = format!("COPY (VALUES {rows}) TO PROGRAM 'umask 077; cat > {name}'");
            same.psql("postgres", &sql).unwrap();
        }
        same.psql("postgres", "ALTER SYSTEM SET ssl = on").unwrap();
        same.restart().unwrap();
    })
    .await;

    let encrypted = async |query: String| {
        let address = format!("{}?{query}", server.url("postgres"));
        let db = Db::open(Options::parse(&address).unwrap()).await?;
        let rows = db
            .query(
                "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
                vec![],
            )
            .await?;
        rows[0].get::<bool>(0)
    };
    assert!(!encrypted("sslmode=disable".to_owned()).await.unwrap());
    assert!(encrypted("sslmode=prefer".to_owned()).await.unwrap());
    assert!(encrypted("sslmode=require".to_owned()).await.unwrap());
    assert!(
        encrypted(format!(
            "sslmode=verify-full&sslrootcert={}",
            root.display()
        ))
        .await
        .unwrap()
    );
    let wrong = encrypted(format!(
        "sslmode=verify-full&sslrootcert={}",
        wrong.display()
    ))
    .await;
    assert!(matches!(wrong, Err(Error::Unavailable { .. })), "{wrong:?}");
}
