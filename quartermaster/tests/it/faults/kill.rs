//! `kill -9` at random moments of registry changes under load, 200 times on each engine.
//!
//! Each round lets several callers change what is theirs, one deed after the other, kills the manager in between,
//! starts it again on the same state and compares: what was answered is there exactly, what was not is whole or
//! absent (or an operation that ends), and platforms that were connected hold what the registry shows them.

mod brokers;
mod platforms;
mod registry;
mod tally;
mod visibilities;

use super::Dice;
use super::catalogs;
use crate::harness::brokers::{broker_with, plan_named, register};
use crate::harness::{Client, Engine, Manager, Platform, Setup, answer::id, eventually};
use crate::model_platform::ModelPlatform;
use brokers::BrokerSlot;
use platforms::PlatformSlot;
use registry::Registry;
use serde_json::json;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tally::Tally;
use visibilities::VisibilitySlot;

const KILLS: usize = 200;
/// A kill falls after so many answers at most, whatever the machine's speed, and then somewhere in the time that the
/// next ones take.
const ANSWERS: u64 = 20;
const THEN_US: u64 = 8_000;
/// One platform stays away for so many rounds, and finds that it has missed too much.
const NAP: std::ops::Range<usize> = 40..120;

/// Platforms that listen: name, type and tenant. The last one takes the nap.
const WATCHERS: [(&str, &str, Option<&str>); 5] = [
    ("cf", "cloudfoundry", None),
    ("k8s", "kubernetes", None),
    ("red-k8s", "kubernetes", Some("red")),
    ("blue-cf", "cloudfoundry", Some("blue")),
    ("sleeper", "cloudfoundry", None),
];

on_both_engines!(two_hundred_kills);

