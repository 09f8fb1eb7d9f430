//! `smctl unbind`.

use super::bind::only;
use super::call::{Call, Gone};
use super::flags::{self, bad};
use crate::client::quoted;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::wait;
use qm_manager_api::{binding, path};

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl unbind mydb app
  smctl unbind mydb app -f --wait";

/// Flags of `smctl unbind`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The instance, and the name of the binding.
    #[arg(value_name = "INSTANCE BINDING")]
    words: Vec<String>,
    /// ID of the service binding. Required when name is ambiguous.
    #[arg(long, default_value = "", hide_default_value = true)]
    id: String,
    /// Delete without raising a confirmation message.
    #[arg(short, long)]
    force: bool,
    /// Delete the service binding from the database, whatever the broker says. Only for operators with technical access.
    #[arg(long)]
    force_delete: bool,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
    /// How calls to SM are performed: sync or async.
    #[arg(long, default_value = "async")]
    mode: String,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let (instance, name) = match self.words.as_slice() {
            [instance, name, ..] if self.id.is_empty() => (instance.as_str(), name.as_str()),
            _ if !self.id.is_empty() => ("", ""),
            _ => return Err(bad("instance and binding names are required")),
        };
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, Some(&self.mode)).await?;
        let question = format!(
            "Do you really want to delete binding with name [{name}] for instance with name {instance}"
        );
        if !call.confirmed(self.force, &question, "Delete declined")? {
            return Ok(call.declined());
        }
        let id = if self.id.is_empty() {
            let tail = "Use --id flag to specify id of the binding to be deleted";
            let owner = only(&call, instance, tail).await?;
            let conditions = [
                format!("name eq {}", quoted(name)),
                format!("service_instance_id eq {}", quoted(&owner)),
            ];
            let query = call.query.clone().fields(&conditions);
            let found = call.client.list(binding::PATH, &query).await?;
            let Some(first) = found.first() else {
                let text = format!(
                    "Service Binding with name {name} for instance with name {instance} not found"
                );
                return call.missing(&text, false, "smctl binding list");
            };
            first.str("id").to_owned()
        } else {
            self.id.clone()
        };
        let mut query = call.query.clone();
        if self.force_delete {
            query = query.with("cascade", "true").with("force", "true");
        }
        let deleted = call
            .client
            .delete(&path::item(binding::PATH, &id), &query)
            .await;
        let answer = call.reason("Could not delete service binding. Reason: ", deleted)?;
        let gone = Gone {
            noun: "binding",
            title: "Service Binding",
            name,
            id: &id,
        };
        call.removed(&format, gone, answer, &self.waiting).await
    }
}
