//! `smctl verify`: judging brokers.

mod args;
mod broker;
mod count;
mod duration;
mod explain;
mod junit;
mod list;
mod markdown;
mod progress;
mod table;

use crate::exit::Exit;
use anyhow::Result;
use clap::Subcommand;

/// What can be judged, and with what.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Judge a service broker against the Open Service Broker API 2.17.
    #[command(after_help = args::EXAMPLES)]
    Broker(Box<args::BrokerArgs>),
    /// List every case with its rule, its level and what it expects.
    List(list::ListArgs),
}

impl Verb {
    /// Does what was typed.
    pub(crate) async fn run(self) -> Result<Exit> {
        match self {
            Self::Broker(args) => broker::run(*args).await,
            Self::List(args) => list::run(&args),
        }
    }
}
