//! `smctl instance parameters`.

use super::super::noun::{Instance, Noun};
use super::super::resolve::resolve;
use crate::client::{Doing, Query};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::path;

/// Flags of `smctl instance parameters`.
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
        let path = path::parameters(Instance::KIND.path, doc.str("id"));
        let parameters = client
            .get(&path, &Query::new())
            .await
            .doing(|| format!("the parameters of {} cannot be shown", self.name))?;
        output::machine(&self.output.format, "parameters", &parameters);
        Ok(Exit::Done)
    }
}
