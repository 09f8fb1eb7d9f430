//! `smctl update-platform`.

use super::call::Call;
use super::flags::{self, bad};
use super::print::Shown;
use super::shape::Shape;
use super::update_broker::change;
use crate::client::Doing;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::{path, platform};

/// Flags of `smctl update-platform`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name, and the change as JSON.
    #[arg(value_name = "NAME [JSON]")]
    words: Vec<String>,
    /// Whether to regenerate credentials.
    #[arg(short = 'c', long)]
    regenerate_credentials: bool,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let Some(name) = self.words.first() else {
            return Err(bad("[name] is required"));
        };
        let body = match self.words.get(1) {
            Some(json) => change(json, "platform")?,
            None if self.regenerate_credentials => Doc::Null,
            None => return Err(bad("nothing to update. Platform JSON is not provided")),
        };
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, None).await?;
        let found = call.named(platform::PATH, name).await?;
        let Some(first) = found.first() else {
            let what = format!("platform with name {name} not found");
            return Err(Problem::not_found(what).hint("smctl platform list"));
        };
        let mut query = call.query.clone();
        if self.regenerate_credentials {
            query = query.with("regenerateCredentials", "true");
        }
        let path = path::item(platform::PATH, first.str("id"));
        let answer = call
            .client
            .patch(&path, &query, &body)
            .await
            .doing(|| format!("the platform {name} was not changed"))?;
        Ok(call.show(&format, &Shown::One(Shape::Platform, answer.doc)))
    }
}
