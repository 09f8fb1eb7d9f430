//! What can be typed after `smctl verify broker`, and how it becomes a target and options.

use super::duration;
use crate::exit::usage;
use anyhow::{Context, Result, anyhow};
use clap::{ArgGroup, Args, ValueEnum};
use qm_conformance::{ApiVersion, Auth, Duration, Options, Parameters, Secret, Target, Tls};
use std::io::Read;
use std::path::{Path, PathBuf};

pub(crate) const EXAMPLES: &str = "\
Examples:
  smctl verify broker http://127.0.0.1:8080 --user admin --password secret
  smctl verify broker https://broker.example.com --user admin --password-stdin --ca ca.pem < password
  smctl verify broker http://127.0.0.1:8080 --no-auth --plan small --only bind,unbind
  smctl verify broker $URL --user admin --skip 'concurrency.*' --parameters plans.yaml -o junit > osb.xml

A parameters file says what to send for plans that need something:
  small:                       # a plan's name or id
    provision: { size: 1 }
    update:    { size: 2 }
    bind:      { role: reader }

Exit codes: 0 nothing mandatory failed, 1 something mandatory failed, 2 typed wrongly,
3 the broker cannot be reached or refuses the credentials, 130 interrupted.";

/// Judges a service broker.
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("auth").args(["user", "token", "no_auth"])))]
pub(crate) struct BrokerArgs {
    /// Where the broker is, with its path prefix if it has one.
    pub(crate) url: String,

    /// User for HTTP basic.
    #[arg(long, short, help_heading = "Credentials")]
    user: Option<String>,
    /// Password for HTTP basic; else SMCTL_PASSWORD from the environment.
    #[arg(long, short,
        conflicts_with_all = ["token", "no_auth"],
        help_heading = "Credentials"
    )]
    password: Option<String>,
    /// Read the password from standard input.
    #[arg(
        long,
        requires = "user",
        conflicts_with = "password",
        help_heading = "Credentials"
    )]
    password_stdin: bool,
    /// Opaque bearer token; else SMCTL_TOKEN from the environment.
    #[arg(long, help_heading = "Credentials")]
    token: Option<String>,
    /// The broker asks for no credentials.
    #[arg(long, help_heading = "Credentials")]
    no_auth: bool,

    /// Trust the certificates in this PEM file and no others.
    #[arg(long, value_name = "FILE", help_heading = "Connection")]
    ca: Option<PathBuf>,
    /// Trust any certificate.
    #[arg(long, conflicts_with = "ca", help_heading = "Connection")]
    insecure: bool,
    /// How long one answer may take.
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = duration::parse, help_heading = "Connection")]
    timeout: Duration,

    /// Speak this version of the API (2.11 to 2.17).
    #[arg(
        long,
        value_name = "VERSION",
        default_value = "2.17",
        help_heading = "What to run"
    )]
    api_version: String,
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
    /// Only plans of these offerings, by name or id.
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        help_heading = "What to run"
    )]
    service: Vec<String>,
    /// Only these plans, by name or id.
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        help_heading = "What to run"
    )]
    plan: Vec<String>,
    /// YAML or JSON with parameters per plan.
    #[arg(long, value_name = "FILE", help_heading = "What to run")]
    parameters: Option<PathBuf>,
    /// Longest pause between two polls; Retry-After is honoured up to it.
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration::parse, help_heading = "What to run")]
    poll_interval: Duration,
    /// How long an asynchronous operation may take.
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = duration::parse, help_heading = "What to run")]
    deadline: Duration,
    /// How many cases run at the same time.
    #[arg(
        long,
        value_name = "N",
        default_value_t = 32,
        help_heading = "What to run"
    )]
    parallel: usize,

    /// How to print the result.
    #[arg(long, short, value_enum, default_value_t = Format::Table, help_heading = "Output")]
    pub(crate) output: Format,
    /// Show what was sent and received for every case, and which reading the broker follows.
    #[arg(long, short, help_heading = "Output")]
    pub(crate) verbose: bool,
    /// No progress line.
    #[arg(long, short, help_heading = "Output")]
    pub(crate) quiet: bool,
}

