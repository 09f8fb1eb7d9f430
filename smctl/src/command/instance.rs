//! `smctl instance`.

mod create;
mod describe;
mod grant;
mod grants;
mod parameters;
mod repair;
mod revoke;
mod share;
mod transfer;
mod update;

use super::noun::Instance;
use super::{delete, get, label, list};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::Subcommand;

/// Verbs of instances.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List service instances.
    #[command(visible_alias = "ls")]
    List(list::Args<Instance>),
    /// Show service instances.
    Get(get::Args<Instance>),
    /// Show an instance: how it does, what happened to it, its bindings.
    Describe(describe::Args),
    /// Make a service instance.
    #[command(visible_alias = "provision", after_help = create::EXAMPLES)]
    Create(create::Args),
    /// Change an instance: its name, its plan, its parameters, its version.
    Update(update::Args),
    /// Delete instances.
    Delete(delete::Args<Instance>),
    /// Add and remove labels.
    Label(label::Args<Instance>),
    /// Show an instance's parameters, as the broker says them.
    Parameters(parameters::Args),
    /// Share an instance with other platforms of the tenant.
    Share(share::Args),
    /// End sharing an instance.
    Unshare(share::Args),
    /// List who may refer to a shared instance.
    Grants(grants::Args),
    /// Let another tenant or platform refer to a shared instance.
    Grant(grant::Args),
    /// Take a grant back.
    Revoke(revoke::Args),
    /// Move an instance to another platform.
    Transfer(transfer::Args),
    /// Do the last operation, which failed, once more.
    Retry(repair::Args),
    /// Go back to the last good values after a change that failed.
    Rollback(repair::Args),
    /// Keep an instance whose deletion failed.
    Undelete(repair::Args),
}

impl Verb {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        match self {
            Self::List(args) => args.run(global).await,
            Self::Get(args) => args.run(global).await,
            Self::Describe(args) => args.run(global).await,
            Self::Create(args) => args.run(global).await,
            Self::Update(args) => args.run(global).await,
            Self::Delete(args) => args.run(global).await,
            Self::Label(args) => args.run(global).await,
            Self::Parameters(args) => args.run(global).await,
            Self::Share(args) => args.run(global, true).await,
            Self::Unshare(args) => args.run(global, false).await,
            Self::Grants(args) => args.run(global).await,
            Self::Grant(args) => args.run(global).await,
            Self::Revoke(args) => args.run(global).await,
            Self::Transfer(args) => args.run(global).await,
            Self::Retry(args) => args.run(global, "retry").await,
            Self::Rollback(args) => args.run(global, "rollback").await,
            Self::Undelete(args) => args.run(global, "undelete").await,
        }
    }
}
