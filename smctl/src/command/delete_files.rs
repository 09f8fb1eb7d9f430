//! `smctl delete -f`: removes what files name, last things first.

use crate::declare::{self, Action};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{prompt, session, wait};
use std::path::PathBuf;
use std::time::Duration;

/// Flags of `smctl delete`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file, a folder, or - for standard input. May be repeated.
    #[arg(short, long = "filename", value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Delete without asking.
    #[arg(short, long)]
    yes: bool,
    /// Wait no longer than this for one thing.
    #[arg(long, value_name = "TIME", value_parser = wait::duration, default_value = "30m")]
    timeout: Duration,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let items = declare::read(&self.files)?;
        let client = session::open(global).await?;
        let mut there = Vec::new();
        for item in items.into_iter().rev() {
            let change = declare::compare(&client, item, false).await?;
            if change.action != Action::Create {
                println!("- {}", change.item.title());
                there.push(change);
            }
        }
        if there.is_empty() {
            println!("Nothing of it is there.");
            return Ok(Exit::Done);
        }
        prompt::sure(self.yes, &format!("Delete these {}", there.len()))?;
        let flags = wait::Flags {
            wait: true,
            watch: false,
            timeout: self.timeout,
        };
        for change in &there {
            declare::remove(&client, change, &flags).await?;
            println!("{} deleted", change.item.title());
        }
        Ok(Exit::Done)
    }
}
