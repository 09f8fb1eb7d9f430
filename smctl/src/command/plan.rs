//! `smctl plan`.

mod describe;
mod schema;

use super::noun::Plan;
use super::{get, label, list};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::Subcommand;

/// Verbs of plans.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List service plans.
    #[command(visible_alias = "ls")]
    List(list::Args<Plan>),
    /// Show service plans.
    Get(get::Args<Plan>),
    /// Show a plan, and the parameters it takes.
    Describe(describe::Args),
    /// Add and remove labels.
    Label(label::Args<Plan>),
}

impl Verb {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        match self {
            Self::List(args) => args.run(global).await,
            Self::Get(args) => args.run(global).await,
            Self::Describe(args) => args.run(global).await,
            Self::Label(args) => args.run(global).await,
        }
    }
}
