//! `smctl platform rotate`: a new user and password.

use super::super::noun::{Noun, Platform};
use super::super::resolve::resolve;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::path;

/// Flags of `smctl platform rotate`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Platform>())]
    name: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Platform::KIND, &self.name).await?;
        let path = path::item(Platform::KIND.path, doc.str("id"));
        let query = Query::new().with("regenerateCredentials", "true");
        let answer = client
            .patch(&path, &query, &Doc::map())
            .await
            .doing(|| format!("the platform {} has no new credentials", self.name))?;
        super::show(&self.output.format, &answer.doc);
        Ok(Exit::Done)
    }
}
