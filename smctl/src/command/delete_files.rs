//! `smctl delete -f`: removes what files name, last things first.

use crate::declare::{self, Action};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, prompt, session, wait};
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
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let items = declare::read(&self.files)?;
        let client = session::open(global).await?;
        let mut there = Vec::new();
        for item in items.into_iter().rev() {
            let change = declare::compare(&client, item, false).await?;
            if change.action != Action::Create {
                eprintln!("- {}", change.item.title());
                there.push(change);
            }
        }
        let format = &self.output.format;
        if there.is_empty() {
            let doc = Doc::map().with("items", Vec::new());
            output::told(format, "change", &doc, "Nothing of it is there.");
            return Ok(Exit::Done);
        }
        prompt::sure(self.yes, &format!("Delete these {}", there.len()))?;
        let flags = wait::Flags {
            wait: true,
            watch: false,
            timeout: self.timeout,
        };
        let mut docs = Vec::new();
        for change in &there {
            declare::remove(&client, change, &flags).await?;
            if format.is_table() {
                println!("{} deleted", change.item.title());
            }
            docs.push(
                Doc::map()
                    .with("kind", change.item.kind.noun)
                    .with("name", change.item.name())
                    .with("id", &change.id)
                    .with("state", "deleted"),
            );
        }
        if !format.is_table() {
            output::machine(format, "change", &Doc::map().with("items", docs));
        }
        Ok(Exit::Done)
    }
}
