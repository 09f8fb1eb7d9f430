//! `smctl register-platform`.

use super::call::Call;
use super::flags::{self, bad};
use super::print::Shown;
use super::shape::Shape;
use crate::client::Doing;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::platform;

/// Flags of `smctl register-platform`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name, its type, and what it is.
    #[arg(value_name = "NAME TYPE [DESCRIPTION]")]
    words: Vec<String>,
    /// External platform ID.
    #[arg(short, long)]
    id: Option<String>,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let [name, kind, rest @ ..] = self.words.as_slice() else {
            return Err(bad("requires at least 2 args"));
        };
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, None).await?;
        let body = Doc::map()
            .with_some("id", self.id)
            .with("name", name)
            .with_some("description", rest.first())
            .with("type", kind);
        let answer = call
            .client
            .post(platform::PATH, &call.query, &body)
            .await
            .doing(|| format!("the platform {name} was not registered"))?;
        Ok(call.show(&format, &Shown::One(Shape::Platform, answer.doc)))
    }
}
