//! `smctl broker describe`: the broker, how its catalog is, and its plans.

use super::super::describe::Sheet;
use super::super::noun::{Broker, Noun};
use super::super::resolve::resolve;
use crate::client::{Query, quoted};
use crate::compat::{labels, last};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::{offering, plan};

/// Flags of `smctl broker describe`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Broker>())]
    name: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Broker::KIND, &self.name).await?;
        if !self.output.format.is_table() {
            output::machine(&self.output.format, "broker", &doc);
            return Ok(Exit::Done);
        }
        let query = Query::new().fields(&[format!("broker_id eq {}", quoted(doc.str("id")))]);
        let offerings = client.list(offering::PATH, &query).await?;
        let plans = client.list(plan::PATH, &Query::new()).await?;
        let catalog = doc.get("catalog");
        let mut sheet = Sheet::new();
        sheet.line("Name", doc.str("name"));
        sheet.line("ID", doc.str("id"));
        sheet.line("URL", doc.str("broker_url"));
        sheet.line("Description", doc.str("description"));
        sheet.line("Labels", &labels(doc.get("labels")));
        sheet.line("Created", doc.str("created_at"));
        sheet.line("Last operation", &last(doc.get("last_operation")));
        sheet.line("Catalog of", catalog.str("fetched_at"));
        sheet.line("Catalog error", catalog.str("error"));
        sheet.line("Held change", catalog.at(&["held", "reason"]).as_str());
        for offering in &offerings {
            let own = plans
                .iter()
                .filter(|plan| plan.str("service_offering_id") == offering.str("id"));
            let rows = own.map(|plan| {
                (
                    plan.str("name").to_owned(),
                    plan.str("description").to_owned(),
                )
            });
            sheet.section(
                &format!("Offering {}", offering.str("name")),
                rows.collect(),
            );
        }
        sheet.print();
        Ok(Exit::Done)
    }
}
