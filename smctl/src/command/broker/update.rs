//! `smctl broker update`.

use super::super::finish;
use super::super::noun::{Broker, Noun};
use super::super::resolve::resolve;
use super::credentials::Credentials;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session, wait};
use qm_manager_api::path;

/// Flags of `smctl broker update`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Broker>())]
    name: String,
    /// A new name.
    #[arg(long)]
    rename: Option<String>,
    /// A new address; needs the credentials too.
    #[arg(long)]
    url: Option<String>,
    /// A new description.
    #[arg(short, long)]
    description: Option<String>,
    #[command(flatten)]
    credentials: Credentials,
    #[command(flatten)]
    output: output::Flag,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let credentials = self.credentials.doc()?;
        let body = Doc::map()
            .with_some("name", self.rename.as_ref())
            .with_some("broker_url", self.url.as_ref())
            .with_some("description", self.description.as_ref())
            .with_some("credentials", credentials);
        if body.is_empty() {
            return Err(Problem::usage("nothing to change")
                .hint("smctl broker refresh fetches the catalog again"));
        }
        let client = session::open(global).await?;
        let doc = resolve(&client, Broker::KIND, &self.name).await?;
        let path = path::item(Broker::KIND.path, doc.str("id"));
        let answer = client
            .patch(&path, &Query::new(), &body)
            .await
            .doing(|| format!("the broker {} was not changed", self.name))?;
        finish::changed(
            &client,
            Broker::KIND,
            &self.output.format,
            answer,
            &self.waiting,
        )
        .await?;
        Ok(Exit::Done)
    }
}
