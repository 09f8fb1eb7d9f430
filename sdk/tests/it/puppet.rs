//! A broker on strings: each test decides when a verb ends and how, and sees what it did to the world.
//!
//! The rule: the `World` outlives brokers, as a real service outlives `kill -9`. A verb begins by making
//! something half and ends by making it whole, so that a test can tell what was left behind.

use quartermaster_sdk::osb::InstanceMetadata;
use quartermaster_sdk::prelude::*;
use serde_json::json;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard};
use tokio::sync::{Semaphore, watch};

pub(crate) const SERVICE: &str = "service-1";
pub(crate) const OTHER_SERVICE: &str = "service-2";
pub(crate) const SMALL: &str = "plan-small";
pub(crate) const LARGE: &str = "plan-large";
pub(crate) const FIXED: &str = "plan-fixed";
pub(crate) const SHORT: &str = "plan-short";
pub(crate) const OTHER_PLAN: &str = "plan-other";

const CATALOG: &str = r#"
services:
- id: service-1
  name: puppet
  description: Does as it is told
  bindable: true
  plan_updateable: true
  instances_retrievable: true
  bindings_retrievable: true
  plans:
  - { id: plan-small, name: small, description: Small, binding_rotatable: true,
      maintenance_info: { version: 1.0.0 } }
  - { id: plan-large, name: large, description: Large, binding_rotatable: true,
      maintenance_info: { version: 2.0.0 } }
  - { id: plan-fixed, name: fixed, description: Neither binds nor changes, bindable: false,
      plan_updateable: false }
  - { id: plan-short, name: short, description: One second, maximum_polling_duration: 1 }
- id: service-2
  name: shy
  description: Fetches nothing and takes contexts
  bindable: true
  allow_context_updates: true
  plans:
  - { id: plan-other, name: other, description: Other }
"#;

/// Opens once and stays open.
#[derive(Debug, Clone)]
pub(crate) struct Gate(Arc<Semaphore>);

impl Gate {
    pub(crate) fn shut() -> Self {
        Self(Arc::new(Semaphore::new(0)))
    }

    pub(crate) fn open(&self) {
        self.0.close();
    }

    async fn pass(&self) {
        let _ = self.0.acquire().await;
    }
}

/// Holds a whole thread up, as a blocking call does that does not belong in an async function.
#[derive(Debug, Clone, Default)]
pub(crate) struct Block(Arc<(Mutex<bool>, std::sync::Condvar)>);

impl Block {
    pub(crate) fn open(&self) {
        *self.0.0.lock().unwrap() = true;
        self.0.1.notify_all();
    }

    fn pass(&self) {
        let open = self.0.0.lock().unwrap();
        drop(self.0.1.wait_while(open, |open| !*open).unwrap());
    }
}

/// How a verb ends.
#[derive(Debug, Clone)]
pub(crate) enum End {
    Good,
    /// Refused with this code, before anything is touched.
    Refuse(u16),
    /// Fails half way.
    Break,
    /// Fails half way and says that the instance is lost.
    Ruin,
    /// An error of the author's with a cause.
    Cause(String),
    Panic(String),
}

/// What a verb does when it is called.
#[derive(Debug, Clone)]
pub(crate) struct Deed {
    pub(crate) later: bool,
    pub(crate) gate: Option<Gate>,
    pub(crate) block: Option<Block>,
    pub(crate) end: End,
    pub(crate) say: Option<&'static str>,
    pub(crate) dashboard: Option<&'static str>,
}

impl Deed {
    pub(crate) fn now() -> Self {
        Self {
            later: false,
            gate: None,
            block: None,
            end: End::Good,
            say: None,
            dashboard: None,
        }
    }

    pub(crate) fn later() -> Self {
        Self {
            later: true,
            ..Self::now()
        }
    }

    pub(crate) fn behind(mut self, gate: &Gate) -> Self {
        self.gate = Some(gate.clone());
        self
    }

    pub(crate) fn blocking(mut self, block: &Block) -> Self {
        self.block = Some(block.clone());
        self
    }

    pub(crate) fn ends(mut self, end: End) -> Self {
        self.end = end;
        self
    }

    pub(crate) fn says(mut self, text: &'static str) -> Self {
        self.say = Some(text);
        self
    }

    pub(crate) fn dashboard(mut self, url: &'static str) -> Self {
        self.dashboard = Some(url);
        self
    }
}

/// Half made or whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thing {
    Half,
    Whole,
}

/// What exists, and what was done to it.
#[derive(Debug, Default)]
pub(crate) struct World {
    state: Mutex<State>,
    entered: Counter,
}

#[derive(Debug, Default)]
struct State {
    things: BTreeMap<String, Thing>,
    deeds: HashMap<&'static str, Deed>,
    called: HashMap<&'static str, usize>,
    attempts: Vec<i64>,
    credentials: Option<serde_json::Value>,
    expires_at: Option<String>,
    seen: Vec<String>,
    busy: HashMap<String, usize>,
    overlaps: usize,
}

