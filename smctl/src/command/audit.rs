//! `smctl audit`: who did what, newest first.

use super::noun::{Audit, Noun};
use super::show;
use crate::client::Query;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, session};

/// Flags of `smctl audit`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Only what was done to this resource: its id.
    #[arg(long, value_name = "ID")]
    resource: Option<String>,
    /// Only what was done to this kind: the path of its collection, as in /v1/platforms.
    #[arg(long = "type", value_name = "PATH")]
    kind: Option<String>,
    /// Only what this person, program or platform did: their id.
    #[arg(long, value_name = "ID")]
    actor: Option<String>,
    /// Only what belongs to this correlation id.
    #[arg(long, value_name = "ID")]
    correlation: Option<String>,
    /// Not before this time, RFC 3339.
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Not after this time, RFC 3339.
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
    /// At most so many; all by default.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<usize>,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let query = Query::new()
            .with_some("resource_id", self.resource)
            .with_some("resource_type", self.kind)
            .with_some("actor_id", self.actor)
            .with_some("correlation_id", self.correlation)
            .with_some("from", self.from)
            .with_some("until", self.until);
        let docs = client
            .list_up_to(Audit::KIND.path, &query, self.limit)
            .await?;
        show::many(&client, Audit::KIND, &self.output.format, docs).await;
        Ok(Exit::Done)
    }
}
