//! `smctl manager`: the manager itself.

use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, session};
use clap::Subcommand;
use qm_manager_api::{config, health};

/// Verbs of the manager.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show whether the manager is well.
    Health(Plain),
    /// Show the configuration in force; secrets are stars.
    Config(Plain),
    /// Show or change how it logs.
    Logging(Logging),
}

/// Only a format.
#[derive(Debug, clap::Args)]
pub(crate) struct Plain {
    #[command(flatten)]
    output: output::Flag,
}

/// Flags of `smctl manager logging`.
#[derive(Debug, clap::Args)]
pub(crate) struct Logging {
    /// From which level on: error, warn, info, debug or trace.
    #[arg(long)]
    level: Option<String>,
    /// text or json.
    #[arg(long)]
    format: Option<String>,
    #[command(flatten)]
    output: output::Flag,
}

impl Verb {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let (doc, output) = match self {
            Self::Health(args) => (client.get(health::PATH, &Query::new()).await?, args.output),
            Self::Config(args) => (client.get(config::PATH, &Query::new()).await?, args.output),
            Self::Logging(args) => {
                let body = Doc::map()
                    .with_some("level", args.level)
                    .with_some("format", args.format);
                if !body.is_empty() {
                    client
                        .put(config::LOGGING_PATH, &Query::new(), &body)
                        .await
                        .doing(|| "how the manager logs was not changed".to_owned())?;
                }
                (
                    client.get(config::LOGGING_PATH, &Query::new()).await?,
                    args.output,
                )
            }
        };
        if output.format.is_table() {
            print!("{}", doc.yaml());
        } else {
            output::machine(&output.format, "manager", &doc);
        }
        Ok(Exit::Done)
    }
}
