//! A whole broker program behind one call.
//!
//! Called by `main`. The rule: what can fail fails before the address line is printed, with a message
//! that says what to change; after it, only a signal ends the program.

use super::{Credentials, RunError, ServeArgs, StoreChoice, UnknownStore};
use crate::server::{install_metrics, shutdown_signal};
use crate::telemetry::{self, Format, InitError};
use crate::{Broker, BuildError, Builder, Endpoint, KeyRing, Store, StoreError};
use std::fmt;
use std::io::{self, Write};
use std::path::Path;

/// The key of a broker on PostgreSQL, when no other is named.
const DEFAULT_KEY: &str = "broker.key";

/// Why a broker program could not start.
///
/// `Debug` prints the message and its causes on one line: that is what `main` shows when it returns an
/// error.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The log filter is not one, or the collector cannot be used.
    #[error("logs cannot be set up")]
    Log(#[source] InitError),
    /// The address or the TLS files.
    #[error("the server cannot start")]
    Run(#[from] RunError),
    /// `--store` is not understood.
    #[error(transparent)]
    UnknownStore(#[from] UnknownStore),
    /// The store cannot be opened.
    #[error("the store cannot be opened")]
    Store(#[from] StoreError),
    /// The broker itself: most often its catalog.
    #[error("the broker cannot be served")]
    Build(#[from] BuildError),
    /// The system gave no randomness for a password.
    #[error("no password could be made; give one with --password")]
    Password,
}

impl fmt::Debug for ServeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&crate::observe::chain(self))
    }
}

impl ServeArgs {
    /// Serves a broker until SIGTERM or SIGINT, then finishes what is running.
    pub async fn serve<B: Broker>(self, broker: B) -> Result<(), ServeError> {
        self.serve_with(broker, |builder| builder).await
    }

    /// The same, with more said about the endpoint: hooks, another name, other times.
    pub async fn serve_with<B: Broker>(
        self,
        broker: B,
        more: impl FnOnce(Builder<B>) -> Builder<B>,
    ) -> Result<(), ServeError> {
        let telemetry = match telemetry::init(self.log(), Format::Auto) {
            Ok(telemetry) => telemetry,
            // The program has set up its own logs; so be it.
            Err(InitError::Before(_)) => telemetry::Telemetry::default(),
            Err(error) => return Err(ServeError::Log(error)),
        };
        install_metrics();
        let shutdown = shutdown_signal();

        // Cheap things that may fail come first, and work is taken up only once the address is ours.
        let store = self.store()?;
        self.tls().map_err(RunError::from)?;
        let listener = self.bind().await?;
        let credentials = self.credentials().map_err(|_| ServeError::Password)?;
        let endpoint = Endpoint::builder(broker)
            .store(self.open(store).await?)
            .auth(Self::authenticator(credentials.as_ref()))
            .missing_version(self.missing_version())
            .deleted_operation(self.deleted_operation())
            .lease(self.lease());
        let endpoint = more(endpoint).build().await?;

        if let Some(credentials) = credentials.filter(|it| it.generated) {
            tell(&credentials);
        }
        let asked = endpoint.clone();
        let ready = move || {
            let asked = asked.clone();
            async move {
                match asked.ready().await {
                    true => Ok(()),
                    false => Err("the store does not answer".to_owned()),
                }
            }
        };
        let ran = self
            .run(
                listener,
                endpoint.clone(),
                |health| health.ready_when(ready),
                shutdown,
            )
            .await;
        endpoint.shutdown().await;
        telemetry.finish().await;
        if ran?.cut > 0 {
            tracing::warn!("some requests were cut off at the end of the grace period");
        }
        Ok(())
    }

    async fn open(&self, store: StoreChoice) -> Result<Store, StoreError> {
        match store {
            StoreChoice::Memory => Store::memory().await,
            StoreChoice::File(path) => match self.key() {
                None => Store::file(path).await,
                Some(key) => Store::file_with_key(path, key).await,
            },
            StoreChoice::Postgres(url) => {
                let key = self.key().unwrap_or_else(|| Path::new(DEFAULT_KEY));
                postgres(url.expose(), key).await
            }
        }
    }
}

/// Opens PostgreSQL. A key that was made for it stays only if the store took it: one that holds secrets
/// already was sealed with another.
async fn postgres(url: &str, path: &Path) -> Result<Store, StoreError> {
    let known = path.exists();
    let keys = KeyRing::from_file(path, true).map_err(StoreError::Key)?;
    let opened = Store::postgres(url, keys).await;
    match (&opened, known) {
        (_, true) => {}
        (Ok(_), false) => {
            tracing::warn!(file = %path.display(), "a new key was made; keep it, and give it to every replica");
        }
        (Err(_), false) => drop(std::fs::remove_file(path)),
    }
    opened
}

/// Once, to standard error: it is for the person who started the program, not for its log.
fn tell(credentials: &Credentials) {
    let Credentials { user, password, .. } = credentials;
    let line = format!(
        "no password was given; for this run it is: --user {user} --password {}",
        password.expose()
    );
    let _ = writeln!(io::stderr().lock(), "{line}");
}
