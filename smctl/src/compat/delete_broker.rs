//! `smctl delete-broker`.

use super::call::Call;
use super::flags::{self, bad};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::wait;
use qm_manager_api::{broker, path};

/// Flags of `smctl delete-broker`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    #[arg(value_name = "NAME")]
    words: Vec<String>,
    /// Force delete without confirmation.
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    params: flags::Params,
    /// How calls to SM are performed: sync or async.
    #[arg(long, default_value = "sync")]
    mode: String,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let [name] = self.words.as_slice() else {
            return Err(bad("single [name] is required"));
        };
        let call = Call::open(global, &self.params, Some(&self.mode)).await?;
        let question = format!("Do you really want to delete broker with name [{name}]");
        if !call.confirmed(self.force, &question, "Delete declined")? {
            return Ok(call.declined());
        }
        let found = call.named(broker::PATH, name).await?;
        let Some(first) = found.first() else {
            return call.missing("Service Broker not found.", true, "smctl broker list");
        };
        let path = path::item(broker::PATH, first.str("id"));
        let deleted = call.client.delete(&path, &call.query).await;
        let answer = call.reason("Could not delete broker. Reason: ", deleted)?;
        if let Some(location) = answer.location {
            let message = format!("Service Broker {name} successfully scheduled for deletion.");
            if call
                .scheduled(&message, &location, &self.waiting)
                .await?
                .is_none()
            {
                return Ok(Exit::Done);
            }
        }
        println!("Service Broker successfully deleted.");
        Ok(Exit::Done)
    }
}