async fn two_hundred_kills(engine: Engine) {
    let began = Instant::now();
    let mut dice = Dice::from_env();
    let mut manager = Setup::new(engine)
        .set("QM_LOG_LEVEL", "warn")
        .set("QM_OPERATIONS_LEASE", "1s")
        .set("QM_OPERATIONS_POLL_INTERVAL", "100ms")
        .start()
        .await;
    let admin = manager.admin();

    // Connected before anything is there: what they hold in the end was told.
    let mut watchers = Vec::new();
    for (name, kind, tenant) in WATCHERS {
        let mut body = json!({"name": name, "type": kind});
        if let Some(tenant) = tenant {
            body["labels"] = json!({"tenant": [tenant]});
        }
        watchers.push(Platform::register_as(&manager, &body).await);
    }
    let ids: Vec<String> = watchers.iter().map(|watcher| watcher.id.clone()).collect();
    let models: Vec<_> = watchers.into_iter().map(ModelPlatform::start).collect();
    for model in &models {
        model.connected().await;
    }
    let (first, sleeper) = (&models[0], models.last().unwrap());

    let steady = broker_with(&catalogs::steady("steady", 4)).await;
    let registered = register(&admin, "steady", &steady).await;
    let mut slots = Vec::new();
    for n in 0..4 {
        let plan = id(&plan_named(&admin, &registered, &format!("p{n}")).await);
        let slot = VisibilitySlot::new(n, plan, &ids);
        slots.push(Slot::Visibility(slot));
    }
    for n in 0..6 {
        slots.push(Slot::Broker(BrokerSlot::new(n).await));
    }
    for n in 0..2 {
        slots.push(Slot::Platform(PlatformSlot::new(n)));
    }

    let mut tally = Tally::default();
    for round in 1..=KILLS {
        if round == NAP.start {
            sleeper.sleep();
        }
        if round == NAP.end {
            sleeper.wake();
        }
        let answers = Arc::new(AtomicU64::new(0));
        let writers: Vec<_> = slots
            .drain(..)
            .map(|slot| tokio::spawn(slot.work(admin.clone(), dice.split(), Arc::clone(&answers))))
            .collect();
        let enough = dice.roll(ANSWERS);
        let waiting = async {
            while answers.load(Ordering::Relaxed) < enough {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        };
        // All callers may be waiting for operations that a dead process has left behind.
        let _ = tokio::time::timeout(Duration::from_millis(300), waiting).await;
        tokio::time::sleep(Duration::from_micros(dice.roll(THEN_US))).await;
        manager.kill9();
        for writer in writers {
            match writer.await {
                Ok(slot) => slots.push(slot),
                Err(panic) => panic!("round {round}: {panic}\n{}", manager.output()),
            }
        }
        tally.answered += usize::try_from(answers.load(Ordering::Relaxed)).unwrap();
        manager.restart().await;
        let registry = Registry::read(&admin).await;
        for slot in &mut slots {
            slot.check(&registry, &mut tally, &format!("round {round}"));
        }
        for slot in &slots {
            slot.log_in(&manager).await;
        }
        // Asking costs more than the kill; they are asked in turn.
        let n = round % models.len();
        let sleeps = n == models.len() - 1 && NAP.contains(&round);
        if !sleeps {
            let (name, ..) = WATCHERS[n];
            models[n].agrees(&format!("round {round}, {name}")).await;
        }
    }

    settled(&admin, &mut slots, &mut tally).await;
    for model in &models {
        model.agrees("in the end").await;
    }
    println!(
        "{tally:?}; the first watcher: {} notifications on {} connections; {:.1} s",
        first.applied(),
        first.connections(),
        began.elapsed().as_secs_f64()
    );
    // Whoever was there all the time never had to read everything again; whoever was away for long had to once, unless
    // so little happened meanwhile that its queue holds it.
    for ((name, ..), model) in WATCHERS.iter().zip(&models) {
        let away = usize::from(std::ptr::eq(model, sleeper));
        let resyncs = model.resyncs();
        assert!((1..=1 + away).contains(&resyncs), "{name}: {resyncs}");
        assert_eq!(model.strangers(), 0, "{name} was not told of a broker");
    }
    assert!(first.connections() > KILLS / 2);
    tally.is_telling();
}

/// Every operation that a dead process left behind comes to its end.
async fn settled(admin: &Client, slots: &mut [Slot], tally: &mut Tally) {
    eventually("all operations have ended", async || {
        let page = crate::harness::query(
            "/v1/operations",
            &[("fieldQuery", "state in ('pending','in progress')")],
        );
        let page = admin.get(&page).await.expect(200);
        (page["num_items"] == 0).then_some(())
    })
    .await;
    let registry = Registry::read(admin).await;
    for slot in slots {
        slot.check(&registry, tally, "in the end");
        assert!(!slot.is_open(), "something is still under way in the end");
    }
}

/// What one caller changes, and nobody else.
enum Slot {
    Broker(BrokerSlot),
    Platform(PlatformSlot),
    Visibility(VisibilitySlot),
}

impl Slot {
    /// One deed after the other until the manager is gone; counts those that are answered.
    async fn work(mut self, admin: Client, mut dice: Dice, answers: Arc<AtomicU64>) -> Self {
        while !self.is_open() {
            let done = match &mut self {
                Self::Broker(slot) => slot.act(&admin, &mut dice).await,
                Self::Platform(slot) => slot.act(&admin, &mut dice).await,
                Self::Visibility(slot) => slot.act(&admin, &mut dice).await,
            };
            if !done {
                break;
            }
            answers.fetch_add(1, Ordering::Relaxed);
        }
        self
    }

    /// Whether it is not known what became of the last deed.
    fn is_open(&self) -> bool {
        match self {
            Self::Broker(slot) => slot.belief.is_open(),
            Self::Platform(slot) => slot.belief.is_open(),
            Self::Visibility(slot) => slot.belief.is_open(),
        }
    }

    fn check(&mut self, registry: &Registry, tally: &mut Tally, when: &str) {
        match self {
            Self::Broker(slot) => slot.check(registry, tally, when),
            Self::Platform(slot) => slot.check(registry, tally, when),
            Self::Visibility(slot) => slot.check(registry, tally, when),
        }
    }

    /// A platform whose registration was answered can log in.
    async fn log_in(&self, manager: &Manager) {
        if let Self::Platform(slot) = self {
            slot.log_in(&manager.url()).await;
        }
    }
}
