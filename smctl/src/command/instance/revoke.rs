//! `smctl instance revoke`.

use super::super::noun::{Instance, Noun};
use super::super::resolve::resolve;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, prompt, session};
use qm_manager_api::path;

/// Flags of `smctl instance revoke`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id of the instance.
    #[arg(add = complete::names::<Instance>())]
    name: String,
    /// The id of the grant, as smctl instance grants shows it.
    grant: String,
    /// Without asking.
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Instance::KIND, &self.name).await?;
        prompt::sure(self.yes, &format!("Take the grant {} back", self.grant))?;
        let path = path::item(&path::grants(doc.str("id")), &self.grant);
        client
            .delete(&path, &Query::new())
            .await
            .doing(|| format!("the grant {} was not taken back", self.grant))?;
        let doc = Doc::map()
            .with("kind", "grant")
            .with("id", &self.grant)
            .with("state", "deleted");
        let line = format!("grant/{} deleted", self.grant);
        output::told(&self.output.format, "grant", &doc, &line);
        Ok(Exit::Done)
    }
}
