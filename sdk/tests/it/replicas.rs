//! Several processes on one PostgreSQL: work of a dead one is taken over, work of a living one is not.
//!
//! Each process is a runtime of its own; to die is to have it shut down with every task where it stands.

use crate::desk::{Desk, until};
use crate::puppet::{Block, Deed, End, Gate, LARGE, Thing, World};
use qm_testkit::postgres::{Database, Options, Server};
use quartermaster_sdk::{KeyRing, Store};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

const LEASE: Duration = Duration::from_millis(900);

/// What replicas share.
struct Cluster {
    database: Database,
    keys: KeyRing,
    world: Arc<World>,
}

impl Cluster {
    fn new() -> Option<Self> {
        let runtime = Runtime::new().unwrap();
        let database = runtime.block_on(qm_testkit::postgres::database())?;
        Some(Self {
            database,
            keys: KeyRing::generate().unwrap(),
            world: World::new(),
        })
    }

    fn replica(&self) -> Replica {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .unwrap();
        let desk = runtime.block_on(async {
            let store = Store::postgres(&self.database.url(), self.keys.clone())
                .await
                .unwrap();
            Desk::built(Some(store), &self.world, |builder| builder.lease(LEASE)).await
        });
        Replica {
            runtime,
            desk: Arc::new(desk),
        }
    }
}

struct Replica {
    runtime: Runtime,
    desk: Arc<Desk>,
}

impl Replica {
    fn run<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    fn die(self) {
        self.runtime.shutdown_background();
    }
}

#[test]
fn work_of_a_dead_replica_is_taken_over() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    let (world, survivor) = (&cluster.world, cluster.replica());
    for (verb, later) in [
        ("provision", true),
        ("update", false),
        ("bind", true),
        ("unbind", false),
        ("deprovision", true),
    ] {
        let gate = Gate::shut();
        let deed = if later { Deed::later() } else { Deed::now() };
        world.set(verb, deed.behind(&gate));
        let victim = cluster.replica();
        let desk = victim.desk.clone();
        victim.runtime.spawn(async move {
            match verb {
                "provision" => desk.provision("i", true).await,
                "update" => desk.update("i", false, json!({ "plan_id": LARGE })).await,
                "bind" => {
                    desk.bind_with("i", "b", true, json!({ "plan_id": LARGE }))
                        .await
                }
                "unbind" => desk.unbind("i", "b", false).await,
                _ => desk.deprovision("i", true).await,
            }
        });
        survivor.run(world.entered(verb, 1));
        victim.die();
        survivor.run(world.entered(verb, 2));
        gate.open();
        survivor.run(async {
            match verb {
                "bind" | "unbind" => survivor.desk.binding_ended("i", "b", "").await,
                _ => survivor.desk.ended("i", "").await,
            }
            .has_state("succeeded")
        });
        assert_eq!(world.called(verb), 2, "{verb}");
    }
    assert_eq!(world.overlaps(), 0);
    assert!(world.is_empty());
}

#[test]
fn work_of_a_living_replica_stays_with_it() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    let (one, other) = (cluster.replica(), cluster.replica());
    let gate = Gate::shut();
    cluster.world.all(&Deed::later().behind(&gate));
    let mut operations = Vec::new();
    for n in 0..10 {
        let said = one.run(one.desk.provision(&format!("i{n}"), true));
        operations.push(said.is(202).operation());
    }
    std::thread::sleep(LEASE * 4);
    assert_eq!(cluster.world.called("provision"), 10);
    // Whoever is asked, knows.
    for (n, operation) in operations.iter().enumerate() {
        let said = other.run(other.desk.provision(&format!("i{n}"), true));
        assert_eq!(said.is(202).operation(), *operation);
        other
            .run(other.desk.last(&format!("i{n}"), operation))
            .has_state("in progress");
    }
    gate.open();
    for (n, operation) in operations.iter().enumerate() {
        other
            .run(other.desk.ended(&format!("i{n}"), operation))
            .has_state("succeeded");
    }
    assert_eq!(
        (cluster.world.called("provision"), cluster.world.overlaps()),
        (10, 0)
    );
}

#[test]
fn a_delete_reaches_a_create_in_another_replica() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    let (one, other) = (cluster.replica(), cluster.replica());
    cluster
        .world
        .set("provision", Deed::later().behind(&Gate::shut()));
    let created = one.run(one.desk.provision("i", true)).is(202).operation();
    other.run(cluster.world.entered("provision", 1));
    other.run(other.desk.deprovision("i", true)).is(200);
    one.run(one.desk.last("i", &created)).has_state("failed");
    one.run(one.desk.deprovision("i", true)).is(410);
    assert!(cluster.world.is_empty());
    assert_eq!(
        (cluster.world.called("provision"), cluster.world.overlaps()),
        (1, 0)
    );
}

