//! A process ends, another goes on from the same store: nothing is lost and nothing is done by two.

use crate::desk::{Desk, until};
use crate::puppet::{Deed, End, Gate, LARGE, Puppet, SMALL, Thing, World};
use quartermaster_sdk::auth::Open;
use quartermaster_sdk::{Endpoint, KeyRing, Store, StoreError};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;

/// A file that outlives endpoints.
struct Disk(tempfile::TempDir);

impl Disk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// Waits until the former owner has let go.
    async fn store(&self) -> Store {
        let path = self.0.path().join("broker.db");
        until(async || match Store::file(&path).await {
            Ok(store) => Some(store),
            Err(StoreError::InUse(_)) => None,
            Err(error) => panic!("{error}"),
        })
        .await
    }

    /// With a lease that no test outlives: the next process must know that the former one is dead.
    async fn desk(&self, world: &Arc<World>) -> Desk {
        let lease = Duration::from_secs(3600);
        let store = self.store().await;
        Desk::built(Some(store), world, |builder| builder.lease(lease)).await
    }
}

/// Every verb is interrupted half way by a stop, and goes on in the next process.
#[tokio::test]
async fn jobs_go_on_after_a_stop() {
    let (disk, world) = (Disk::new(), World::new());
    for (n, verb) in ["provision", "bind", "update", "unbind", "deprovision"]
        .into_iter()
        .enumerate()
    {
        let gate = Gate::shut();
        world.set(verb, Deed::later().says("half way").behind(&gate));
        let desk = disk.desk(&world).await;
        let said = match verb {
            "provision" => {
                desk.provision_with("i", true, json!({ "parameters": { "a": 1 } }))
                    .await
            }
            "bind" => desk.bind("i", "b", true).await,
            "update" => {
                desk.update(
                    "i",
                    true,
                    json!({ "plan_id": LARGE, "parameters": { "b": 2 } }),
                )
                .await
            }
            "unbind" => desk.unbind("i", "b", true).await,
            _ => desk.deprovision("i", true).await,
        };
        let operation = said.is(202).operation();
        world.entered(verb, 1).await;
        // By turns: told to stop, or just dropped.
        if n % 2 == 0 {
            desk.platform.endpoint().shutdown().await;
        }
        drop(desk);
        let desk = disk.desk(&world).await;
        let binding = ["bind", "unbind"].contains(&verb);
        let said = match binding {
            true => desk.last_of_binding("i", "b", &operation).await,
            false => desk.last("i", &operation).await,
        };
        assert_eq!(
            said.has_state("in progress").description(),
            "half way",
            "{verb}"
        );
        world.entered(verb, 2).await;
        assert_eq!(world.last_attempt(), 2, "{verb}");
        gate.open();
        match binding {
            true => desk
                .binding_ended("i", "b", &operation)
                .await
                .has_state("succeeded"),
            false => desk.ended("i", &operation).await.has_state("succeeded"),
        };
        if verb == "update" {
            let fetched = desk.fetch("i").await.is(200);
            assert_eq!(fetched.body["plan_id"], LARGE);
            assert_eq!(fetched.body["parameters"], json!({ "a": 1, "b": 2 }));
        }
        desk.platform.endpoint().shutdown().await;
    }
    assert!(world.is_empty());
    assert_eq!(world.overlaps(), 0);
}

/// A process that dies in a synchronous call answers nobody; the next one finishes what was begun.
#[test]
fn synchronous_calls_go_on_after_a_crash() {
    let (disk, world) = (Disk::new(), World::new());
    let rest = tokio::runtime::Runtime::new().unwrap();
    for verb in ["provision", "update", "bind", "unbind", "deprovision"] {
        let gate = Gate::shut();
        world.set(verb, Deed::now().behind(&gate));
        let crashing = tokio::runtime::Runtime::new().unwrap();
        let desk = Arc::new(crashing.block_on(disk.desk(&world)));
        let asking = desk.clone();
        crashing.spawn(async move {
            match verb {
                "provision" => asking.provision("i", false).await,
                "update" => asking.update("i", false, json!({ "plan_id": LARGE })).await,
                "bind" => {
                    asking
                        .bind_with("i", "b", false, json!({ "plan_id": LARGE }))
                        .await
                }
                "unbind" => asking.unbind("i", "b", false).await,
                _ => asking.deprovision("i", false).await,
            }
        });
        crashing.block_on(world.entered(verb, 1));
        // Every task is dropped where it stands: nothing is released, nothing is written.
        crashing.shutdown_timeout(Duration::from_secs(10));
        drop(desk);
        gate.open();
        rest.block_on(async {
            let desk = disk.desk(&world).await;
            match verb {
                "bind" | "unbind" => desk
                    .binding_ended("i", "b", "")
                    .await
                    .has_state("succeeded"),
                _ => desk.ended("i", "").await.has_state("succeeded"),
            };
            match verb {
                "provision" => assert_eq!(desk.provision("i", false).await.is(200).status, 200),
                "update" => assert_eq!(desk.fetch("i").await.is(200).body["plan_id"], LARGE),
                "bind" => {
                    let again = desk
                        .bind_with("i", "b", false, json!({ "plan_id": LARGE }))
                        .await;
                    assert_eq!(again.is(200).body["credentials"]["key"], "i/b");
                }
                "unbind" => assert_eq!(desk.unbind("i", "b", false).await.is(410).status, 410),
                _ => assert_eq!(desk.deprovision("i", false).await.is(410).status, 410),
            }
            assert_eq!(world.called(verb), 2, "{verb}");
            desk.platform.endpoint().shutdown().await;
        });
    }
    assert!(world.is_empty());
    assert_eq!(world.overlaps(), 0);
}

