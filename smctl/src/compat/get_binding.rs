//! `smctl get-binding`.

use super::call::Call;
use super::flags::{self, bad};
use super::list_bindings::name_instances;
use super::parameters;
use super::print::Shown;
use super::shape::Shape;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::{binding, path};

/// Flags of `smctl get-binding`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    #[arg(value_name = "NAME")]
    words: Vec<String>,
    /// Show the service binding configuration parameters.
    #[arg(long)]
    show_binding_params: bool,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let Some(name) = self.words.first().filter(|name| !name.is_empty()) else {
            return Err(bad("binding name is required"));
        };
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, None).await?;
        let found = call.named(binding::PATH, name).await?;
        if self.show_binding_params && !found.is_empty() {
            return parameters::show(&call, binding::PATH, "service binding", &found, "\n\n ")
                .await;
        }
        let mut docs = Vec::new();
        for one in &found {
            let path = path::item(binding::PATH, one.str("id"));
            match call.client.get(&path, &call.query).await {
                Ok(doc) => docs.push(doc),
                Err(problem) if problem.status == Some(404) => {}
                Err(problem) => return Err(problem),
            }
        }
        if docs.is_empty() {
            let text = format!("No binding found with name: {name}");
            return call.missing(&text, false, "smctl binding list");
        }
        name_instances(&call, &mut docs).await?;
        Ok(call.show(&format, &Shown::Found(Shape::Binding, docs)))
    }
}
