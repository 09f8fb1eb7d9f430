//! `smctl version`. Starts and ends without looking at anything.

use crate::doc::Doc;
use crate::exit::Exit;
use crate::output;
use crate::problem::Problem;

/// Flags of `smctl version`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    #[allow(clippy::unnecessary_wraps, reason = "all commands look alike")]
    pub(super) fn run(self) -> Result<Exit, Problem> {
        let commit = option_env!("SMCTL_COMMIT").unwrap_or_default();
        let version = env!("CARGO_PKG_VERSION");
        let doc = Doc::map()
            .with("name", "smctl")
            .with("version", version)
            .with("commit", commit);
        let line = format!("Service Manager Client {version} ({commit})");
        output::told(&self.output.format, "version", &doc, &line);
        Ok(Exit::Done)
    }
}
