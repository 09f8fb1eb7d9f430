//! `smctl instance retry`, `rollback` and `undelete`: the ways out of what failed.

use super::super::finish;
use super::super::noun::{Instance, Noun};
use super::super::resolve::resolve;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session, wait};
use qm_manager_api::path;

/// Flags of all three.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Instance>())]
    name: String,
    #[command(flatten)]
    output: output::Flag,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global, verb: &str) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Instance::KIND, &self.name).await?;
        let path = format!("{}/{verb}", path::item(Instance::KIND.path, doc.str("id")));
        let answer = client
            .post(&path, &Query::new(), &Doc::map())
            .await
            .doing(|| format!("{verb} of {} was not begun", self.name))?;
        finish::changed(
            &client,
            Instance::KIND,
            &self.output.format,
            answer,
            &self.waiting,
        )
        .await?;
        Ok(Exit::Done)
    }
}
