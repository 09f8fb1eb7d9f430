//! A platform that holds what it was told. It behaves as the broker proxies do: it connects with the last revision
//! it knows, reads everything anew when it knows none, applies notifications in order, pings, and comes back after
//! every interruption. Fault tests compare what it holds with what the registry shows it.
//!
//! The rule: it never corrects itself in silence. It reads everything anew only where a proxy would (first contact,
//! 410), and counts that; a revision that does not rise is a fault that the test sees.
//!
//! A platform hears only of brokers that have a plan for it. A Kubernetes platform hears of whole brokers, but is shown
//! only what is visible to it; so it may be given a plan of a broker that it never heard of. It reads everything anew
//! then, and counts that too.

mod apply;
mod read;
mod rules;
mod stream;

use crate::harness::Platform;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How long a platform may take to have heard of everything. A limit for slow machines, not a promise.
const PATIENCE: Duration = Duration::from_secs(180);

/// Label values by key.
pub(crate) type Labels = BTreeMap<String, BTreeSet<String>>;

/// What a platform holds, or what the registry shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) brokers: BTreeMap<String, Broker>,
    pub(crate) visibilities: BTreeMap<String, Visibility>,
}

/// A broker as a platform knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Broker {
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) labels: Labels,
    /// By id: catalog id, name, description, and for which platforms it is.
    pub(crate) plans: BTreeMap<String, [String; 4]>,
}

/// A visibility as a platform knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Visibility {
    pub(crate) plan: String,
    /// Empty: public.
    pub(crate) platform: String,
    pub(crate) labels: Labels,
}

#[derive(Debug, Default)]
struct Memory {
    held: Held,
    revision: Option<i64>,
    /// How often it read everything.
    resyncs: usize,
    /// How often it was given a plan of a broker that it had not heard of.
    strangers: usize,
    /// How many notifications it has applied.
    applied: usize,
    /// How often it was connected.
    connections: usize,
    fault: Option<String>,
}

/// A running platform. Gone when dropped.
#[derive(Debug)]
pub(crate) struct ModelPlatform {
    memory: Arc<Mutex<Memory>>,
    order: watch::Sender<Order>,
    running: JoinHandle<()>,
}

/// What the test wants of it.
#[derive(Debug, Clone)]
struct Order {
    platform: Platform,
    awake: bool,
}

impl ModelPlatform {
    /// Lets a registered platform run.
    pub(crate) fn start(platform: Platform) -> Self {
        let memory = Arc::new(Mutex::new(Memory::default()));
        let order = watch::Sender::new(Order {
            platform,
            awake: true,
        });
        let running = tokio::spawn(stream::run(Arc::clone(&memory), order.subscribe()));
        Self {
            memory,
            order,
            running,
        }
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        lock(&self.memory)
    }

    /// How often it had to read everything anew, the first time included.
    pub(crate) fn resyncs(&self) -> usize {
        self.memory().resyncs
    }

    /// How often it was given a plan of a broker that it had never heard of.
    pub(crate) fn strangers(&self) -> usize {
        self.memory().strangers
    }

    /// How many notifications it has applied.
    pub(crate) fn applied(&self) -> usize {
        self.memory().applied
    }

    /// How often it has been connected.
    pub(crate) fn connections(&self) -> usize {
        self.memory().connections
    }

    /// The last revision it knows.
    pub(crate) fn revision(&self) -> Option<i64> {
        self.memory().revision
    }

    /// Hangs up and stays away.
    pub(crate) fn sleep(&self) {
        self.order.send_modify(|order| order.awake = false);
    }

    /// Comes back.
    pub(crate) fn wake(&self) {
        self.order.send_modify(|order| order.awake = true);
    }

    /// Goes on at another address of the same registry.
    pub(crate) fn move_to(&self, url: &str) {
        self.order
            .send_modify(|order| url.clone_into(&mut order.platform.url));
    }

    /// It has another name and type by now; it goes on listening as it does.
    pub(crate) fn is_called(&self, name: &str, kind: &str) {
        self.order.send_if_modified(|order| {
            name.clone_into(&mut order.platform.name);
            kind.clone_into(&mut order.platform.kind);
            false
        });
    }

    fn platform(&self) -> Platform {
        self.order.borrow().platform.clone()
    }

    /// Waits until it has been let in at all.
    pub(crate) async fn connected(&self) {
        crate::harness::eventually("a platform is connected", async || {
            (self.connections() > 0).then_some(())
        })
        .await;
    }

    /// Waits until it holds exactly what the registry shows it, while nobody changes anything.
    pub(crate) async fn agrees(&self, when: &str) {
        let (mut last, began) = (None, Instant::now());
        while last.is_none() || began.elapsed() < PATIENCE {
            if let Some(fault) = self.memory().fault.clone() {
                panic!("{when}: {fault}");
            }
            let platform = self.platform();
            let shown = read::everything(&platform).await.map(|mut shown| {
                rules::leave_what_is_both(&mut shown, &platform);
                shown
            });
            let mut held = self.memory().held.clone();
            rules::leave_what_is_both(&mut held, &platform);
            match shown {
                Ok(shown) if shown == held => return,
                Ok(shown) => last = Some((shown, held)),
                Err(error) if began.elapsed() > PATIENCE => panic!("{when}: {error}"),
                Err(_) => {}
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let (shown, held) = last.unwrap_or_default();
        panic!(
            "{when}: the platform at revision {:?} does not hold what it is shown\n{}",
            self.revision(),
            difference(&shown, &held)
        );
    }
}

impl Drop for ModelPlatform {
    fn drop(&mut self) {
        self.running.abort();
    }
}

fn lock(memory: &Mutex<Memory>) -> MutexGuard<'_, Memory> {
    memory.lock().unwrap_or_else(PoisonError::into_inner)
}

fn difference(shown: &Held, held: &Held) -> String {
    let mut lines = Vec::new();
    compare(&mut lines, "broker", &shown.brokers, &held.brokers);
    compare(
        &mut lines,
        "visibility",
        &shown.visibilities,
        &held.visibilities,
    );
    lines.join("\n")
}

fn compare<T: PartialEq + std::fmt::Debug>(
    lines: &mut Vec<String>,
    noun: &str,
    shown: &BTreeMap<String, T>,
    held: &BTreeMap<String, T>,
) {
    let ids: BTreeSet<_> = shown.keys().chain(held.keys()).collect();
    for id in ids {
        let (shown, held) = (shown.get(id), held.get(id));
        if shown != held {
            lines.push(format!("{noun} {id}:\n  shown {shown:?}\n  holds {held:?}"));
        }
    }
}
