//! `smctl instance update`.

use super::super::finish;
use super::super::noun::{Instance, Noun, Plan};
use super::super::resolve::resolve;
use super::super::values::Values;
use crate::client::{Client, Doing, Query, quoted};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session, wait};
use qm_manager_api::{path, plan};

/// Flags of `smctl instance update`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Instance>())]
    name: String,
    /// A new name.
    #[arg(long)]
    rename: Option<String>,
    /// Another plan of the same offering: its name, or its id.
    #[arg(long, add = complete::names::<Plan>())]
    plan: Option<String>,
    /// The version to have.
    #[arg(long, value_name = "VERSION")]
    upgrade: Option<String>,
    #[command(flatten)]
    values: Values,
    #[command(flatten)]
    output: output::Flag,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let parameters = self.values.doc()?;
        let client = session::open(global).await?;
        let doc = resolve(&client, Instance::KIND, &self.name).await?;
        let plan = match &self.plan {
            Some(word) => Some(plan_id(&client, &doc, word).await?),
            None => None,
        };
        let version = self
            .upgrade
            .as_ref()
            .map(|version| Doc::map().with("version", version));
        let body = Doc::map()
            .with_some("name", self.rename.as_ref())
            .with_some("service_plan_id", plan)
            .with_some("maintenance_info", version)
            .with_some("parameters", parameters);
        if body.is_empty() {
            return Err(Problem::usage("nothing to change")
                .hint("--rename, --plan, --set, -c or --upgrade"));
        }
        let path = path::item(Instance::KIND.path, doc.str("id"));
        let answer = client
            .patch(&path, &Query::new().with("async", "true"), &body)
            .await
            .doing(|| format!("the instance {} was not changed", self.name))?;
        finish::changed(
            &client,
            Instance::KIND,
            &self.output.format,
            answer,
            &self.waiting,
        )
        .await?;
        Ok(Exit::Done)
    }
}

/// The id of a plan: of the same offering when only a name is given.
async fn plan_id(client: &Client, instance: &Doc, word: &str) -> Result<String, Problem> {
    let current = path::item(plan::PATH, instance.str("service_plan_id"));
    let current = client.get(&current, &Query::new()).await?;
    let conditions = [
        format!(
            "service_offering_id eq {}",
            quoted(current.str("service_offering_id"))
        ),
        format!("name eq {}", quoted(word)),
    ];
    let found = client
        .list(plan::PATH, &Query::new().fields(&conditions))
        .await?;
    match found.as_slice() {
        [one] => Ok(one.str("id").to_owned()),
        _ => Ok(resolve(client, Plan::KIND, word)
            .await?
            .str("id")
            .to_owned()),
    }
}
