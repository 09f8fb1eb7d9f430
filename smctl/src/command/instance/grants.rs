//! `smctl instance grants`.

use super::super::noun::{Grant, Instance, Noun};
use super::super::resolve::resolve;
use super::super::show;
use crate::client::Query;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::path;

/// Flags of `smctl instance grants`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Instance>())]
    name: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Instance::KIND, &self.name).await?;
        let answer = client
            .get(&path::grants(doc.str("id")), &Query::new())
            .await?;
        let grants = match answer {
            Doc::List(items) => items,
            other => other.get("items").items().to_vec(),
        };
        show::many(&client, Grant::KIND, &self.output.format, grants).await;
        Ok(Exit::Done)
    }
}
