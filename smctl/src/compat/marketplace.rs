//! `smctl marketplace`: offerings with their plans in one request a page. A server that does not know that question is
//! asked for the plans as well.

use super::call::Call;
use super::flags;
use super::print::Shown;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::output;
use crate::problem::Problem;
use qm_manager_api::{offering, plan};
use std::collections::HashMap;

pub(super) const EXAMPLES: &str = "\
Examples:
  smctl marketplace
  smctl marketplace -s postgresql
  smctl marketplace -o jsonpath='{range .items[*]}{.name}{\"\\n\"}{end}'

Next: smctl plan describe OFFERING/PLAN      # what a plan takes
      smctl provision NAME OFFERING PLAN     # makes an instance";

/// Flags of `smctl marketplace`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Plan details for a single service offering.
    #[arg(
        short,
        long,
        value_name = "NAME",
        default_value = "",
        hide_default_value = true
    )]
    service: String,
    /// Filters service offerings by supported environments.
    #[arg(short, long)]
    environment: Option<String>,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, None).await?;
        let query = call
            .query
            .clone()
            .with_some("environment", self.environment);
        let with_plans = query.clone().with("attach_plans", "true");
        let offerings = call.client.list(offering::PATH, &with_plans).await?;
        let mut by_offering: HashMap<String, Vec<Doc>> = HashMap::new();
        let attached = offerings
            .iter()
            .any(|it| !it.get("plans").items().is_empty());
        if !attached && !offerings.is_empty() {
            for plan in call.client.list(plan::PATH, &query).await? {
                let offering = plan.str("service_offering_id").to_owned();
                by_offering.entry(offering).or_default().push(plan);
            }
        }
        let plans_of = |offering: &Doc| match attached {
            true => offering.get("plans").items().to_vec(),
            false => {
                let known = by_offering.get(offering.str("id"));
                known.cloned().unwrap_or_default()
            }
        };
        let shown = if self.service.is_empty() {
            let with_plans = |offering: Doc| {
                let plans = plans_of(&offering);
                offering.with("plans", plans)
            };
            Shown::Marketplace(offerings.into_iter().map(with_plans).collect())
        } else {
            let wanted = offerings
                .iter()
                .filter(|offering| offering.str("name") == self.service);
            let plans: Vec<_> = wanted.flat_map(plans_of).collect();
            if plans.is_empty()
                && !global.compat
                && !offerings.iter().any(|o| o.str("name") == self.service)
            {
                return Err(Problem::not_found(format!(
                    "there is no service offering {}",
                    self.service
                ))
                .why("nothing that you may see is called so")
                .hint("smctl marketplace"));
            }
            Shown::PlansOf(plans)
        };
        let exit = call.show(&format, &shown);
        let next = match (&shown, self.service.as_str()) {
            (Shown::PlansOf(_), service) => {
                format!(
                    "smctl plan describe {service}/PLAN, then smctl provision NAME {service} PLAN --wait"
                )
            }
            _ => "smctl provision NAME OFFERING PLAN --wait".to_owned(),
        };
        output::next(global, &next);
        Ok(exit)
    }
}
