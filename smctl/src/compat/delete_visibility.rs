//! `smctl delete-visibility`.

use super::call::Call;
use super::flags::{self, bad};
use crate::client::quoted;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::visibility;

/// Flags of `smctl delete-visibility`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its id.
    #[arg(value_name = "ID")]
    words: Vec<String>,
    /// Force delete without confirmation.
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let [id] = self.words.as_slice() else {
            return Err(bad("single [id] is required"));
        };
        let call = Call::open(global, &self.params, None).await?;
        let question = format!("Do you really want to delete visibilities with ids [{id}]");
        if !call.confirmed(self.force, &question, "Delete declined")? {
            return Ok(call.declined());
        }
        let condition = format!("id eq {}", quoted(id));
        let query = call.query.clone().fields(&[condition]);
        match call.client.delete(visibility::PATH, &query).await {
            Err(problem) if problem.status == Some(404) => {
                call.missing("Visibility not found.", true, "smctl visibility list")
            }
            deleted => {
                call.reason("Could not delete visibility(s). Reason: ", deleted)?;
                println!("Visibility successfully deleted.");
                Ok(Exit::Done)
            }
        }
    }
}
