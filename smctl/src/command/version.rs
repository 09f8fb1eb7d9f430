//! `smctl version`. Starts and ends without looking at anything.

use crate::exit::Exit;
use crate::problem::Problem;

/// Nothing more to say.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {}

impl Args {
    #[allow(
        clippy::unnecessary_wraps,
        clippy::unused_self,
        reason = "all commands look alike"
    )]
    pub(super) fn run(self) -> Result<Exit, Problem> {
        let commit = option_env!("SMCTL_COMMIT").unwrap_or_default();
        println!(
            "Service Manager Client {} ({commit})",
            env!("CARGO_PKG_VERSION")
        );
        Ok(Exit::Done)
    }
}
