//! `smctl verify`: judging brokers and platforms.

mod args;
mod broker;
mod count;
mod duration;
mod ending;
mod explain;
mod junit;
mod list;
mod list_platform;
mod markdown;
mod platform;
mod platform_args;
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
    /// Judge a platform against the Open Service Broker API 2.17 by playing its brokers.
    #[command(after_help = platform_args::EXAMPLES)]
    Platform(Box<platform_args::PlatformArgs>),
    /// List every case with its rule, its level and what it expects.
    List(list::ListArgs),
}

impl Verb {
    /// Does what was typed.
    pub(crate) async fn run(self) -> Result<Exit> {
        match self {
            Self::Broker(args) => broker::run(*args).await,
            Self::Platform(args) => platform::run(*args).await,
            Self::List(args) => list::run(&args),
        }
    }
}
