//! `smctl status`.

use super::call::Call;
use super::flags::{self, bad};
use super::print::Shown;
use super::shape::Shape;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::wait;

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl status /v1/service_instances/ID/operations/ID
  smctl status /v1/service_instances/ID/operations/ID --wait";

/// Flags of `smctl status`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The path of the operation, as it was printed when it began.
    #[arg(value_name = "PATH")]
    words: Vec<String>,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let [path] = self.words.as_slice() else {
            return Err(bad("a path to operation is required"));
        };
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, None).await?;
        if self.waiting.waits() {
            wait::follow(&call.client, path, &self.waiting).await?;
        }
        match call.client.get(path, &call.query).await {
            Ok(doc) => Ok(call.show(&format, &Shown::One(Shape::Operation, doc))),
            Err(problem) if problem.status == Some(404) => {
                call.missing("Operation not found.", true, "smctl operation list")
            }
            Err(problem) => Err(problem),
        }
    }
}
