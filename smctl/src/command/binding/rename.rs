//! `smctl binding rename`.

use super::super::noun::{Binding, Noun};
use super::super::resolve::resolve;
use super::super::show;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::path;

/// Flags of `smctl binding rename`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Binding>())]
    name: String,
    /// The new name.
    new: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Binding::KIND, &self.name).await?;
        let path = path::item(Binding::KIND.path, doc.str("id"));
        let answer = client
            .patch(&path, &Query::new(), &Doc::map().with("name", &self.new))
            .await
            .doing(|| format!("the binding {} was not renamed", self.name))?;
        show::one(&client, Binding::KIND, &self.output.format, answer.doc).await;
        Ok(Exit::Done)
    }
}
