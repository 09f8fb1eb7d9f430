//! `smctl update-instance`. With `--id` it works; the old smctl fell over.

use super::call::Call;
use super::flags::{self, bad};
use super::provision::parameters;
use super::shape::Shape;
use crate::client::quoted;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::wait;
use qm_manager_api::{instance, path, plan};

/// Flags of `smctl update-instance`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    #[arg(value_name = "NAME")]
    words: Vec<String>,
    /// The id of the service instance to update.
    #[arg(long, default_value = "", hide_default_value = true)]
    id: String,
    /// The new name of the service instance.
    #[arg(long)]
    new_name: Option<String>,
    /// The name of the new service plan to use for the instance.
    #[arg(long)]
    plan: Option<String>,
    /// Valid JSON object containing instance configuration parameters, or @FILE.
    #[arg(
        short = 'c',
        long,
        value_name = "JSON",
        default_value = "",
        hide_default_value = true
    )]
    instance_params: String,
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
        let format = self.output.format(global.compat)?;
        let parameters = parameters(&self.instance_params)?;
        let call = Call::open(global, &flags::Params::default(), Some(&self.mode)).await?;
        let before = if self.id.is_empty() {
            only(&call, name, "update", &[]).await?
        } else {
            call.client
                .get(&path::item(instance::PATH, &self.id), &call.query)
                .await?
        };
        let plan = match &self.plan {
            Some(plan) => Some(other_plan(&call, &before, plan).await?),
            None => None,
        };
        let body = Doc::map()
            .with_some("name", self.new_name.as_ref())
            .with_some("service_plan_id", plan)
            .with_some("parameters", parameters);
        let path = path::item(instance::PATH, before.str("id"));
        let changed = call.client.patch(&path, &call.query, &body).await;
        let answer = call.reason("Could not update service instance. Reason: ", changed)?;
        // The old smctl names the new name here, and nothing when there is none.
        let shown = match (&self.new_name, global.compat) {
            (Some(new), _) => new.as_str(),
            (None, true) => "",
            (None, false) => name,
        };
        let message = format!("Service Instance {shown} successfully scheduled for update.");
        call.finished(Shape::Instance, answer, &format, &message, &self.waiting)
            .await
    }
}

/// The only instance with a name, and what else must hold.
pub(super) async fn only(
    call: &Call<'_>,
    name: &str,
    action: &str,
    more: &[String],
) -> Result<Doc, Problem> {
    let mut conditions = vec![format!("name eq {}", quoted(name))];
    conditions.extend_from_slice(more);
    let query = call.query.clone().fields(&conditions);
    let mut found = call.client.list(instance::PATH, &query).await?;
    match found.len() {
        0 => Err(Problem::not_found(format!("Couldn't find an instance with the name \"{name}\"."))
            .hint("smctl instance list")),
        1 => Ok(found.remove(0)),
        _ => Err(Problem::new(
            Exit::Conflict,
            format!("Found more than one instance with the name \"{name}\". Use the --id flag to specify which instance to {action}."),
        )
        .hint(format!("smctl instance list --query \"name eq '{name}'\""))),
    }
}

/// The id of another plan of the same offering.
async fn other_plan(call: &Call<'_>, before: &Doc, name: &str) -> Result<String, Problem> {
    let current = path::item(plan::PATH, before.str("service_plan_id"));
    let current = call.client.get(&current, &call.query).await?;
    let offering = current.str("service_offering_id");
    let conditions = [
        format!("catalog_name eq {}", quoted(name)),
        format!("service_offering_id eq {}", quoted(offering)),
    ];
    let query = call.query.clone().fields(&conditions);
    let plans = call.client.list(plan::PATH, &query).await?;
    match plans.as_slice() {
        [one] => Ok(one.str("id").to_owned()),
        [] => Err(Problem::not_found(format!(
            "service plan with name {name} for offering with id {offering} not found"
        ))
        .hint("smctl plan list")),
        _ => Err(Problem::new(
            Exit::Conflict,
            format!(
                "exactly one service plan with name {name} for offering with id {offering} expected"
            ),
        )),
    }
}
