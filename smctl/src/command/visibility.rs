//! `smctl visibility`: which platform may offer which plan.

mod create;
mod update;

use super::noun::Visibility;
use super::{delete, get, label, list};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::Subcommand;

/// Verbs of visibilities.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List visibilities.
    #[command(visible_alias = "ls")]
    List(list::Args<Visibility>),
    /// Show visibilities.
    #[command(visible_alias = "describe")]
    Get(get::Args<Visibility>),
    /// Show a plan to a platform, or to all.
    #[command(visible_alias = "register", after_help = create::EXAMPLES)]
    Create(create::Args),
    /// Change a visibility.
    Update(update::Args),
    /// Remove visibilities.
    Delete(delete::Args<Visibility>),
    /// Add and remove labels.
    Label(label::Args<Visibility>),
}

impl Verb {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        match self {
            Self::List(args) => args.run(global).await,
            Self::Get(args) => args.run(global).await,
            Self::Create(args) => args.run(global).await,
            Self::Update(args) => args.run(global).await,
            Self::Delete(args) => args.run(global).await,
            Self::Label(args) => args.run(global).await,
        }
    }
}
