//! `smctl deprovision`.

use super::call::{Call, Gone};
use super::flags::{self, bad};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::wait;
use qm_manager_api::{instance, path};

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl deprovision mydb
  smctl deprovision mydb -f --wait";

/// Flags of `smctl deprovision`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    #[arg(value_name = "NAME")]
    words: Vec<String>,
    /// ID of the service instance. Required when name is ambiguous.
    #[arg(long, default_value = "", hide_default_value = true)]
    id: String,
    /// Delete without raising a confirmation message.
    #[arg(short, long)]
    force: bool,
    /// Delete the instance and all its bindings from the database, whatever the broker says. Only for operators with
    /// technical access.
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
        let [name] = self.words.as_slice() else {
            return Err(bad("single [name] is required"));
        };
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, Some(&self.mode)).await?;
        let question = format!("Do you really want to delete instance with name [{name}]");
        if !call.confirmed(self.force, &question, "Delete declined")? {
            return Ok(call.declined());
        }
        let id = if self.id.is_empty() {
            let found = call.named(instance::PATH, name).await?;
            match found.as_slice() {
                [one] => one.str("id").to_owned(),
                [] => {
                    return call.missing(
                        "Service Instance not found.",
                        true,
                        "smctl instance list",
                    );
                }
                _ => {
                    return Err(Problem::new(
                        Exit::Conflict,
                        format!("more than one service instance with name {name} found. Use --id flag to specify id of the instance to be deleted"),
                    )
                    .hint(format!("smctl instance list --query \"name eq '{name}'\"")));
                }
            }
        } else {
            self.id.clone()
        };
        let mut query = call.query.clone();
        if self.force_delete {
            query = query.with("cascade", "true").with("force", "true");
        }
        let deleted = call
            .client
            .delete(&path::item(instance::PATH, &id), &query)
            .await;
        let answer = call.reason("Could not delete service instance. Reason: ", deleted)?;
        let gone = Gone {
            noun: "instance",
            title: "Service Instance",
            name,
            id: &id,
        };
        call.removed(&format, gone, answer, &self.waiting).await
    }
}
