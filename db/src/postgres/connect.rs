//! Opens connections to the server. Slots and the combiner call it.
//!
//! The rule that keeps it right: every connection is set up alike before anybody uses it, and an
//! error on the way never shows the password (it is not in any of the driver's texts).

use std::error::Error as StdError;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres::{Client, Config, NoTls, Socket};

use super::session::Session;
use super::tls::Tls;
use crate::error::Error;

pub(crate) struct Connector {
    pub(crate) config: Config,
    pub(crate) tls: Tls,
    /// What is said first on each connection.
    pub(crate) settings: String,
}

impl Connector {
    pub(crate) fn new(mut config: Config, tls: Tls, statement_timeout: Duration) -> Self {
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(Duration::from_secs(5));
        }
        if config.get_application_name().is_none() {
            config.application_name("quartermaster");
        }
        let settings = format!(
            "SET statement_timeout = {}; SET idle_in_transaction_session_timeout = 60000",
            statement_timeout.as_millis()
        );
        Self {
            config,
            tls,
            settings,
        }
    }

    pub(crate) async fn connect(&self) -> Result<Session, Error> {
        let (client, driver) = match &self.tls {
            Tls::Off => open(&self.config, NoTls).await?,
            #[cfg(feature = "tls")]
            Tls::On(tls) => open(&self.config, tls.clone()).await?,
        };
        client
            .batch_execute(&self.settings)
            .await
            .map_err(|error| told(&error))?;
        Ok(Session::new(client, driver))
    }
}

async fn open<T>(config: &Config, tls: T) -> Result<(Client, JoinHandle<()>), Error>
where
    T: MakeTlsConnect<Socket> + 'static,
    T::Stream: Send + 'static,
{
    let (client, connection) = config.connect(tls).await.map_err(|error| told(&error))?;
    let driver = tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::warn!(error = %words(&error), "a connection to PostgreSQL was lost");
        }
    });
    Ok((client, driver))
}

fn told(error: &tokio_postgres::Error) -> Error {
    Error::unavailable(words(error))
}

/// The driver's words with their causes: host, port, refusal. No statement has run, so there are
/// no values in them.
fn words(error: &tokio_postgres::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text.push_str(": ");
        text.push_str(&error.to_string());
        cause = error.source();
    }
    text
}
