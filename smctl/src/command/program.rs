//! `smctl client`: programs that log in at the manager with a secret of their own.

mod create;
mod update;

use super::noun::Program;
use super::{delete, get, list_all};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::Subcommand;

/// Verbs of programs.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List clients.
    #[command(visible_alias = "ls")]
    List(list_all::Args<Program>),
    /// Show clients.
    #[command(visible_alias = "describe")]
    Get(get::Args<Program>),
    /// Add a client. Its secret is shown this once.
    Create(create::Args),
    /// Change a client: description, roles, tenant, secret.
    Update(update::Args),
    /// Remove clients.
    Delete(delete::Args<Program>),
}

impl Verb {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        match self {
            Self::List(args) => args.run(global).await,
            Self::Get(args) => args.run(global).await,
            Self::Create(args) => args.run(global).await,
            Self::Update(args) => args.run(global).await,
            Self::Delete(args) => args.run(global).await,
        }
    }
}
