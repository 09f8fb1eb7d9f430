//! `smctl tenant delete`: a tenant with all it has.

use super::finish;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, prompt, session, wait};
use clap::Subcommand;
use qm_manager_api::{path, tenant};

/// Verbs of tenants.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Delete a tenant: its instances, bindings, platforms and brokers.
    Delete(DeleteArgs),
}

/// Flags of `smctl tenant delete`.
#[derive(Debug, clap::Args)]
pub(crate) struct DeleteArgs {
    /// Its name.
    tenant: String,
    /// Delete without asking.
    #[arg(short, long)]
    yes: bool,
    #[command(flatten)]
    output: output::Flag,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Verb {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let Self::Delete(args) = self;
        let client = session::open(global).await?;
        prompt::sure(
            args.yes,
            &format!("Delete the tenant {} with all it has", args.tenant),
        )?;
        let query = Query::new().with("cascade", "true");
        let answer = client
            .delete(&path::item(tenant::PATH, &args.tenant), &query)
            .await
            .doing(|| format!("the tenant {} was not deleted", args.tenant))?;
        let (format, doc) = (&args.output.format, Doc::map().with("id", &args.tenant));
        let removed =
            finish::removed(&client, "tenant", &doc, format, answer, &args.waiting).await?;
        finish::all_removed(format, "tenant", vec![removed]);
        Ok(Exit::Done)
    }
}
