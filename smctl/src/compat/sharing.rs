//! `smctl share-instance` and `smctl unshare-instance`.

use super::call::Call;
use super::flags::{self, bad};
use super::print::Shown;
use super::shape::Shape;
use super::update_instance::only;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::{instance, path};

/// Flags of both.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    #[arg(value_name = "NAME")]
    words: Vec<String>,
    /// The instance ID. Required if there is more than one instance with the same name.
    #[arg(long, default_value = "", hide_default_value = true)]
    id: String,
    #[command(flatten)]
    output: flags::Output,
}

impl Args {
    pub(super) async fn run(self, global: &Global, share: bool) -> Result<Exit, Problem> {
        let Some(name) = self.words.first() else {
            return Err(bad("service instance name is required"));
        };
        let action = if share { "share" } else { "unshare" };
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &flags::Params::default(), None).await?;
        let id = if self.id.is_empty() {
            only(&call, name, action, &[]).await?.str("id").to_owned()
        } else {
            self.id.clone()
        };
        let query = call.query.clone().with("async", "false");
        let body = Doc::map().with("shared", share);
        let changed = call
            .client
            .patch(&path::item(instance::PATH, &id), &query, &body)
            .await;
        let text = format!("Couldn't {action} the service instance. ");
        let answer = call.reason(&text, changed)?;
        Ok(call.show(&format, &Shown::One(Shape::Instance, answer.doc)))
    }
}
