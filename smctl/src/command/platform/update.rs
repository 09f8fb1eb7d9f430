//! `smctl platform update`.

use super::super::noun::{Noun, Platform};
use super::super::resolve::resolve;
use super::super::show;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::path;

/// Flags of `smctl platform update`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Platform>())]
    name: String,
    /// A new name.
    #[arg(long)]
    rename: Option<String>,
    /// A new type.
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// A new description.
    #[arg(short, long)]
    description: Option<String>,
    /// Whether it may not create or change instances and bindings.
    #[arg(long, value_name = "BOOL")]
    suspended: Option<bool>,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let body = Doc::map()
            .with_some("name", self.rename.as_ref())
            .with_some("type", self.kind.as_ref())
            .with_some("description", self.description.as_ref())
            .with_some("suspended", self.suspended);
        if body.is_empty() {
            return Err(Problem::usage("nothing to change").hint("smctl platform update --help"));
        }
        let client = session::open(global).await?;
        let doc = resolve(&client, Platform::KIND, &self.name).await?;
        let answer = client
            .patch(
                &path::item(Platform::KIND.path, doc.str("id")),
                &Query::new(),
                &body,
            )
            .await
            .doing(|| format!("the platform {} was not changed", self.name))?;
        show::one(&client, Platform::KIND, &self.output.format, answer.doc).await;
        Ok(Exit::Done)
    }
}
