//! `smctl delete-platform`.

use super::call::Call;
use super::flags::{self, bad};
use crate::client::quoted;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::wait;
use qm_manager_api::{path, platform};

/// Flags of `smctl delete-platform`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    #[arg(value_name = "NAME")]
    words: Vec<String>,
    /// Force delete without confirmation.
    #[arg(short, long)]
    force: bool,
    /// Cascade delete platform with all the associated resources.
    #[arg(long)]
    cascade: bool,
    #[command(flatten)]
    params: flags::Params,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let [name] = self.words.as_slice() else {
            return Err(bad("single [name] is required"));
        };
        if name.is_empty() {
            return Err(bad("single [name] is required"));
        }
        let call = Call::open(global, &self.params, None).await?;
        let question = format!("Do you really want to delete platforms with names [{name}]");
        if !call.confirmed(self.force, &question, "Delete declined")? {
            return Ok(call.declined());
        }
        if self.cascade {
            return self.cascade(&call, name).await;
        }
        let condition = format!("name eq {}", quoted(name));
        let query = call.query.clone().fields(&[condition]);
        match call.client.delete(platform::PATH, &query).await {
            Err(problem) if problem.status == Some(404) => {
                call.missing("Platform(s) not found.", true, "smctl platform list")
            }
            deleted => {
                call.reason("Could not delete platform(s). Reason: ", deleted)?;
                println!("Platform(s) successfully deleted.");
                Ok(Exit::Done)
            }
        }
    }

    async fn cascade(&self, call: &Call<'_>, name: &str) -> Result<Exit, Problem> {
        let found = call.named(platform::PATH, name).await?;
        if found.is_empty() {
            return call.missing("Platform(s) not found.", false, "smctl platform list");
        }
        let query = call
            .query
            .clone()
            .with("cascade", "true")
            .with("async", "true");
        let mut exit = Exit::Done;
        for platform in &found {
            let id = platform.str("id");
            match call
                .client
                .delete(&path::item(platform::PATH, id), &query)
                .await
            {
                Err(problem) if problem.status == Some(404) => {}
                Err(problem) => {
                    let why = problem.old.as_ref().unwrap_or(&problem.what);
                    println!("Could not cascade-delete platform {id}. Reason: {why}");
                    // The old smctl forgot what failed here.
                    exit = if call.global.compat {
                        Exit::Done
                    } else {
                        Exit::Failed
                    };
                }
                Ok(answer) => match answer.location {
                    Some(location) => {
                        let message = format!(
                            "Cascade delete successfully scheduled for platform id: {id} ."
                        );
                        call.scheduled(&message, &location, &self.waiting).await?;
                    }
                    None => println!("Error: Unable to get operation ID for platform {id}."),
                },
            }
        }
        Ok(exit)
    }
}
