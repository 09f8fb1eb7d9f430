//! `smctl get-broker`.

use super::call::Call;
use super::flags::{self, bad};
use super::print::Shown;
use super::shape::Shape;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::{broker, path};

/// Flags of `smctl get-broker`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    #[arg(value_name = "NAME")]
    words: Vec<String>,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let Some(name) = self.words.first().filter(|name| !name.is_empty()) else {
            return Err(bad("name is required"));
        };
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, None).await?;
        let missing = || {
            call.missing(
                &format!("No broker found with name: {name}"),
                false,
                "smctl broker list",
            )
        };
        let found = call.named(broker::PATH, name).await?;
        let Some(first) = found.first() else {
            return missing();
        };
        let path = path::item(broker::PATH, first.str("id"));
        match call.client.get(&path, &call.query).await {
            Ok(doc) => Ok(call.show(&format, &Shown::One(Shape::Broker, doc))),
            Err(problem) if problem.status == Some(404) => missing(),
            Err(problem) => Err(problem),
        }
    }
}
