//! `smctl get-instance`.

use super::call::Call;
use super::flags::{self, bad};
use super::parameters;
use super::print::Shown;
use super::shape::Shape;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::{instance, path};

/// Flags of `smctl get-instance`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    #[arg(value_name = "NAME")]
    words: Vec<String>,
    /// Show the service instance configuration parameters.
    #[arg(long)]
    show_instance_params: bool,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let Some(name) = self.words.first().filter(|name| !name.is_empty()) else {
            return Err(bad("instance name is required"));
        };
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, None).await?;
        let found = call.named(instance::PATH, name).await?;
        if self.show_instance_params && !found.is_empty() {
            return parameters::show(&call, instance::PATH, "service instance", &found, "\n\n")
                .await;
        }
        let mut docs = Vec::new();
        for one in &found {
            let path = path::item(instance::PATH, one.str("id"));
            match call.client.get(&path, &call.query).await {
                Ok(doc) => docs.push(doc),
                Err(problem) if problem.status == Some(404) => {}
                Err(problem) => return Err(problem),
            }
        }
        if docs.is_empty() {
            let text = format!("No instance found with name: {name}");
            return call.missing(&text, false, "smctl instance list");
        }
        Ok(call.show(&format, &Shown::Found(Shape::Instance, docs)))
    }
}
