//! The `postgres` example under `kill -9`: at random moments of every verb, over and over.
//!
//! Each round starts an operation on every instance, kills the broker somewhere in between, starts it
//! again, and does what a platform does: repeats what was not answered and polls what was accepted. Then
//! what the broker says and what the server holds must be the same, down to the password of each role.

mod platform;
mod server;

use platform::{Deed, Platform, Slot};
use qm_testkit::process::{Process, Program};
use server::Held;
use std::collections::BTreeMap;
use std::time::Duration;

/// How many operations are in flight when the broker is killed.
const SLOTS: usize = 5;
/// A kill falls somewhere in this time after the first request of its round.
const WINDOW_MS: u64 = 90;

/// A generator that a printed number starts again.
pub(crate) struct Dice(u64);

impl Dice {
    fn from_env() -> Self {
        let now = std::time::SystemTime::now()
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap();
        let seed = match std::env::var("QM_KILL_SEED") {
            Ok(seed) => seed.parse().expect("QM_KILL_SEED is a number"),
            Err(_) => now.subsec_nanos().into(),
        };
        println!("QM_KILL_SEED={seed}");
        Self(seed)
    }

    /// Below `sides`.
    pub(crate) fn roll(&mut self, sides: u64) -> u64 {
        // splitmix64
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }
}

/// A broker, the server it works on, and a platform that remembers what it wanted.
struct Site {
    broker: Process,
    held: Held,
    slots: Vec<Slot>,
    dice: Dice,
}

impl Site {
    /// `None`: there is no PostgreSQL.
    async fn new(arguments: impl FnOnce(&Held) -> Vec<String>) -> Option<Self> {
        let held = Held::start().await?;
        let program = Program::example("postgres")
            .unwrap()
            .args([
                "--listen",
                "127.0.0.1:0",
                "--user",
                "u",
                "--password",
                "p",
                "--log",
                "info",
            ])
            .args(["--server", &held.url("postgres")])
            .args(arguments(&held));
        let broker = program.start().await.unwrap();
        let slots = (0..SLOTS)
            .map(|n| Slot::new(format!("instance-{n}")))
            .collect();
        Some(Self {
            broker,
            held,
            slots,
            dice: Dice::from_env(),
        })
    }

    /// One round: operations, a kill, a restart, and the truth.
    async fn round(&mut self, round: usize) {
        let platform = Platform::new(&self.broker.url());
        let mut calls = Vec::new();
        for slot in &mut self.slots {
            let deed = slot.choose(&mut self.dice);
            let wait = Duration::from_millis(self.dice.roll(WINDOW_MS / 2));
            let (platform, instance) = (platform.clone(), slot.instance.clone());
            calls.push(tokio::spawn(async move {
                tokio::time::sleep(wait).await;
                let answer = platform.ask(&instance, &deed).await;
                (deed, answer)
            }));
        }
        let moment = self.dice.roll(WINDOW_MS * 1000);
        tokio::time::sleep(Duration::from_micros(moment)).await;
        self.broker.kill9();
        let mut asked = Vec::new();
        for call in calls {
            asked.push(call.await.unwrap());
        }
        self.broker.restart().await.unwrap();
        let platform = Platform::new(&self.broker.url());
        let mut ends = Vec::new();
        for (slot, (deed, answer)) in self.slots.iter().zip(asked) {
            let (platform, instance) = (platform.clone(), slot.instance.clone());
            ends.push(tokio::spawn(async move {
                platform.finish(&instance, &deed, answer).await;
                deed
            }));
        }
        for (slot, end) in self.slots.iter_mut().zip(ends) {
            match end.await {
                Ok(deed) => slot.has_done(deed),
                Err(panic) => panic!("round {round}: {panic}\n{}", self.broker.output()),
            }
        }
        self.compare(&format!("round {round}"), &platform).await;
    }

    /// What the broker says against what the server holds.
    async fn compare(&self, when: &str, platform: &Platform) {
        let (mut databases, mut roles) = (Vec::new(), BTreeMap::new());
        for slot in &self.slots {
            let there = platform.has_instance(&slot.instance).await;
            assert_eq!(there, slot.there, "{when}: {}", slot.instance);
            if there {
                databases.push(server::database(&slot.instance));
            }
            for binding in slot.ever_bound() {
                let credentials = platform.credentials(&slot.instance, &binding).await;
                let bound = slot.bindings.contains(&binding);
                assert_eq!(
                    credentials.is_some(),
                    bound,
                    "{when}: {} {binding}",
                    slot.instance
                );
                if let Some(credentials) = credentials {
                    assert_eq!(
                        credentials["database"],
                        server::database(&slot.instance).as_str()
                    );
                    roles.insert(
                        server::role(&slot.instance, &binding),
                        credentials["password"].as_str().unwrap().to_owned(),
                    );
                }
            }
        }
        databases.sort();
        self.held.agrees(when, &databases, &roles).await;
    }

    /// Everything goes; nothing is left.
    async fn clear(&mut self) {
        let platform = Platform::new(&self.broker.url());
        for slot in &mut self.slots {
            for binding in std::mem::take(&mut slot.bindings) {
                platform
                    .finish(&slot.instance, &Deed::Unbind(binding), None)
                    .await;
            }
            if std::mem::take(&mut slot.there) {
                platform
                    .finish(&slot.instance, &Deed::Deprovision, None)
                    .await;
            }
        }
        self.compare("in the end", &platform).await;
        self.held.agrees("in the end", &[], &BTreeMap::new()).await;
    }

    /// How often each verb was interrupted and taken up again, by the broker's own log.
    fn resumed(&self) -> BTreeMap<&'static str, usize> {
        let output = self.broker.output();
        let taken: Vec<&str> = output
            .lines()
            .filter(|line| line.contains("operation taken up again"))
            .collect();
        ["provision", "bind", "unbind", "deprovision"]
            .map(|verb| {
                let word = format!("\"{verb}\"");
                (
                    verb,
                    taken.iter().filter(|line| line.contains(&word)).count(),
                )
            })
            .into()
    }
}

/// On PostgreSQL the next process waits until the lease of the dead one is over.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn twenty_kills_on_postgres() {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("broker.key").display().to_string();
    let site = Site::new(|held| {
        let store = held.url(&held.create("broker_store"));
        ["--store", &store, "--key", &key, "--lease", "1"]
            .map(str::to_owned)
            .into()
    });
    let Some(mut site) = site.await else { return };
    for round in 1..=20 {
        site.round(round).await;
    }
    let resumed = site.resumed();
    println!("taken up again: {resumed:?}");
    assert!(resumed.values().sum::<usize>() >= 20, "{resumed:?}");
    site.clear().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_kills_on_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("broker.db").display().to_string();
    let Some(mut site) = Site::new(|_| vec!["--store".to_owned(), file]).await else {
        return;
    };
    for round in 1..=210 {
        site.round(round).await;
    }
    let resumed = site.resumed();
    println!(
        "taken up again: {resumed:?}; lost answers repeated: {}",
        platform::repeated()
    );
    assert!(resumed.values().all(|times| *times >= 10), "{resumed:?}");
    assert!(platform::repeated() >= 10);
    site.clear().await;
}
