//! `smctl instance create`.

use super::super::noun::{Instance, Noun, Plan};
use super::super::resolve::resolve;
use super::super::values::Values;
use super::super::{finish, label};
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session, wait};

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl instance create mydb postgresql/small --wait
  smctl instance create mydb postgresql small --set size=10 --label env=dev
  smctl instance create mydb postgresql/small -c @parameters.json --watch";

/// Flags of `smctl instance create`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    name: String,
    /// OFFERING/PLAN, or OFFERING PLAN, or the id of a plan.
    #[arg(value_name = "PLAN", required = true, num_args = 1..=2, add = complete::names::<Plan>())]
    plan: Vec<String>,
    #[command(flatten)]
    values: Values,
    /// A label, key=value. May be repeated.
    #[arg(short, long, value_name = "LABEL")]
    label: Vec<String>,
    #[command(flatten)]
    output: output::Flag,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let labels = label::new(&self.label)?;
        let parameters = self.values.doc()?;
        let client = session::open(global).await?;
        let plan = resolve(&client, Plan::KIND, &self.plan.join("/")).await?;
        let body = Doc::map()
            .with("name", &self.name)
            .with("service_plan_id", plan.str("id"))
            .with_some("parameters", parameters)
            .with_some("labels", labels);
        let answer = client
            .post(
                Instance::KIND.path,
                &Query::new().with("async", "true"),
                &body,
            )
            .await
            .doing(|| format!("the instance {} was not made", self.name))?;
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
