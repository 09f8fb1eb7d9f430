//! Faults at random moments, while customers come and go: kills, one replica of two, a database that goes away.

use super::super::world::{INSTANCES, World, quick};
use super::customer::{Customer, held};
use crate::faults::Dice;
use crate::harness::wait::within;
use crate::harness::{Client, Engine, eventually};
use qm_testkit::postgres::{Options, Server};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::task::{JoinHandle, spawn_blocking};

/// Where replicas share a server, what a dead one held is waited for until its lease has run out: fewer kills then.
fn kills(engine: Engine) -> u64 {
    match engine {
        Engine::Sqlite => 150,
        Engine::Postgres => 50,
    }
}

const CUSTOMERS: usize = 6;
/// A kill falls after so many answers at most, and then somewhere in the time that the next ones take.
const ANSWERS: u64 = 8;
const THEN_US: u64 = 8_000;

mod sqlite {
    #[tokio::test]
    async fn many_kills() {
        super::many_kills(crate::harness::Engine::Sqlite).await;
    }
}

mod postgres {
    #[tokio::test]
    async fn many_kills() {
        super::many_kills(crate::harness::Engine::Postgres).await;
    }
}

/// Customers at work.
struct Load {
    stop: Arc<AtomicBool>,
    answers: Arc<AtomicU64>,
    customers: Vec<JoinHandle<Customer>>,
}

impl Load {
    fn start(world: &World, clients: &[Client], dice: &mut Dice) -> Self {
        let (stop, answers) = (
            Arc::new(AtomicBool::new(false)),
            Arc::new(AtomicU64::new(0)),
        );
        let customers = (0..CUSTOMERS).map(|n| {
            let client = clients[n % clients.len()].clone();
            let name = format!("c{n}");
            let customer = Customer::new(&name, world, client, dice.split(), &stop, &answers);
            tokio::spawn(customer.live())
        });
        Self {
            customers: customers.collect(),
            stop,
            answers,
        }
    }

    fn answered(&self) -> u64 {
        self.answers.load(Ordering::Relaxed)
    }

    /// Waits for so many more answers, but not for ever: all customers may wait for what a dead process has left.
    async fn some_more(&self, more: u64, at_most: Duration) {
        let enough = self.answered() + more;
        let waiting = async {
            while self.answered() < enough {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        let _ = tokio::time::timeout(at_most, waiting).await;
    }

    async fn end(self) -> Vec<Customer> {
        self.stop.store(true, Ordering::Relaxed);
        let mut known = Vec::new();
        for customer in self.customers {
            known.push(customer.await.unwrap());
        }
        known
    }
}

/// No name is borne twice.
async fn names_are_unique(world: &World) {
    let mut bearers = BTreeMap::new();
    for instance in world.person().all(INSTANCES).await {
        if instance["ready"] == true {
            *bearers.entry(instance["name"].to_string()).or_insert(0) += 1;
        }
    }
    assert!(bearers.values().all(|many| *many == 1), "{bearers:?}");
}

async fn many_kills(engine: Engine) {
    let began = Instant::now();
    let mut dice = Dice::from_env();
    let mut world = World::on(quick(engine).set("QM_LOG_LEVEL", "warn")).await;
    let load = Load::start(&world, &[world.manager.admin()], &mut dice);
    let kills = kills(engine);
    for _ in 0..kills {
        let more = 1 + dice.roll(ANSWERS);
        load.some_more(1, Duration::from_secs(5)).await;
        load.some_more(more, Duration::from_millis(250)).await;
        tokio::time::sleep(Duration::from_micros(dice.roll(THEN_US))).await;
        world.manager.restart().await;
    }
    let answered = load.answered();
    let known = load.end().await;
    let there: BTreeSet<String> = world.agree().await.into_iter().collect();
    held(&known, &there);
    names_are_unique(&world).await;
    println!(
        "{kills} kills: {answered} answers, {} calls at the broker, {} things left; {:.1} s",
        world.asked(),
        there.len(),
        began.elapsed().as_secs_f64()
    );
    assert!(answered > kills / 2, "too little happened to say anything");
}

#[tokio::test]
async fn a_replica_dies_and_the_other_goes_on() {
    if !Engine::Postgres.is_here().await {
        return;
    }
    let mut dice = Dice::from_env();
    let world = World::on(quick(Engine::Postgres).set("QM_LOG_LEVEL", "warn")).await;
    for _ in 0..3 {
        let mut other = world.manager.replica().await;
        let load = Load::start(&world, &[world.manager.admin(), other.admin()], &mut dice);
        load.some_more(60, Duration::from_secs(20)).await;
        other.kill9();
        let at_its_death = load.answered();
        load.some_more(60, Duration::from_secs(20)).await;
        assert!(
            load.answered() > at_its_death,
            "the living one stopped answering"
        );
        let known = load.end().await;
        let there: BTreeSet<String> = world.agree().await.into_iter().collect();
        held(&known, &there);
        names_are_unique(&world).await;
        for instance in world.person().all(INSTANCES).await {
            let path = format!(
                "{INSTANCES}/{}?cascade=true",
                instance["id"].as_str().unwrap()
            );
            let location = world.person().0.delete(&path).await.location();
            world.person().good_end(&location).await;
        }
        assert!(world.agree().await.is_empty());
    }
}

#[tokio::test]
async fn postgres_goes_away_and_nothing_is_in_between() {
    if !Engine::Postgres.is_here().await {
        return;
    }
    // A server of its own: others must not feel this.
    let options = Options {
        fsync: true,
        ..Options::default()
    };
    let server = spawn_blocking(move || Server::start(options).unwrap())
        .await
        .unwrap();
    let server = Arc::new(server);
    let database = server.database().unwrap();
    let mut dice = Dice::from_env();
    let setup = quick(Engine::Sqlite)
        .set("QM_DATABASE_URL", &database.url())
        .set("QM_LOG_LEVEL", "error");
    let mut world = World::on(setup).await;
    let pid = world.manager.process().pid();
    let load = Load::start(&world, &[world.manager.admin()], &mut dice);
    for crash in [false, true, false] {
        load.some_more(40, Duration::from_secs(10)).await;
        let server = Arc::clone(&server);
        let fall = move || {
            if crash {
                server.kill().unwrap();
                server.start_again().unwrap();
            } else {
                server.restart().unwrap();
            }
        };
        spawn_blocking(fall).await.unwrap();
        eventually("the manager serves again", async || {
            let read = world.manager.admin().get(INSTANCES).await;
            assert!([200, 503].contains(&read.status), "{read:?}");
            (read.status == 200).then_some(())
        })
        .await;
    }
    load.some_more(40, Duration::from_secs(10)).await;
    let answered = load.answered();
    let known = load.end().await;
    within(Duration::from_secs(180), "nothing is under way", async || {
        let open = "SELECT type, phase, state, attempts, last_error FROM operation WHERE phase <> 'done'";
        let open = database.psql(open).unwrap();
        println!("under way: {open}");
        open.trim().is_empty().then_some(())
    })
    .await;
    let there: BTreeSet<String> = world.compared().await.into_iter().collect();
    held(&known, &there);
    names_are_unique(&world).await;
    assert_eq!(world.manager.process().pid(), pid, "it was restarted");
    println!("{answered} answers around three falls of the database");
    assert!(answered > 40, "the load was none");
}
