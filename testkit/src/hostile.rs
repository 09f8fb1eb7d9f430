//! The hostile broker: an OSB broker that behaves well until it is told not to.
//!
//! Platforms, proxies and the conformance suite are tested against it. Left alone it keeps instances and
//! bindings in memory and answers as the specification says. A script makes single calls go wrong, on the
//! wire or in meaning. The rule: what it recorded (`calls`) and what it believes to exist (`instances`) is the
//! truth that a test holds against what the platform believes.
//!
//! ```text
//! connection (serve, wire) -> record (calls) -> fault? (script, fault) -> behave/* on memory -> deliver
//!                          \-> /_hostile/* (control)
//! ```

mod behave;
mod calls;
mod catalogs;
mod config;
mod control;
mod deliver;
mod fault;
mod memory;
mod route;
mod script;
mod serve;
mod wire;

pub use calls::{Call, Filter, TooFewCalls};
pub use catalogs::{
    ASYNC_PLAN, SERVICE, SYNC_PLAN, standard_catalog, with_other_ids, without_plan,
};
pub use config::Config;
pub use fault::{Fault, Header};
pub use memory::{KnownBinding, KnownInstance, Phase};
pub use script::{On, Rule};

use quartermaster_osb::{Catalog, Verb};
use serve::Shared;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::runtime::{Builder, Runtime};

/// A running hostile broker. Ended when dropped.
///
/// It runs on a thread of its own, so that a test that blocks does not silence it.
#[derive(Debug)]
pub struct HostileBroker {
    shared: Arc<Shared>,
    address: SocketAddr,
    runtime: Option<Runtime>,
    serving: Option<serve::Serving>,
}

impl HostileBroker {
    /// Starts one with the standard catalog on a free port of 127.0.0.1.
    pub async fn start() -> io::Result<Self> {
        Self::start_with(Config::default()).await
    }

    /// Starts one as configured.
    pub async fn start_with(config: Config) -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("hostile-broker")
            .enable_all()
            .build()?;
        let listen = config.listen;
        let mut broker = Self {
            shared: Arc::new(Shared::new(config)),
            address: listen,
            runtime: Some(runtime),
            serving: None,
        };
        broker.resume()?;
        Ok(broker)
    }

    /// `http://ADDR`.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Closes the port and every connection, in the middle of whatever they do. What it knows stays.
    pub async fn stop(&mut self) {
        if let Some(serving) = self.serving.take() {
            serving.stop().await;
        }
    }

    /// Listens again at the same address after [`stop`](Self::stop).
    pub fn resume(&mut self) -> io::Result<()> {
        let (None, Some(runtime)) = (&self.serving, &self.runtime) else {
            return Ok(());
        };
        let listener = std::net::TcpListener::bind(self.address)?;
        listener.set_nonblocking(true)?;
        self.address = listener.local_addr()?;
        let _inside = runtime.enter();
        self.serving = Some(serve::Serving::start(listener, Arc::clone(&self.shared))?);
        Ok(())
    }

    /// Begins a rule for one verb: `broker.on(Verb::Bind).nth(2).then(Fault::Close)`.
    pub fn on(&self, verb: Verb) -> On<'_> {
        On::new(&self.shared, Some(verb))
    }

    /// Begins a rule for every verb.
    pub fn on_any(&self) -> On<'_> {
        On::new(&self.shared, None)
    }

    /// Adds a rule after those already there.
    pub fn add(&self, rule: Rule) {
        self.shared.script().add(rule);
    }

    /// Removes all rules: from now on it behaves.
    pub fn behave(&self) {
        self.shared.script().clear();
    }

    /// Every call it got, in order of arrival. Its own control paths are not among them.
    pub fn calls(&self) -> Vec<Call> {
        self.shared.calls.all()
    }

    /// The calls of one verb.
    pub fn calls_of(&self, verb: Verb) -> Vec<Call> {
        self.shared.calls.matching(&Filter::from(verb))
    }

    /// Waits until it got `n` calls in all and returns them; an error after half a minute.
    pub async fn wait_for_calls(&self, n: usize) -> Result<Vec<Call>, TooFewCalls> {
        self.shared.calls.wait(n, &Filter::default()).await
    }

    /// Waits until it got `n` calls of one verb, for one instance if the filter says so.
    pub async fn wait_for(
        &self,
        filter: impl Into<Filter>,
        n: usize,
    ) -> Result<Vec<Call>, TooFewCalls> {
        self.shared.calls.wait(n, &filter.into()).await
    }

    /// What exists at this broker, half-made and half-deleted things included: the truth that a platform's
    /// beliefs are held against.
    pub fn instances(&self) -> Vec<KnownInstance> {
        self.shared.memory().known()
    }

    /// Loses an instance with its bindings, as a broker with a lost database does.
    pub fn forget(&self, instance: &str) {
        self.shared.memory().forget(instance);
    }

    /// Serves another catalog from now on.
    pub fn set_catalog(&self, catalog: Catalog) {
        self.shared.memory().catalog = catalog;
    }

    /// Alternates between its catalog and another, fetch by fetch.
    pub fn flap_catalog(&self, other: &Catalog) {
        self.on(Verb::Catalog).then(Fault::Cycle {
            faults: vec![Fault::Behave, Fault::catalog(other)],
        });
    }

    /// Demands other credentials from now on: everybody else gets 401.
    pub fn demand_credentials(&self, user: &str, password: &str) {
        self.shared.memory().credentials = Some((user.to_owned(), password.to_owned()));
    }

    /// Forgets rules, calls, instances, and goes back to its configuration.
    pub fn reset(&self) {
        self.shared.reset();
    }
}

impl Drop for HostileBroker {
    fn drop(&mut self) {
        // A runtime must not be waited for inside another; its tasks end at their next step.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
