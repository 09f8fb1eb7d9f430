//! `smctl list-offerings`.

use super::call::Call;
use super::flags;
use super::print::Shown;
use super::shape::Shape;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::offering;

/// Flags of `smctl list-offerings`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Filters by supported environments.
    #[arg(short, long)]
    environment: Option<String>,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    filter: flags::Filter,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, None).await?;
        let query = self
            .filter
            .on(call.query.clone())
            .with_some("environment", self.environment);
        let items = call.client.list(offering::PATH, &query).await?;
        Ok(call.show(&format, &Shown::Many(Shape::Offering, items)))
    }
}
