//! `smctl broker`.

mod credentials;
mod describe;
mod refresh;
mod register;
mod update;

use super::noun::Broker;
use super::{delete, get, label, list};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::Subcommand;

/// Verbs of brokers.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List brokers.
    #[command(visible_alias = "ls")]
    List(list::Args<Broker>),
    /// Show brokers.
    Get(get::Args<Broker>),
    /// Show a broker with its catalog.
    Describe(describe::Args),
    /// Register a broker: its catalog is fetched at once.
    #[command(visible_alias = "create", after_help = register::EXAMPLES)]
    Register(Box<register::Args>),
    /// Change a broker.
    Update(Box<update::Args>),
    /// Fetch a broker's catalog again, and show what changed.
    Refresh(refresh::Args),
    /// Remove a broker.
    Delete(delete::Args<Broker>),
    /// Add and remove labels.
    Label(label::Args<Broker>),
}

impl Verb {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        match self {
            Self::List(args) => args.run(global).await,
            Self::Get(args) => args.run(global).await,
            Self::Describe(args) => args.run(global).await,
            Self::Register(args) => args.run(global).await,
            Self::Update(args) => args.run(global).await,
            Self::Refresh(args) => args.run(global).await,
            Self::Delete(args) => args.run(global).await,
            Self::Label(args) => args.run(global).await,
        }
    }
}
