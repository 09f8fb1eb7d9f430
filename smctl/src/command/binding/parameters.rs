//! `smctl binding parameters`.

use super::super::noun::{Binding, Noun};
use super::super::resolve::resolve;
use crate::client::{Doing, Query};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::path;

/// Flags of `smctl binding parameters`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Binding>())]
    name: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Binding::KIND, &self.name).await?;
        let path = path::parameters(Binding::KIND.path, doc.str("id"));
        let parameters = client
            .get(&path, &Query::new())
            .await
            .doing(|| format!("the parameters of {} cannot be shown", self.name))?;
        output::machine(&self.output.format, "parameters", &parameters);
        Ok(Exit::Done)
    }
}
