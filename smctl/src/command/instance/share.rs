//! `smctl instance share` and `smctl instance unshare`.

use super::super::noun::{Instance, Noun};
use super::super::resolve::resolve;
use super::super::show;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::path;

/// Flags of both.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Instance>())]
    name: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global, shared: bool) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Instance::KIND, &self.name).await?;
        let path = path::item(Instance::KIND.path, doc.str("id"));
        let query = Query::new().with("async", "false");
        let body = Doc::map().with("shared", shared);
        let verb = if shared { "shared" } else { "unshared" };
        let answer = client
            .patch(&path, &query, &body)
            .await
            .doing(|| format!("the instance {} was not {verb}", self.name))?;
        show::one(&client, Instance::KIND, &self.output.format, answer.doc).await;
        Ok(Exit::Done)
    }
}
