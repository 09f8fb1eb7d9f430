//! Flags that every command takes, and what follows from them.

use crate::config::Config;
use crate::problem::Problem;
use clap::Args;
use clap::builder::FalseyValueParser;
use std::path::PathBuf;

/// Flags that every command takes.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Global {
    /// Config file [$HOME/.sm/config.json].
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,
    /// Use this context instead of the current one.
    #[arg(
        long,
        global = true,
        value_name = "NAME",
        env = "SMCTL_CONTEXT",
        hide_env_values = true
    )]
    pub(crate) context: Option<String>,
    /// Show requests and answers, with secrets starred.
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// Behave as the old smctl: prompts, errors, exit codes.
    #[arg(long, global = true, env = "SMCTL_COMPAT", value_parser = FalseyValueParser::new(), hide_env_values = true)]
    pub(crate) compat: bool,
}

impl Global {
    /// The config file.
    pub(crate) fn config(&self) -> Result<Config, Problem> {
        Config::open(self.config.as_deref())
    }
}
