//! `smctl bind`.

use super::call::Call;
use super::flags::{self, bad};
use super::provision::parameters;
use super::shape::Shape;
use crate::client::Doing;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, wait};
use qm_manager_api::{binding, instance};

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl bind mydb app --wait
  smctl bind mydb app --wait -o jsonpath='{.credentials.uri}'

Next: smctl credentials app
      smctl env app";

/// Flags of `smctl bind`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The instance, and the name of the binding.
    #[arg(value_name = "INSTANCE BINDING")]
    words: Vec<String>,
    /// ID of the service instance. Required when name is ambiguous.
    #[arg(long, default_value = "", hide_default_value = true)]
    id: String,
    /// Valid JSON object containing binding parameters, or @FILE.
    #[arg(
        short = 'c',
        long,
        value_name = "JSON",
        default_value = "",
        hide_default_value = true
    )]
    parameters: String,
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
        let [instance, name, ..] = self.words.as_slice() else {
            return Err(bad("instance and binding names are required"));
        };
        let format = self.output.format(global.compat)?;
        let parameters = parameters(&self.parameters)?;
        let call = Call::open(global, &self.params, Some(&self.mode)).await?;
        let id = if self.id.is_empty() {
            let tail = "Use --id flag to specify id of the instance to bind";
            only(&call, instance, tail).await?
        } else {
            self.id.clone()
        };
        let body = Doc::map()
            .with("name", name)
            .with("service_instance_id", id)
            .with_some("parameters", parameters);
        let mut answer = call
            .client
            .post(binding::PATH, &call.query, &body)
            .await
            .doing(|| format!("the binding {name} was not made"))?;
        answer.doc.set("service_instance_name", instance);
        let message = format!("Service Binding {name} successfully scheduled.");
        let exit = call
            .finished(Shape::Binding, answer, &format, &message, &self.waiting)
            .await?;
        let next = format!("smctl credentials {instance}/{name}, or smctl env {instance}/{name}");
        output::next(global, &next);
        Ok(exit)
    }
}

/// The id of the only instance with a name.
pub(super) async fn only(call: &Call<'_>, name: &str, tail: &str) -> Result<String, Problem> {
    let found = call.named(instance::PATH, name).await?;
    match found.as_slice() {
        [one] => Ok(one.str("id").to_owned()),
        [] => Err(
            Problem::not_found(format!("service instance with name {name} not found"))
                .hint("smctl instance list"),
        ),
        _ => Err(Problem::new(
            Exit::Conflict,
            format!("more than one service instance with name {name} found. {tail}"),
        )
        .hint(format!("smctl instance list --query \"name eq '{name}'\""))),
    }
}
