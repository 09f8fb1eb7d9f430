//! `smctl operation watch`.

use super::super::noun::{Noun, Operation};
use super::super::show;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session, wait};
use std::time::Duration;

/// Flags of `smctl operation watch`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its id, or its path.
    #[arg(add = complete::names::<Operation>())]
    id: String,
    /// Wait no longer than this, as in 30s, 5m or 1h.
    #[arg(long, value_name = "TIME", value_parser = wait::duration, default_value = "30m")]
    timeout: Duration,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let flags = wait::Flags {
            wait: true,
            watch: true,
            timeout: self.timeout,
        };
        let doc = wait::follow(&client, &super::path_of(&self.id), &flags).await?;
        show::one(&client, Operation::KIND, &self.output.format, doc).await;
        Ok(Exit::Done)
    }
}
