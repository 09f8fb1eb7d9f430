//! `smctl apply -f`: makes and changes what files say. Doing it twice does nothing the second time.

use crate::declare::{self, Action};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, session, wait};
use std::path::PathBuf;
use std::time::Duration;

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl apply -f services.yaml
  smctl apply -f services/ --dry-run
  smctl export | smctl --context other apply -f -

A file:
  kind: broker
  name: postgres
  url: https://broker.example.com
  credentials: {basic: {username: admin, password: \"${BROKER_PASSWORD}\"}}
  ---
  kind: visibility
  plan: postgresql/small
  ---
  kind: instance
  name: mydb
  plan: postgresql/small
  parameters: {size: 10}
  labels: {env: dev}
  ---
  kind: binding
  instance: mydb
  name: app";

/// Flags of `smctl apply`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A file, a folder, or - for standard input. May be repeated.
    #[arg(short, long = "filename", value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Only show what would be done.
    #[arg(long)]
    dry_run: bool,
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
        let flags = wait::Flags {
            wait: true,
            watch: false,
            timeout: self.timeout,
        };
        let format = &self.output.format;
        let (mut made, mut changed, mut same) = (0, 0, 0);
        let mut docs = Vec::new();
        for item in items {
            // What a file makes first may be named by what it makes next.
            let change = declare::compare(&client, item, !self.dry_run).await?;
            if format.is_table() {
                println!("{}", change.told());
            }
            match change.action {
                Action::Create => made += 1,
                Action::Update => changed += 1,
                Action::Nothing => same += 1,
            }
            if !self.dry_run {
                declare::perform(&client, &change, &flags).await?;
            }
            docs.push(change.doc());
        }
        let tense = if self.dry_run { "would be " } else { "" };
        let line =
            format!("{made} {tense}made, {changed} {tense}changed, {same} as they should be");
        output::told(format, "change", &Doc::map().with("items", docs), &line);
        Ok(Exit::Done)
    }
}
