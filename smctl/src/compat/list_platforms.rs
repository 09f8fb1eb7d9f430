//! `smctl list-platforms`.

use super::call::Call;
use super::flags;
use super::print::Shown;
use super::shape::Shape;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::platform;

/// Flags of `smctl list-platforms`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
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
        let query = self.filter.on(call.query.clone());
        let items = call.client.list(platform::PATH, &query).await?;
        Ok(call.show(&format, &Shown::Many(Shape::Platform, items)))
    }
}
