//! `smctl top`: operations and brokers, live.

use super::noun::{self, Noun};
use super::show;
use crate::client::{Client, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::output::{self, Format, Paint};
use crate::problem::Problem;
use crate::stop::Stop;
use crate::{session, wait};
use console::Term;
use qm_manager_api::{broker, operation};
use std::time::Duration;

/// Flags of `smctl top`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// How long between two looks.
    #[arg(long, value_name = "TIME", value_parser = wait::duration, default_value = "2s")]
    interval: Duration,
    /// Look once.
    #[arg(long)]
    once: bool,
    /// So many operations.
    #[arg(long, value_name = "NUMBER", default_value_t = 15)]
    limit: usize,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let term = Term::stdout();
        let once = self.once || !term.is_term() || !self.output.format.is_table();
        let mut stop = Stop::catch()?;
        loop {
            let (running, failed, brokers) = look(&client, self.limit).await?;
            if !once {
                let _ = term.clear_screen();
            }
            self.show(&client, running, failed, brokers).await;
            if once {
                return Ok(Exit::Done);
            }
            tokio::select! {
                () = tokio::time::sleep(self.interval) => {}
                _ = stop.came() => return Ok(Exit::Done),
            }
        }
    }

    async fn show(&self, client: &Client, running: Vec<Doc>, failed: Vec<Doc>, brokers: Vec<Doc>) {
        if !self.output.format.is_table() {
            let doc = Doc::map()
                .with("running", running)
                .with("failed", failed)
                .with("brokers", brokers);
            return output::machine(&self.output.format, "top", &doc);
        }
        let paint = Paint::stdout();
        println!("{}  {} under way", paint.bold(client.url()), running.len());
        println!();
        let mut operations = running;
        operations.extend(failed);
        operations.truncate(self.limit);
        show::many(client, noun::Operation::KIND, &Format::Table, operations).await;
        println!();
        show::many(client, noun::Broker::KIND, &Format::Table, brokers).await;
    }
}

type Looked = (Vec<Doc>, Vec<Doc>, Vec<Doc>);

async fn look(client: &Client, limit: usize) -> Result<Looked, Problem> {
    let state = |states: &str| Query::new().fields(&[format!("state in ({states})")]);
    let (running, failed, none) = (
        state("'in progress','pending'"),
        state("'failed'"),
        Query::new(),
    );
    tokio::try_join!(
        client.list_up_to(operation::PATH, &running, Some(limit)),
        client.list_up_to(operation::PATH, &failed, Some(limit)),
        client.list(broker::PATH, &none)
    )
}
