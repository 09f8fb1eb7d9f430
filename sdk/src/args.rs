//! The common flags of a broker program, for clap.
//!
//! A program flattens [`ServeArgs`] into its own arguments, or takes them alone with
//! [`ServeArgs::from_command_line`], and ends with [`ServeArgs::serve`]. The rule: flags are words here;
//! the methods turn them into ready things, and no secret among them can be printed.

mod run;
mod serve;
mod values;

pub use run::RunError;
pub use serve::ServeError;
pub use values::{Credentials, HealthPlace, StoreChoice, UnknownStore};

use crate::auth::{Authenticator, Basic, MutualTls};
use crate::server::{TlsConfig, TlsError};
use crate::{DeletedOperation, MissingVersion};
use aws_lc_rs::error::Unspecified;
use quartermaster_osb::Secret;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How a broker listens, who may call it, and where it keeps its state.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Serving")]
pub struct ServeArgs {
    /// Where to listen. Port 0 takes a free one, which is printed.
    #[arg(
        long,
        value_name = "ADDR",
        default_value = "127.0.0.1:8080",
        env = "QM_BROKER_LISTEN"
    )]
    listen: String,

    /// The user name that platforms send.
    #[arg(long, value_name = "NAME", default_value = "broker", env = "QM_BROKER_USER",
          value_parser = values::user)]
    user: String,

    /// The password that platforms send. Better given in the environment, where `ps` does not show it.
    /// Without one, and without --client-ca, a password is made and printed once.
    #[arg(long, value_name = "PASSWORD", env = "QM_BROKER_PASSWORD", hide_env_values = true,
          value_parser = values::password)]
    password: Option<Secret<String>>,

    /// Where state is kept: a SQLite file, postgres://..., or the word memory.
    #[arg(long, value_name = "FILE|URL|memory", default_value = "broker.db",
          env = "QM_BROKER_STORE", hide_env_values = true, value_parser = values::secret)]
    store: Secret<String>,

    /// The key that seals credentials at rest; made when it is not there. All replicas need the same.
    /// Without it: FILE.key beside a file, broker.key for PostgreSQL.
    #[arg(long, value_name = "FILE", env = "QM_BROKER_KEY")]
    key: Option<PathBuf>,

    /// Speak HTTPS with this certificate chain (PEM).
    #[arg(
        long,
        value_name = "FILE",
        requires = "tls_key",
        env = "QM_BROKER_TLS_CERT"
    )]
    tls_cert: Option<PathBuf>,

    /// The private key of the certificate (PEM).
    #[arg(
        long,
        value_name = "FILE",
        requires = "tls_cert",
        env = "QM_BROKER_TLS_KEY"
    )]
    tls_key: Option<PathBuf>,

    /// Only clients with a certificate of this authority (PEM) may connect. With a password they need
    /// both; without one the certificate is enough.
    #[arg(
        long,
        value_name = "FILE",
        requires = "tls_cert",
        env = "QM_BROKER_CLIENT_CA"
    )]
    client_ca: Option<PathBuf>,

    /// Where /healthz, /readyz and /metrics are: here, off, or another address.
    #[arg(long, value_name = "here|off|ADDR", default_value = "here", env = "QM_BROKER_HEALTH",
          value_parser = values::health)]
    health: HealthPlace,

    /// The answer to a request without X-Broker-API-Version: 412 suits older platforms, 400 is what
    /// 2.16 and later say.
    #[arg(long, value_name = "CODE", default_value = "412", value_parser = ["400", "412"],
          env = "QM_BROKER_MISSING_VERSION")]
    missing_version: String,

    /// What last_operation says when a delete has finished: 200 succeeded, or 410 gone.
    #[arg(long, value_name = "WORD", default_value = "succeeded",
          value_parser = ["succeeded", "gone"], env = "QM_BROKER_DELETED_OPERATION")]
    deleted_operation: String,

    /// How long work stays with a replica on PostgreSQL that has died, before another takes it over.
    #[arg(long, value_name = "SECONDS", default_value_t = 15, env = "QM_BROKER_LEASE",
          value_parser = clap::value_parser!(u64).range(1..=3600))]
    lease: u64,

    /// What to log, to standard error: a level, or target=level pairs parted by commas.
    #[arg(
        long,
        value_name = "FILTER",
        default_value = "info",
        env = "QM_BROKER_LOG"
    )]
    log: String,
}

impl ServeArgs {
    /// The arguments of a program that has no others. Prints help and ends the process like any clap
    /// program.
    pub fn from_command_line() -> Self {
        /// A broker for the Open Service Broker API.
        #[derive(clap::Parser)]
        struct Program {
            #[command(flatten)]
            serve: ServeArgs,
        }
        let Program { serve } = clap::Parser::parse();
        serve
    }

    /// The address as given: host and port.
    pub fn listen(&self) -> &str {
        &self.listen
    }

    /// The filter of the log.
    pub fn log(&self) -> &str {
        &self.log
    }

    /// Where state is kept.
    pub fn store(&self) -> Result<StoreChoice, UnknownStore> {
        self.store.expose().parse()
    }

    /// The key file, where one was named.
    pub fn key(&self) -> Option<&Path> {
        self.key.as_deref()
    }

    /// Where health and metrics are served.
    pub fn health(&self) -> &HealthPlace {
        &self.health
    }

    /// The code for a request without a version header.
    pub fn missing_version(&self) -> MissingVersion {
        match self.missing_version.as_str() {
            "400" => MissingVersion::BadRequest,
            _ => MissingVersion::PreconditionFailed,
        }
    }

    /// What is said once a delete has finished.
    pub fn deleted_operation(&self) -> DeletedOperation {
        match self.deleted_operation.as_str() {
            "gone" => DeletedOperation::Gone,
            _ => DeletedOperation::Succeeded,
        }
    }

    /// How long work stays with a replica that has died.
    pub fn lease(&self) -> Duration {
        Duration::from_secs(self.lease)
    }

    /// The TLS side, if the server speaks it.
    pub fn tls(&self) -> Result<Option<TlsConfig>, TlsError> {
        let (Some(cert), Some(key)) = (&self.tls_cert, &self.tls_key) else {
            return Ok(None);
        };
        let tls = TlsConfig::from_files(cert, key)?;
        match &self.client_ca {
            Some(ca) => tls.client_ca(ca, true).map(Some),
            None => Ok(Some(tls)),
        }
    }

    /// User and password; made up when none was given. Nothing when certificates alone decide.
    pub fn credentials(&self) -> Result<Option<Credentials>, Unspecified> {
        let user = self.user.clone();
        match (&self.password, &self.client_ca) {
            (Some(password), _) => Ok(Some(Credentials {
                user,
                password: password.clone(),
                generated: false,
            })),
            (None, Some(_)) => Ok(None),
            (None, None) => Credentials::generate(user).map(Some),
        }
    }

    /// Who may call, given the credentials of [`Self::credentials`].
    pub fn authenticator(credentials: Option<&Credentials>) -> Box<dyn Authenticator> {
        match credentials {
            Some(Credentials { user, password, .. }) => {
                Box::new(Basic::new(user, password.expose()))
            }
            None => Box::new(MutualTls::new()),
        }
    }
}
