//! `smctl instance grant`.

use super::super::noun::{Grant, Instance, Noun, Platform};
use super::super::resolve::resolve;
use super::super::show;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::path;

/// Flags of `smctl instance grant`.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false, id = "whom")]
pub(crate) struct Whom {
    /// The tenant that may refer to it.
    #[arg(long)]
    tenant: Option<String>,
    /// The platform that may refer to it.
    #[arg(long, add = complete::names::<Platform>())]
    platform: Option<String>,
}

/// Flags of `smctl instance grant`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Instance>())]
    name: String,
    #[command(flatten)]
    whom: Whom,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Instance::KIND, &self.name).await?;
        let mut body = Doc::map().with_some("tenant", self.whom.tenant.as_ref());
        if let Some(word) = &self.whom.platform {
            body.set(
                "platform_id",
                resolve(&client, Platform::KIND, word).await?.str("id"),
            );
        }
        let answer = client
            .post(&path::grants(doc.str("id")), &Query::new(), &body)
            .await
            .doing(|| format!("nobody was granted {}", self.name))?;
        show::one(&client, Grant::KIND, &self.output.format, answer.doc).await;
        Ok(Exit::Done)
    }
}
