//! `smctl binding`.

mod create;
mod parameters;
mod rename;

use super::noun::Binding;
use super::{delete, get, label, list};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::Subcommand;

/// Verbs of bindings.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List service bindings.
    #[command(visible_alias = "ls")]
    List(list::Args<Binding>),
    /// Show service bindings; smctl credentials shows what they let in with.
    #[command(visible_alias = "describe")]
    Get(get::Args<Binding>),
    /// Make a binding: credentials for an instance.
    Create(create::Args),
    /// Give a binding another name.
    Rename(rename::Args),
    /// Delete bindings.
    Delete(delete::Args<Binding>),
    /// Add and remove labels.
    Label(label::Args<Binding>),
    /// Show a binding's parameters, as the broker says them.
    Parameters(parameters::Args),
}

impl Verb {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        match self {
            Self::List(args) => args.run(global).await,
            Self::Get(args) => args.run(global).await,
            Self::Create(args) => args.run(global).await,
            Self::Rename(args) => args.run(global).await,
            Self::Delete(args) => args.run(global).await,
            Self::Label(args) => args.run(global).await,
            Self::Parameters(args) => args.run(global).await,
        }
    }
}