/// A refusal that comes when nobody waits for it any more ends the operation as failed.
#[tokio::test]
async fn a_refusal_after_a_restart_is_a_failure() {
    let (disk, world) = (Disk::new(), World::new());
    let gate = Gate::shut();
    world.set("provision", Deed::later().behind(&gate));
    let desk = disk.desk(&world).await;
    let operation = desk.provision("i", true).await.is(202).operation();
    world.entered("provision", 1).await;
    desk.platform.endpoint().shutdown().await;
    drop(desk);
    world.set("provision", Deed::now().ends(End::Refuse(422)));
    let desk = disk.desk(&world).await;
    let failed = desk.ended("i", &operation).await.has_state("failed");
    assert_eq!(failed.description(), "the puppet refuses");
    desk.deprovision("i", false).await.is(200);
    assert!(world.is_empty());
}

/// Many jobs and many restarts in order: none is given up.
#[tokio::test]
async fn restarts_in_order_are_no_failed_attempts() {
    let (disk, world) = (Disk::new(), World::new());
    let gate = Gate::shut();
    world.set("provision", Deed::later().behind(&gate));
    let desk = disk.desk(&world).await;
    let mut operations = Vec::new();
    for n in 0..20 {
        operations.push(
            desk.provision(&format!("i{n}"), true)
                .await
                .is(202)
                .operation(),
        );
    }
    desk.platform.endpoint().shutdown().await;
    drop(desk);
    let mut begun = 20;
    for _ in 0..12 {
        let desk = disk.desk(&world).await;
        begun += 20;
        world.entered("provision", begun).await;
        desk.platform.endpoint().shutdown().await;
        drop(desk);
    }
    gate.open();
    let desk = disk.desk(&world).await;
    for (n, operation) in operations.iter().enumerate() {
        desk.ended(&format!("i{n}"), operation)
            .await
            .has_state("succeeded");
    }
    assert_eq!(world.overlaps(), 0);
}

/// Work that takes the process along each time must end.
#[test]
fn work_that_kills_its_process_is_given_up() {
    let (disk, world) = (Disk::new(), World::new());
    world.set("provision", Deed::later().behind(&Gate::shut()));
    let mut operation = String::new();
    for life in 1..=11 {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let desk = runtime.block_on(disk.desk(&world));
        if life == 1 {
            operation = runtime
                .block_on(desk.provision("i", true))
                .is(202)
                .operation();
        }
        if life <= 10 {
            runtime.block_on(world.entered("provision", life));
            runtime.shutdown_timeout(Duration::from_secs(10));
            continue;
        }
        let failed = runtime
            .block_on(desk.ended("i", &operation))
            .has_state("failed");
        assert!(
            failed.description().contains("given up"),
            "{}",
            failed.description()
        );
        world.set("deprovision", Deed::now());
        runtime.block_on(desk.deprovision("i", false)).is(200);
    }
    assert_eq!(world.called("provision"), 10);
    assert!(world.is_empty());
}

