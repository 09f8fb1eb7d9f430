//! A ready HTTP or HTTPS server around the broker's tower service.
//!
//! A program calls [`Server::run`] with a bound listener and a future that ends it; nothing here opens
//! the main socket or reads a configuration. The rule: one slow, broken or hostile client costs only
//! its own connection. Handshakes run on tasks of their own, heads and bodies have deadlines and
//! sizes, connections are counted, and a stop finishes what is running before it cuts.
//!
//! ```text
//! accept -> [limit] -> task: [TLS handshake] -> http/1.1 -> door -+-> /healthz /readyz /metrics
//!                                                                +-> the service
//! ```

mod accept;
mod body;
mod connection;
mod door;
mod health;
mod limits;
mod peer;
mod recorder;
mod service;
mod signal;
mod stop;
mod tls;

pub use body::{BodyError, RequestBody};
pub use door::RemoteAddr;
pub use health::Health;
pub use limits::Limits;
pub use recorder::install_metrics;
pub use service::HttpService;
pub use signal::shutdown_signal;
pub use stop::Stopped;
pub use tls::{TlsConfig, TlsError};

use accept::Acceptor;
use door::{Door, Nowhere};
use std::time::Duration;
use stop::Stop;
use tokio::net::TcpListener;

/// A server for one tower service. An SDK endpoint is one, an axum `Router` is one too.
///
/// ```no_run
/// # async fn run(endpoint: axum::Router) -> std::io::Result<()> {
/// use quartermaster_sdk::server::{Server, shutdown_signal};
///
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
/// println!("listening on http://{}", listener.local_addr()?);
/// Server::new(endpoint).run(listener, shutdown_signal()).await;
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Server<S> {
    service: S,
    tls: Option<TlsConfig>,
    health: Health,
    limits: Limits,
}

impl<S> Server<S> {
    /// A plain HTTP server with health on the same address and default limits.
    pub fn new(service: S) -> Self {
        Self {
            service,
            tls: None,
            health: Health::here(),
            limits: Limits::default(),
        }
    }

    /// Speaks TLS.
    #[must_use]
    pub fn tls(mut self, tls: TlsConfig) -> Self {
        self.tls = Some(tls);
        self
    }

    /// Where health and metrics are, and what readiness means.
    #[must_use]
    pub fn health(mut self, health: Health) -> Self {
        self.health = health;
        self
    }

    /// How much a client may take.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// How long running requests may take to finish once the stop was asked for.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.limits.grace = grace;
        self
    }

    /// `http` or `https`: what the address line of the program should say.
    pub fn scheme(&self) -> &'static str {
        match self.tls {
            Some(_) => "https",
            None => "http",
        }
    }

    /// Serves until `shutdown` is ready, then finishes the running requests, at most for the grace
    /// period. Dropping the future cuts every connection.
    pub async fn run(self, listener: TcpListener, shutdown: impl Future<Output = ()>) -> Stopped
    where
        S: HttpService,
    {
        let Self {
            service,
            tls,
            health,
            limits,
        } = self;
        let (probes, place) = health.open();
        let _upkeep = probes.keep_metrics();

        // Probes on an address of their own outlive the main listener: they say "stopping".
        let aside = Stop::new();
        let door_probes = match place {
            health::Place::Here => Some(probes.clone()),
            health::Place::Off => None,
            health::Place::On(side_listener) => {
                let acceptor = Acceptor::new(None, &limits, &aside);
                let door = Door::new(Some(probes.clone()), Nowhere, limits.body_time);
                tokio::spawn(acceptor.run(side_listener, door, aside.asked()));
                None
            }
        };

        let stop = Stop::new();
        let door = Door::new(door_probes, service, limits.body_time);
        Acceptor::new(tls, &limits, &stop)
            .run(listener, door, shutdown)
            .await;
        probes.stopping();
        let stopped = stop.drain(limits.grace).await;
        aside.drain(Duration::ZERO).await;
        stopped
    }
}
