//! Listening as the flags say: bind, tell, serve.
//!
//! Called by [`serve`](super::ServeArgs::serve), and by programs with a service of their own. The rule:
//! standard output gets one line, `listening on http://ADDR`, and only once connections are taken.

use super::{HealthPlace, ServeArgs};
use crate::server::{Health, HttpService, Server, Stopped, TlsError};
use std::io::{self, Write};
use tokio::net::TcpListener;

/// Why the server could not start.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The address is taken, not ours, or no address.
    #[error("cannot listen on {addr}")]
    Bind {
        /// What was given.
        addr: String,
        /// What the system said.
        source: io::Error,
    },
    /// The certificate, the key or the authority cannot be used.
    #[error("TLS cannot be set up")]
    Tls(#[from] TlsError),
}

impl ServeArgs {
    /// Takes the address.
    pub async fn bind(&self) -> Result<TcpListener, RunError> {
        bind(&self.listen).await
    }

    /// Serves any tower service until `shutdown`, with TLS and health as the flags say. `health` has the
    /// readiness check; the flags have its place.
    pub async fn run<S>(
        &self,
        listener: TcpListener,
        service: S,
        health: impl FnOnce(Health) -> Health,
        shutdown: impl Future<Output = ()>,
    ) -> Result<Stopped, RunError>
    where
        S: HttpService,
    {
        let place = match &self.health {
            HealthPlace::Here => Health::here(),
            HealthPlace::Off => Health::off(),
            HealthPlace::On(addr) => Health::on(bind(addr).await?),
        };
        let mut server = Server::new(service).health(health(place));
        if let Some(tls) = self.tls()? {
            server = server.tls(tls);
        }
        let addr = listener.local_addr().map_err(|source| RunError::Bind {
            addr: self.listen.clone(),
            source,
        })?;
        tell(&format!("listening on {}://{addr}", server.scheme()));
        Ok(server.run(listener, shutdown).await)
    }
}

async fn bind(addr: &str) -> Result<TcpListener, RunError> {
    TcpListener::bind(addr)
        .await
        .map_err(|source| RunError::Bind {
            addr: addr.to_owned(),
            source,
        })
}

/// The socket is bound, so a client that reads this can connect. Whoever started us may have closed
/// our standard output; that is no reason not to serve.
fn tell(line: &str) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}
