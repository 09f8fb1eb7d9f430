//! `smctl list-bindings`: with the names of the instances, in two requests however many bindings there are.

use super::call::Call;
use super::flags;
use super::print::Shown;
use super::shape::Shape;
use crate::client::{Query, quoted};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use qm_manager_api::{binding, instance};
use std::collections::HashMap;

/// How many ids are asked for in one request: an address must not grow without end.
const AT_ONCE: usize = 50;

/// Flags of `smctl list-bindings`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    filter: flags::Filter,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, None).await?;
        let query = self.filter.on(call.query.clone());
        let mut bindings = call.client.list(binding::PATH, &query).await?;
        name_instances(&call, &mut bindings).await?;
        Ok(call.show(&format, &Shown::Many(Shape::Binding, bindings)))
    }
}

/// Puts the name of its instance into each binding. An instance that cannot be seen leaves it empty.
pub(super) async fn name_instances(call: &Call<'_>, bindings: &mut [Doc]) -> Result<(), Problem> {
    let mut ids: Vec<_> = bindings
        .iter()
        .map(|binding| binding.str("service_instance_id").to_owned())
        .filter(|id| !id.is_empty())
        .collect();
    ids.sort();
    ids.dedup();
    let mut names = HashMap::new();
    for some in ids.chunks(AT_ONCE) {
        let list = some.iter().map(|id| quoted(id)).collect::<Vec<_>>();
        let condition = format!("id in ({})", list.join(","));
        let query = Query::new().fields(&[condition]);
        for found in call.client.list(instance::PATH, &query).await? {
            names.insert(found.str("id").to_owned(), found.str("name").to_owned());
        }
    }
    for binding in bindings {
        if let Some(name) = names.get(binding.str("service_instance_id")) {
            binding.set("service_instance_name", name.as_str());
        }
    }
    Ok(())
}
