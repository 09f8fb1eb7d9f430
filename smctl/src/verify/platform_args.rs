//! What can be typed after `smctl verify platform`, and how it becomes a driver and options.

use super::args::{Format, known, password, tls, variable};
use super::duration;
use crate::exit::usage;
use anyhow::{Result, anyhow};
use clap::{ArgGroup, Args};
use qm_conformance::platform::driver::{Command, Login, ServiceManager};
use qm_conformance::platform::{Driver, Options, cases};
use qm_conformance::{Duration, Secret};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

pub(crate) const EXAMPLES: &str = "\
Examples:
  smctl verify platform --url http://127.0.0.1:8080 --user admin --password secret
  smctl verify platform --url https://sm.example.com --token $TOKEN --ca ca.pem \\
      --listen 0.0.0.0:9000 --public-url http://10.0.0.7:9000
  smctl verify platform --driver './drive-my-platform --cluster test' --only provision,bind

--url drives any server with the Service Manager REST API. --driver runs a program that makes any other
platform act; docs/verify-platform.md describes the lines it reads and writes.

Exit codes: 0 nothing mandatory failed, 1 something mandatory failed, 2 typed wrongly,
3 the platform cannot be reached or refuses the credentials, 130 interrupted.";

/// Judges a platform.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("platform").args(["url", "driver"]).required(true)))]
pub(crate) struct PlatformArgs {
    /// A server with the Service Manager REST API.
    #[arg(long)]
    url: Option<String>,
    /// A program that makes the platform act.
    #[arg(long, value_name = "COMMAND")]
    driver: Option<String>,

    /// User who logs in at the token issuer that the server names.
    #[arg(
        long,
        short,
        conflicts_with_all = ["token", "driver"],
        help_heading = "Credentials"
    )]
    user: Option<String>,
    /// The user's password; else SMCTL_PASSWORD from the environment.
    #[arg(long, short, requires = "user", help_heading = "Credentials")]
    password: Option<String>,
    /// Read the password from standard input.
    #[arg(
        long,
        requires = "user",
        conflicts_with = "password",
        help_heading = "Credentials"
    )]
    password_stdin: bool,
    /// Send user and password as HTTP basic in place of logging in.
    #[arg(long, requires = "user", help_heading = "Credentials")]
    basic: bool,
    /// OAuth client that logs the user in.
    #[arg(
        long,
        value_name = "ID",
        default_value = "cf",
        help_heading = "Credentials"
    )]
    client_id: String,
    /// Its secret.
    #[arg(
        long,
        value_name = "SECRET",
        default_value = "",
        hide_default_value = true,
        help_heading = "Credentials"
    )]
    client_secret: String,
    /// Bearer token; else SMCTL_TOKEN from the environment.
    #[arg(long, conflicts_with = "driver", help_heading = "Credentials")]
    token: Option<String>,

    /// Trust the certificates in this PEM file and no others.
    #[arg(long, value_name = "FILE", help_heading = "Connection")]
    ca: Option<PathBuf>,
    /// Trust any certificate.
    #[arg(long, conflicts_with = "ca", help_heading = "Connection")]
    insecure: bool,
    /// Where the scripted brokers listen; port 0 takes a free one.
    #[arg(
        long,
        value_name = "ADDRESS",
        default_value = "127.0.0.1:0",
        help_heading = "Connection"
    )]
    listen: SocketAddr,
    /// Where the platform reaches them, when that is another address.
    #[arg(long, value_name = "URL", help_heading = "Connection")]
    public_url: Option<String>,

    /// Run only these cases: ids, areas or globs, separated by commas.
    #[arg(
        long,
        value_name = "CASES",
        value_delimiter = ',',
        help_heading = "What to run"
    )]
    only: Vec<String>,
    /// Leave these cases out: ids, areas or globs, separated by commas.
    #[arg(
        long,
        value_name = "CASES",
        value_delimiter = ',',
        help_heading = "What to run"
    )]
    skip: Vec<String>,
    /// How long to wait for what the platform does on its own schedule: polls, deletions of orphans.
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = duration::parse, help_heading = "What to run")]
    patience: Duration,
    /// How long to watch whether something is left undone.
    #[arg(long, value_name = "TIME", default_value = "12s", value_parser = duration::parse, help_heading = "What to run")]
    settle: Duration,
    /// After this time the platform has given up a request that is not answered.
    #[arg(long, value_name = "TIME", default_value = "70s", value_parser = duration::parse, help_heading = "What to run")]
    request_timeout: Duration,
    /// How late an answer comes that the platform has to wait for.
    #[arg(long, value_name = "TIME", default_value = "8s", value_parser = duration::parse, help_heading = "What to run")]
    slow_answer: Duration,
    /// How many cases run at the same time.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 64,
        help_heading = "What to run"
    )]
    parallel: usize,

    /// How to print the result.
    #[arg(long, short, value_enum, default_value_t = Format::Table, help_heading = "Output")]
    pub(crate) output: Format,
    /// Show every call for every case, and which reading the platform follows.
    #[arg(long, short, help_heading = "Output")]
    pub(crate) verbose: bool,
    /// No progress line.
    #[arg(long, short, help_heading = "Output")]
    pub(crate) quiet: bool,
}

impl PlatformArgs {
    /// The platform that was typed: its name in reports, and what makes it act.
    pub(crate) fn driver(&self) -> Result<(String, Arc<dyn Driver>)> {
        if let Some(command) = &self.driver {
            let driver = Command::start(command).map_err(usage)?;
            return Ok((command.clone(), Arc::new(driver)));
        }
        let url = self.url.clone().unwrap_or_default();
        let tls = tls(self.ca.as_deref(), self.insecure)?;
        let driver = ServiceManager::new(&url, self.login()?, &tls, self.patience);
        Ok((url, Arc::new(driver.map_err(usage)?)))
    }

    /// The choices that were typed.
    pub(crate) fn options(&self) -> Result<Options> {
        let ids: Vec<&str> = cases::all().map(|case| case.id).collect();
        known(self.only.iter().chain(&self.skip), &ids, "list platform")?;
        let public = self.public_url.as_deref();
        let public = public.map(qm_conformance::Target::new).transpose();
        Ok(Options {
            only: self.only.clone(),
            skip: self.skip.clone(),
            listen: self.listen,
            public_url: public.map_err(usage)?.map(|target| target.url),
            patience: self.patience,
            settle: self.settle,
            request_timeout: self.request_timeout,
            slow_answer: self.slow_answer,
            parallel: self.parallel.max(1),
            keep_evidence: self.verbose,
        })
    }

    fn login(&self) -> Result<Login> {
        if let Some(user) = self.user.clone() {
            let word = password(self.password.as_deref(), self.password_stdin)?;
            let password = Secret::new(word);
            return Ok(if self.basic {
                Login::Basic { user, password }
            } else {
                Login::Password {
                    user,
                    password,
                    client_id: self.client_id.clone(),
                    client_secret: Secret::new(self.client_secret.clone()),
                }
            });
        }
        match self.token.clone().or_else(|| variable("SMCTL_TOKEN")) {
            Some(token) => Ok(Login::Token(Secret::new(token))),
            None => Err(usage(anyhow!(
                "say how the platform knows you: --user or --token"
            ))),
        }
    }
}