/// How to print the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Table,
    /// Everything, for programs.
    Json,
    /// For build servers.
    Junit,
    /// For documents.
    Markdown,
}

impl BrokerArgs {
    /// The broker that was typed.
    pub(crate) fn target(&self) -> Result<Target> {
        let mut target = Target::new(&self.url).map_err(usage)?;
        target.auth = self.auth()?;
        target.api_version = self.api_version.parse::<ApiVersion>().map_err(usage)?;
        target.timeout = self.timeout;
        target.tls = tls(self.ca.as_deref(), self.insecure)?;
        Ok(target)
    }

    /// The choices that were typed.
    pub(crate) fn options(&self) -> Result<Options> {
        let usual = Options::default();
        let ids: Vec<&str> = qm_conformance::cases::all().map(|case| case.id).collect();
        known(self.only.iter().chain(&self.skip), &ids, "list")?;
        Ok(Options {
            only: self.only.clone(),
            skip: self.skip.clone(),
            services: self.service.clone(),
            plans: self.plan.clone(),
            parameters: self
                .parameters
                .as_deref()
                .map_or(Ok(Parameters::default()), parameters)?,
            poll_floor: usual.poll_floor.min(self.poll_interval),
            poll_cap: self.poll_interval,
            poll_deadline: self.deadline,
            parallel: self.parallel.max(1),
            keep_evidence: self.verbose,
        })
    }

    // The environment is read here and not by clap, so that a variable left over from another broker does not
    // clash with what was typed.
    fn auth(&self) -> Result<Auth> {
        if self.no_auth {
            return Ok(Auth::None);
        }
        if let Some(user) = &self.user {
            return Ok(Auth::Basic {
                user: user.clone(),
                password: Secret::new(password(self.password.as_deref(), self.password_stdin)?),
            });
        }
        match self.token.clone().or_else(|| variable("SMCTL_TOKEN")) {
            Some(token) => Ok(Auth::Bearer(Secret::new(token))),
            None => Err(usage(anyhow!(
                "say how the broker knows you: --user, --token or --no-auth"
            ))),
        }
    }
}

/// The password that was typed, is on standard input, or stands in the environment.
pub(crate) fn password(typed: Option<&str>, stdin: bool) -> Result<String> {
    if stdin {
        let mut text = String::new();
        std::io::stdin()
            .read_to_string(&mut text)
            .context("cannot read the password from standard input")?;
        return Ok(text.trim_end_matches(['\r', '\n']).to_owned());
    }
    typed
        .map(str::to_owned)
        .or_else(|| variable("SMCTL_PASSWORD"))
        .ok_or_else(|| {
            usage(anyhow!(
                "--user needs a password: --password, --password-stdin or SMCTL_PASSWORD"
            ))
        })
}

/// Whom to trust, as it was typed.
pub(crate) fn tls(ca: Option<&Path>, insecure: bool) -> Result<Tls> {
    let mut tls = Tls {
        insecure,
        ..Tls::default()
    };
    if let Some(path) = ca {
        let pem = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()));
        tls.ca_pem = Some(pem.map_err(usage)?);
    }
    Ok(tls)
}

/// Refuses patterns that name no case.
pub(crate) fn known<'a>(
    patterns: impl IntoIterator<Item = &'a String>,
    ids: &[&str],
    list: &str,
) -> Result<()> {
    for pattern in patterns {
        if !ids
            .iter()
            .any(|id| qm_conformance::options::matches(pattern, id))
        {
            return Err(usage(anyhow!(
                "no case is named {pattern:?}; see `smctl verify {list}`"
            )));
        }
    }
    Ok(())
}

pub(crate) fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn parameters(path: &Path) -> Result<Parameters> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()));
    Parameters::parse(&text.map_err(usage)?)
        .with_context(|| format!("in {}", path.display()))
        .map_err(usage)
}
