//! Storms in the middle of OSB load: the database goes away, a replica dies, the broker is not there. Customers go on
//! all the while; afterwards both records agree, and what was answered is so.

mod customer;

use super::world::{Door, World, quick};
use crate::harness::{Engine, Setup, brokers, eventually};
use customer::{Customer, check};
use qm_testkit::postgres::{Database, Options, Server};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::task::{JoinHandle, spawn_blocking};

on_both_engines!(a_broker_that_comes_and_goes);

const CUSTOMERS: usize = 8;
/// So many calls at the broker between two gusts.
const BETWEEN: usize = 60;

fn stormproof(engine: Engine) -> Setup {
    quick(engine)
        .set("QM_LOG_LEVEL", "warn")
        .set("QM_BROKERS_BREAKER_PAUSE", "100ms")
}

/// Customers at work.
struct Crowd {
    stop: Arc<AtomicBool>,
    customers: Vec<JoinHandle<Customer>>,
}

impl Crowd {
    fn at(doors: &[Door]) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let customers = (0..CUSTOMERS).map(|n| {
            let mut doors = doors.to_vec();
            let first = n % doors.len();
            doors.rotate_left(first);
            tokio::spawn(Customer::new(n, doors, Arc::clone(&stop)).live())
        });
        let customers = customers.collect();
        Self { stop, customers }
    }

    async fn go_home(self) -> Vec<Customer> {
        self.stop.store(true, Ordering::Relaxed);
        let mut all = Vec::new();
        for customer in self.customers {
            all.push(customer.await.unwrap());
        }
        all
    }
}

/// Waits until customers got something done.
async fn bustle(world: &World) {
    let before = world.broker.calls().len();
    eventually("customers come through", async || {
        (world.broker.calls().len() > before + BETWEEN).then_some(())
    })
    .await;
}

async fn a_broker_that_comes_and_goes(engine: Engine) {
    let mut world = World::on(stormproof(engine)).await;
    let crowd = Crowd::at(&[world.door()]);
    for _ in 0..5 {
        bustle(&world).await;
        world.broker.stop().await;
        let working = format!("qm_broker_breaker{{broker=\"{}\"}} 0", world.broker_id);
        eventually("the manager leaves the broker alone", async || {
            let page = world.manager.anybody().get("/metrics").await;
            (page.status == 200 && !page.text.contains(&working)).then_some(())
        })
        .await;
        world.broker.resume().unwrap();
    }
    bustle(&world).await;
    let customers = crowd.go_home().await;
    check(&customers, &world.agree().await);
}

/// Of three replicas two are killed, one after the other; their customers go to the next.
#[tokio::test]
async fn replicas_die_and_customers_move_on() {
    if !Engine::Postgres.is_here().await {
        return;
    }
    let mut world = World::on(stormproof(Engine::Postgres)).await;
    let mut others = Vec::new();
    let mut doors = vec![world.door()];
    for _ in 0..2 {
        let replica = world.manager.replica().await;
        let mut platform = world.platform.clone();
        platform.url = replica.url();
        doors.push(world.door_of(&platform));
        others.push(replica);
    }
    let crowd = Crowd::at(&doors);
    for mut next in others {
        bustle(&world).await;
        world.manager.kill9();
        // The living one is asked from now on.
        std::mem::swap(&mut world.manager, &mut next);
    }
    bustle(&world).await;
    let customers = crowd.go_home().await;
    check(&customers, &world.agree().await);
}

/// PostgreSQL is restarted, killed, and its connections are cut.
#[tokio::test]
async fn the_database_goes_away() {
    if !Engine::Postgres.is_here().await {
        return;
    }
    // A server of its own: others must not feel this.
    let options = Options {
        fsync: true,
        ..Options::default()
    };
    let server = spawn_blocking(move || Server::start(options).unwrap());
    let server = Arc::new(server.await.unwrap());
    let database = server.database().unwrap();
    let mut manager = stormproof(Engine::Sqlite)
        .set("QM_DATABASE_URL", &database.url())
        .start()
        .await;
    let pid = manager.process().pid();
    let mut world = World::around(manager, brokers::broker().await).await;
    let crowd = Crowd::at(&[world.door()]);
    for _ in 0..6 {
        bustle(&world).await;
        let (server, name) = (Arc::clone(&server), database.name().to_owned());
        let cut = spawn_blocking(move || server.terminate_backends(&name).unwrap());
        cut.await.unwrap();
    }
    for crash in [false, true, false] {
        bustle(&world).await;
        let server = Arc::clone(&server);
        let gust = spawn_blocking(move || {
            if crash {
                server.kill().unwrap();
                server.start_again().unwrap();
            } else {
                server.restart().unwrap();
            }
        });
        gust.await.unwrap();
    }
    bustle(&world).await;
    let customers = crowd.go_home().await;
    assert_eq!(world.manager.process().pid(), pid, "it was restarted");
    ended(&database).await;
    let (recorded, existing) = (world.recorded().await, world.existing());
    assert_eq!(
        recorded, existing,
        "the manager's record and the broker's own"
    );
    check(&customers, &recorded);
}

async fn ended(database: &Database) {
    let open = "SELECT resource_id || type || phase FROM operation WHERE phase <> 'done'";
    eventually("nothing is under way", async || {
        database.psql(open).unwrap().trim().is_empty().then_some(())
    })
    .await;
}