#[derive(Debug)]
struct Counter(watch::Sender<HashMap<&'static str, usize>>);

impl Default for Counter {
    fn default() -> Self {
        Self(watch::Sender::new(HashMap::new()))
    }
}

impl World {
    pub(crate) fn new() -> Arc<Self> {
        Arc::default()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    /// From now on the verb does this.
    pub(crate) fn set(&self, verb: &'static str, deed: Deed) {
        self.state().deeds.insert(verb, deed);
    }

    /// What bind answers.
    pub(crate) fn give(&self, credentials: serde_json::Value) {
        self.state().credentials = Some(credentials);
    }

    /// When what bind answers expires.
    pub(crate) fn expire(&self, at: &str) {
        self.state().expires_at = Some(at.to_owned());
    }

    /// Everything but fetches does this.
    pub(crate) fn all(&self, deed: &Deed) {
        for verb in [
            "provision",
            "update",
            "deprovision",
            "bind",
            "unbind",
            "rotate",
        ] {
            self.set(verb, deed.clone());
        }
    }

    /// How often the function of a verb was called.
    pub(crate) fn called(&self, verb: &str) -> usize {
        self.state().called.get(verb).copied().unwrap_or_default()
    }

    /// `instance` or `instance/binding`.
    pub(crate) fn thing(&self, name: &str) -> Option<Thing> {
        self.state().things.get(name).copied()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.state().things.is_empty()
    }

    /// How often two functions worked on one thing at once.
    pub(crate) fn overlaps(&self) -> usize {
        self.state().overlaps
    }

    pub(crate) fn last_attempt(&self) -> i64 {
        self.state().attempts.last().copied().unwrap_or_default()
    }

    /// What the verbs were given, in words.
    pub(crate) fn last_seen(&self) -> String {
        self.state().seen.last().cloned().unwrap_or_default()
    }

    /// Waits until the work of a verb was begun `times` in all.
    pub(crate) async fn entered(&self, verb: &'static str, times: usize) {
        let mut counts = self.entered.0.subscribe();
        let reached = counts.wait_for(|counts| counts.get(verb).copied().unwrap_or(0) >= times);
        tokio::time::timeout(std::time::Duration::from_secs(180), reached)
            .await
            .unwrap_or_else(|_| panic!("{verb} was not begun {times} times"))
            .unwrap();
    }

    fn begin(&self, verb: &'static str, attempt: i64, seen: String) -> Deed {
        let mut state = self.state();
        *state.called.entry(verb).or_default() += 1;
        state.attempts.push(attempt);
        state.seen.push(seen);
        state.deeds.get(verb).cloned().unwrap_or_else(Deed::now)
    }
}

/// Somebody works on a thing.
struct Busy(Arc<World>, String);

impl Busy {
    fn with(world: &Arc<World>, name: &str) -> Self {
        let mut state = world.state();
        let busy = state.busy.entry(name.to_owned()).or_default();
        *busy += 1;
        if *busy > 1 {
            state.overlaps += 1;
        }
        drop(state);
        Self(world.clone(), name.to_owned())
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        if let Some(busy) = self.0.state().busy.get_mut(&self.1) {
            *busy -= 1;
        }
    }
}

/// The broker.
#[derive(Debug)]
pub(crate) struct Puppet(pub(crate) Arc<World>);

impl Puppet {
    /// The work of a verb on a thing: half, wait, whole (or gone).
    async fn work(
        &self,
        verb: &'static str,
        name: String,
        deed: Deed,
        progress: quartermaster_sdk::Progress,
    ) -> Result<(), Failure> {
        let world = &self.0;
        let _busy = Busy::with(world, &name);
        let creates = matches!(verb, "provision" | "bind" | "rotate");
        if creates && !matches!(deed.end, End::Refuse(_)) {
            world.state().things.insert(name.clone(), Thing::Half);
        }
        if let Some(text) = deed.say {
            progress.say(text).await;
        }
        world
            .entered
            .0
            .send_modify(|counts| *counts.entry(verb).or_default() += 1);
        if let Some(gate) = &deed.gate {
            gate.pass().await;
        }
        if let Some(block) = &deed.block {
            block.pass();
        }
        match deed.end {
            End::Good => {}
            End::Refuse(code) => {
                let code = http::StatusCode::from_u16(code).unwrap();
                return Err(Failure::status(code, "the puppet refuses"));
            }
            End::Break => return Err(Failure::broken("the puppet broke")),
            End::Ruin => {
                let ruin = Failure::broken("the puppet ruined it");
                return Err(ruin.instance_unusable().not_repeatable());
            }
            End::Cause(text) => return Err(std::io::Error::other(text).into()),
            End::Panic(text) => panic!("{text}"),
        }
        match verb {
            "deprovision" | "unbind" => world.state().things.remove(&name),
            "update" => None,
            _ => world.state().things.insert(name, Thing::Whole),
        };
        Ok(())
    }

    async fn run<T: Send + 'static>(
        self: Arc<Self>,
        verb: &'static str,
        name: String,
        deed: Deed,
        progress: quartermaster_sdk::Progress,
        value: T,
    ) -> Reply<T> {
        if !deed.later {
            self.work(verb, name, deed, progress).await?;
            return Ok(now(value));
        }
        let dashboard = deed.dashboard;
        let outcome = later(async move {
            self.work(verb, name, deed, progress).await?;
            Ok(value)
        });
        Ok(match dashboard {
            Some(url) => outcome.dashboard_url(url),
            None => outcome,
        })
    }

    fn binding(&self, name: &str) -> Binding {
        let state = self.0.state();
        let credentials = state
            .credentials
            .clone()
            .unwrap_or_else(|| json!({ "key": name }));
        let mut binding = Binding::with_credentials(credentials);
        binding.metadata = state.expires_at.clone().map(|at| BindingMetadata {
            expires_at: Some(at),
            renew_before: None,
            extra: Default::default(),
        });
        binding
    }
}

impl Broker for Puppet {
    type Parameters = Object;
    type Changes = Object;
    type BindParameters = Object;

    fn catalog(&self) -> Result<Catalog, CatalogError> {
        from_yaml(CATALOG)
    }

    async fn provision(self: Arc<Self>, call: Provision<Object>) -> Reply<Provisioned> {
        let seen = format!("{} {}", call.plan.name, json!(call.parameters));
        let deed = self.0.begin("provision", call.asked.attempt, seen);
        let made = Provisioned {
            dashboard_url: deed.dashboard.filter(|_| !deed.later).map(str::to_owned),
            metadata: Some(InstanceMetadata {
                labels: json!({ "made": "here" }).as_object().unwrap().clone(),
                ..InstanceMetadata::default()
            }),
        };
        self.run(
            "provision",
            call.instance.to_string(),
            deed,
            call.progress,
            made,
        )
        .await
    }

    async fn update(self: Arc<Self>, call: Update<Object>) -> Reply<Updated> {
        let seen = format!(
            "{}->{} {} over {} version {:?}",
            call.previous_plan.name,
            call.plan.name,
            call.changes
                .map_or("nothing".to_owned(), |changes| json!(changes).to_string()),
            json!(call.parameters.expose()),
            call.maintenance_version,
        );
        let deed = self.0.begin("update", call.asked.attempt, seen);
        let name = format!("{} update", call.instance);
        self.run("update", name, deed, call.progress, Updated::default())
            .await
    }

    async fn deprovision(self: Arc<Self>, call: Deprovision) -> Reply<()> {
        let seen = json!(call.parameters.expose()).to_string();
        let deed = self.0.begin("deprovision", call.asked.attempt, seen);
        self.run(
            "deprovision",
            call.instance.to_string(),
            deed,
            call.progress,
            (),
        )
        .await
    }

    async fn bind(self: Arc<Self>, call: Bind<Object>) -> Reply<Binding> {
        let seen = json!(call.parameters).to_string();
        let deed = self.0.begin("bind", call.asked.attempt, seen);
        let name = format!("{}/{}", call.instance, call.binding);
        let binding = self.binding(&name);
        self.run("bind", name, deed, call.progress, binding).await
    }

    async fn unbind(self: Arc<Self>, call: Unbind) -> Reply<()> {
        let seen = format!("made: {}", call.made.is_some());
        let deed = self.0.begin("unbind", call.asked.attempt, seen);
        let name = format!("{}/{}", call.instance, call.binding);
        self.run("unbind", name, deed, call.progress, ()).await
    }

    async fn rotate(self: Arc<Self>, call: Rotate<Object>) -> Reply<Binding> {
        let old = call.predecessor_binding.credentials.is_some();
        let seen = format!(
            "{} after {} (known: {old})",
            json!(call.bind.parameters),
            call.predecessor
        );
        let deed = self.0.begin("rotate", call.bind.asked.attempt, seen);
        let name = format!("{}/{}", call.bind.instance, call.bind.binding);
        let binding = self.binding(&name);
        self.run("rotate", name, deed, call.bind.progress, binding)
            .await
    }

    async fn fetch_instance(
        self: Arc<Self>,
        call: FetchedInstance,
    ) -> Result<quartermaster_sdk::osb::Instance, Failure> {
        match self.0.begin("fetch_instance", 1, String::new()).end {
            End::Panic(text) => panic!("{text}"),
            End::Cause(text) => Err(std::io::Error::other(text).into()),
            _ => Ok(call.stored),
        }
    }

    async fn fetch_binding(self: Arc<Self>, call: FetchedBinding) -> Result<Binding, Failure> {
        match self.0.begin("fetch_binding", 1, String::new()).end {
            End::Panic(text) => panic!("{text}"),
            End::Cause(text) => Err(std::io::Error::other(text).into()),
            _ => Ok(call.stored),
        }
    }
}
