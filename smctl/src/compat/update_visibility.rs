//! `smctl update-visibility`.

use super::call::Call;
use super::flags::{self, bad};
use super::print::Shown;
use super::shape::Shape;
use super::update_broker::change;
use crate::client::Doing;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::{path, visibility};

/// Flags of `smctl update-visibility`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its id, and the change as JSON.
    #[arg(value_name = "ID JSON")]
    words: Vec<String>,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let Some(id) = self.words.first() else {
            return Err(bad("id is required"));
        };
        let Some(json) = self.words.get(1) else {
            return Err(bad("nothing to update. Visibility JSON is not provided"));
        };
        let body = change(json, "visibility")?;
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, None).await?;
        let path = path::item(visibility::PATH, id);
        let answer = call
            .client
            .patch(&path, &call.query, &body)
            .await
            .doing(|| format!("the visibility {id} was not changed"))?;
        Ok(call.show(&format, &Shown::One(Shape::Visibility, answer.doc)))
    }
}
