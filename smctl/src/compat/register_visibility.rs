//! `smctl register-visibility`.

use super::call::Call;
use super::flags::{self, bad};
use super::print::Shown;
use super::shape::Shape;
use crate::client::Doing;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::visibility;

/// Flags of `smctl register-visibility`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The id of the platform and the id of the plan.
    #[arg(value_name = "PLATFORM-ID PLAN-ID")]
    words: Vec<String>,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let [platform, plan, ..] = self.words.as_slice() else {
            return Err(bad(
                "platform-id and service-plan-id required but not provided",
            ));
        };
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, None).await?;
        let mut body = Doc::map();
        if !platform.is_empty() {
            body.set("platform_id", platform);
        }
        body.set("service_plan_id", plan);
        let answer = call
            .client
            .post(visibility::PATH, &call.query, &body)
            .await
            .doing(|| "the visibility was not registered".to_owned())?;
        Ok(call.show(&format, &Shown::One(Shape::Visibility, answer.doc)))
    }
}