#[tokio::test]
async fn a_panic_is_an_answer_and_the_broker_lives() {
    let desk = Desk::new().await;
    desk.world
        .all(&Deed::now().ends(End::Panic("the puppet's strings snapped".to_owned())));
    let said = desk.provision("i", false).await.is(500);
    assert!(
        !said.description().contains("strings"),
        "{}",
        said.description()
    );
    assert_eq!(desk.world.thing("i"), Some(Thing::Half));
    desk.last("i", "").await.has_state("failed");
    desk.world.set(
        "provision",
        Deed::later().ends(End::Panic("again".to_owned())),
    );
    let operation = desk.provision("i", true).await.is(202).operation();
    desk.ended("i", &operation).await.has_state("failed");
    desk.world.set("provision", Deed::now());
    desk.provision("i", false).await.is(201);
    desk.update("i", false, json!({ "plan_id": LARGE }))
        .await
        .is(500);
    desk.bind("i", "b", false).await.is(500);
    desk.unbind("i", "b", false).await.is(500);
    for verb in ["fetch_instance", "fetch_binding"] {
        desk.world
            .set(verb, Deed::now().ends(End::Panic("once more".to_owned())));
    }
    desk.world.set("bind", Deed::now());
    desk.bind("i", "c", false).await.is(201);
    desk.fetch("i").await.is(500);
    desk.fetch_binding("i", "c").await.is(500);
    desk.world.all(&Deed::now());
    desk.unbind("i", "b", false).await.is(200);
    desk.unbind("i", "c", false).await.is(200);
    desk.deprovision("i", false).await.is(200);
    assert!(desk.world.is_empty());
}

/// A request that comes in the first moment of a process keeps its lease.
#[tokio::test]
async fn the_first_request_runs_once() {
    let (disk, world) = (Disk::new(), World::new());
    for n in 0..20 {
        let desk = disk.desk(&world).await;
        let gate = Gate::shut();
        world.set("provision", Deed::now().behind(&gate));
        let name = format!("i{n}");
        let (said, ()) = tokio::join!(desk.provision(&name, false), async {
            world.entered("provision", n + 1).await;
            tokio::task::yield_now().await;
            gate.open();
        });
        said.is(201);
        desk.platform.endpoint().shutdown().await;
    }
    assert_eq!((world.called("provision"), world.overlaps()), (20, 0));
}

#[tokio::test]
async fn a_second_process_on_one_file_is_refused() {
    let disk = Disk::new();
    let store = disk.store().await;
    let path = disk.0.path().join("broker.db");
    let refused = Store::file(&path).await.unwrap_err();
    assert!(matches!(refused, StoreError::InUse(_)), "{refused}");
    assert!(refused.to_string().contains("in use by another process"));
    drop(store);
    disk.store().await;
}

#[tokio::test]
async fn a_wrong_key_is_found_at_the_start() {
    let (disk, world) = (Disk::new(), World::new());
    let desk = disk.desk(&world).await;
    desk.provision("i", false).await.is(201);
    desk.platform.endpoint().shutdown().await;
    drop(desk);
    let path = disk.0.path().join("broker.db");
    let wrong = until(
        async || match Store::file_with(&path, KeyRing::generate().unwrap()).await {
            Err(StoreError::InUse(_)) => None,
            other => Some(other),
        },
    )
    .await;
    let error = wrong.unwrap_err();
    assert!(matches!(error, StoreError::Sealed(_)), "{error}");
    assert!(error.to_string().contains("key"), "{error}");
    let desk = disk.desk(&world).await;
    desk.fetch("i").await.is(200);
}

/// A key that is put in front of the old one opens what the old one sealed.
#[tokio::test]
async fn keys_rotate() {
    let (disk, world) = (Disk::new(), World::new());
    let path = disk.0.path().join("broker.db");
    let keys = KeyRing::generate().unwrap();
    let store = Store::file_with(&path, keys.clone()).await.unwrap();
    let desk = Desk::built(Some(store), &world, |builder| builder).await;
    desk.provision_with("i", false, json!({ "parameters": { "a": 1 } }))
        .await
        .is(201);
    desk.platform.endpoint().shutdown().await;
    drop(desk);
    let newer = keys.rotated().unwrap();
    let store = until(async || Store::file_with(&path, newer.clone()).await.ok()).await;
    let desk = Desk::built(Some(store), &world, |builder| builder).await;
    assert_eq!(desk.fetch("i").await.is(200).body["parameters"]["a"], 1);
    assert_eq!(desk.fetch("i").await.is(200).body["plan_id"], SMALL);
    desk.update("i", false, json!({ "parameters": { "a": 2 } }))
        .await
        .is(200);
    desk.deprovision("i", false).await.is(200);
}

#[tokio::test]
async fn a_stopped_store_is_no_reason_to_panic() {
    let store = Store::memory().await.unwrap();
    let builder = Endpoint::builder(Puppet(World::new()))
        .auth(Open)
        .store(store.clone());
    let endpoint = builder.build().await.unwrap();
    assert!(endpoint.ready().await);
    store.close().await;
    assert!(!endpoint.ready().await);
    let desk = Desk::built(None, &World::new(), |builder| builder).await;
    desk.platform.endpoint().shutdown().await;
    let said = desk.provision("i", false).await.is(500);
    assert!(said.description().contains("log"), "{}", said.description());
}
