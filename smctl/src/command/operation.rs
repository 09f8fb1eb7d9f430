//! `smctl operation`.

mod get;
mod watch;

use super::list;
use super::noun::Operation;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use clap::Subcommand;

/// Verbs of operations.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// List operations, whatever they are done to.
    #[command(visible_alias = "ls")]
    List(list::Args<Operation>),
    /// Show an operation with its timeline.
    #[command(visible_alias = "describe")]
    Get(get::Args),
    /// Follow an operation to its end.
    Watch(watch::Args),
}

impl Verb {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        match self {
            Self::List(args) => args.run(global).await,
            Self::Get(args) => args.run(global).await,
            Self::Watch(args) => args.run(global).await,
        }
    }
}

/// The path of an operation that was given by its id or by its path.
fn path_of(word: &str) -> String {
    if word.starts_with('/') {
        word.to_owned()
    } else {
        qm_manager_api::path::item(qm_manager_api::operation::PATH, word)
    }
}
