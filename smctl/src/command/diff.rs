//! `smctl diff -f`: what `apply` would do. Ends with 1 when there is something.

use crate::declare::{self, Action};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, session};
use std::path::PathBuf;

/// Flags of `smctl diff`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file, a folder, or - for standard input. May be repeated.
    #[arg(short, long = "filename", value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let items = declare::read(&self.files)?;
        let client = session::open(global).await?;
        let format = &self.output.format;
        let mut docs = Vec::new();
        for item in items {
            let change = declare::compare(&client, item, false).await?;
            if change.action != Action::Nothing {
                if format.is_table() {
                    println!("{}", change.told());
                }
                docs.push(change.doc());
            }
        }
        let exit = if docs.is_empty() {
            Exit::Done
        } else {
            Exit::Failed
        };
        if !format.is_table() {
            output::machine(format, "change", &Doc::map().with("items", docs));
        }
        Ok(exit)
    }
}