/// The one who wanted the create halted dies before it can delete: the create goes on.
#[test]
fn a_halt_whose_delete_never_came_is_forgotten() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    let (one, other) = (cluster.replica(), cluster.replica());
    let gate = Gate::shut();
    cluster.world.all(&Deed::later().behind(&gate));
    let created = one.run(one.desk.provision("i", true)).is(202).operation();
    one.run(cluster.world.entered("provision", 1));
    let desk = other.desk.clone();
    other
        .runtime
        .spawn(async move { desk.deprovision("i", true).await });
    std::thread::sleep(LEASE / 9);
    other.die();
    one.run(cluster.world.entered("provision", 2));
    std::thread::sleep(LEASE * 2);
    gate.open();
    one.run(one.desk.ended("i", &created))
        .has_state("succeeded");
    assert_eq!(
        (
            cluster.world.called("provision"),
            cluster.world.called("deprovision")
        ),
        (2, 0)
    );
    assert_eq!(cluster.world.overlaps(), 0);
}

/// A replica is held up (a blocked thread, a paused machine), another takes its work over and ends it;
/// then the first one wakes up. Whatever it says now must change nothing.
#[test]
fn who_lost_its_lease_changes_nothing() {
    let Some(cluster) = Cluster::new() else {
        return;
    };
    let world = &cluster.world;
    for end in [End::Good, End::Refuse(422), End::Break] {
        let (sleeper, other) = (cluster.replica(), cluster.replica());
        let name = format!("{end:?}").replace(['(', ')'], "-");
        let begun = world.called("deprovision");
        // A create is under way, so that the delete has a past operation to keep.
        world.set("provision", Deed::later().behind(&Gate::shut()));
        let created = sleeper
            .run(sleeper.desk.provision(&name, true))
            .is(202)
            .operation();
        let block = Block::default();
        world.set("deprovision", Deed::now().blocking(&block).ends(end));
        let (desk, instance) = (sleeper.desk.clone(), name.clone());
        let asked = sleeper
            .runtime
            .spawn(async move { desk.deprovision(&instance, false).await });
        other.run(world.entered("deprovision", begun + 1));
        world.set("deprovision", Deed::now());
        // The sleeper does not renew: the other one deletes.
        other
            .run(other.desk.ended(&name, ""))
            .has_state("succeeded");
        assert_eq!(world.called("deprovision"), begun + 2);
        // The id is used again before the sleeper wakes.
        world.set("provision", Deed::now());
        other.run(other.desk.provision(&name, false)).is(201);
        block.open();
        sleeper
            .run(asked)
            .unwrap()
            .has_word(422, "ConcurrencyError");
        other
            .run(other.desk.last(&name, &created))
            .has_state("failed");
        other.run(other.desk.last(&name, "")).has_state("succeeded");
        other.run(other.desk.fetch(&name)).is(200);
    }
}

/// The store itself dies in the middle of work and comes back: what could not be written is done again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_outlives_the_store() {
    let started = tokio::task::spawn_blocking(|| {
        // The shared server says why there is none, and fails where there must be one.
        qm_testkit::postgres::server()?;
        // What was committed must survive the kill.
        let options = Options {
            fsync: true,
            ..Options::default()
        };
        Some(Arc::new(Server::start(options).unwrap()))
    });
    let Some(server) = started.await.unwrap() else {
        return;
    };
    let (of_server, url) = (server.clone(), server.url("postgres"));
    let world = World::new();
    let store = Store::postgres(&url, KeyRing::generate().unwrap())
        .await
        .unwrap();
    let desk = Desk::built(Some(store), &world, |builder| builder.lease(LEASE)).await;
    let (later, at_once) = (Gate::shut(), Gate::shut());
    world.set("provision", Deed::later().behind(&later));
    let operation = desk.provision("i", true).await.is(202).operation();
    world.entered("provision", 1).await;
    world.set("provision", Deed::now().behind(&at_once));
    let (said, ()) = tokio::join!(desk.provision("j", false), async {
        world.entered("provision", 2).await;
        tokio::task::spawn_blocking(move || of_server.kill().unwrap())
            .await
            .unwrap();
        // Both end while nothing can be written.
        later.open();
        at_once.open();
        until(async || (world.thing("j") == Some(Thing::Whole)).then_some(())).await;
        assert!(!desk.platform.endpoint().ready().await);
        let of_server = server.clone();
        tokio::task::spawn_blocking(move || of_server.start_again().unwrap())
            .await
            .unwrap();
    });
    // The answer may be that it was not stored; then it will be.
    assert!([201, 500].contains(&said.status), "{}", said.body);
    until(async || desk.platform.endpoint().ready().await.then_some(())).await;
    // Connections from before may still answer 500; a platform polls on.
    for (instance, operation) in [("i", operation.as_str()), ("j", "")] {
        until(async || {
            let said = desk.last(instance, operation).await;
            (said.body["state"] == "succeeded").then_some(())
        })
        .await;
    }
    desk.provision("j", false).await.is(200);
    assert_eq!(world.overlaps(), 0);
    desk.deprovision("i", false).await.is(200);
    desk.deprovision("j", false).await.is(200);
    assert!(world.is_empty());
}
