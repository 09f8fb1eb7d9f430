//! `smctl instance transfer`.

use super::super::finish;
use super::super::noun::{Instance, Noun, Platform};
use super::super::resolve::resolve;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, prompt, session, wait};
use qm_manager_api::path;

/// Flags of `smctl instance transfer`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Instance>())]
    name: String,
    /// The platform to move it to.
    #[arg(long, add = complete::names::<Platform>())]
    to: String,
    /// Without asking.
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    output: output::Flag,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Instance::KIND, &self.name).await?;
        let platform = resolve(&client, Platform::KIND, &self.to).await?;
        prompt::sure(
            self.yes,
            &format!("Move instance {} to {}", self.name, self.to),
        )?;
        let path = path::item(Instance::KIND.path, doc.str("id"));
        let body = Doc::map().with("platform_id", platform.str("id"));
        let answer = client
            .patch(&path, &Query::new(), &body)
            .await
            .doing(|| format!("the instance {} was not moved", self.name))?;
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
