//! `smctl offering`.

mod describe;

use super::noun::Offering;
use super::{get, label, list};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::Subcommand;

/// Verbs of offerings.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List service offerings.
    #[command(visible_alias = "ls")]
    List(list::Args<Offering>),
    /// Show service offerings.
    Get(get::Args<Offering>),
    /// Show a service offering with its plans.
    Describe(describe::Args),
    /// Add and remove labels.
    Label(label::Args<Offering>),
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
