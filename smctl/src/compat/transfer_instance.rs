//! `smctl transfer-instance`. `--mode` counts; the old smctl forgot it.

use super::call::Call;
use super::flags::{self, bad};
use super::shape::Shape;
use super::update_instance::only;
use crate::client::quoted;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::wait;
use qm_manager_api::{instance, path};

/// Flags of `smctl transfer-instance`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    #[arg(value_name = "NAME")]
    words: Vec<String>,
    /// ID of the platform from which you want to move the instance.
    #[arg(long, default_value = "", hide_default_value = true)]
    from: String,
    /// ID of the platform to which you want to move the instance.
    #[arg(long, default_value = "", hide_default_value = true)]
    to: String,
    /// The instance ID. Required if there is more than one instance with the same name.
    #[arg(long, default_value = "", hide_default_value = true)]
    id: String,
    /// Force transfer without confirmation.
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    output: flags::Output,
    /// How calls to SM are performed: sync or async.
    #[arg(long, default_value = "async")]
    mode: String,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let Some(name) = self.words.first() else {
            return Err(bad("name is required"));
        };
        for (value, text) in [
            (&self.from, "--from is required"),
            (&self.to, "--to is required"),
        ] {
            if value.is_empty() {
                return Err(bad(text));
            }
        }
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &flags::Params::default(), Some(&self.mode)).await?;
        let to = &self.to;
        let question = format!(
            "Do you really want to transfer service instance with name [{name}] to platform with id {to}"
        );
        if !call.confirmed(self.force, &question, "Transfer declined")? {
            return Ok(call.declined());
        }
        let id = if self.id.is_empty() {
            let from = format!("platform_id eq {}", quoted(&self.from));
            only(&call, name, "transfer", &[from])
                .await?
                .str("id")
                .to_owned()
        } else {
            self.id.clone()
        };
        let body = Doc::map().with("platform_id", to);
        let changed = call
            .client
            .patch(&path::item(instance::PATH, &id), &call.query, &body)
            .await;
        let answer = call.reason("Could not transfer service instance. Reason: ", changed)?;
        let message = format!(
            "Service Instance {name} successfully scheduled for transfer to platform with id {to}."
        );
        call.finished(Shape::Instance, answer, &format, &message, &self.waiting)
            .await
    }
}
