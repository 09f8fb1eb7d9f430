//! `smctl visibility create`.

use super::super::noun::{Noun, Plan, Platform, Visibility};
use super::super::resolve::resolve;
use super::super::{label, show};
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl visibility create postgresql/small                 # for all platforms
  smctl visibility create postgresql/small --platform k8s-1
  smctl visibility create postgresql/small --platform cf --label organization_guid=ID";

/// Flags of `smctl visibility create`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The plan: OFFERING/PLAN, its name if only one has it, or its id.
    #[arg(add = complete::names::<Plan>())]
    plan: String,
    /// The platform; all of them when left out.
    #[arg(short, long, add = complete::names::<Platform>())]
    platform: Option<String>,
    /// A label, key=value. May be repeated.
    #[arg(short, long, value_name = "LABEL")]
    label: Vec<String>,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let labels = label::new(&self.label)?;
        let client = session::open(global).await?;
        let plan = resolve(&client, Plan::KIND, &self.plan).await?;
        let platform = match &self.platform {
            Some(word) => Some(resolve(&client, Platform::KIND, word).await?),
            None => None,
        };
        let body = Doc::map()
            .with_some(
                "platform_id",
                platform.as_ref().map(|platform| platform.str("id")),
            )
            .with("service_plan_id", plan.str("id"))
            .with_some("labels", labels);
        let answer = client
            .post(Visibility::KIND.path, &Query::new(), &body)
            .await
            .doing(|| format!("the plan {} was not made visible", self.plan))?;
        show::one(&client, Visibility::KIND, &self.output.format, answer.doc).await;
        Ok(Exit::Done)
    }
}
