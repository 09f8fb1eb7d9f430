//! `smctl offering describe`.

use super::super::describe::Sheet;
use super::super::noun::{Noun, Offering};
use super::super::resolve::resolve;
use crate::client::{Query, quoted};
use crate::compat::labels;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::plan;

/// Flags of `smctl offering describe`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Offering>())]
    name: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Offering::KIND, &self.name).await?;
        let query =
            Query::new().fields(&[format!("service_offering_id eq {}", quoted(doc.str("id")))]);
        let plans = client.list(plan::PATH, &query).await?;
        if !self.output.format.is_table() {
            output::machine(&self.output.format, "offering", &doc.with("plans", plans));
            return Ok(Exit::Done);
        }
        let words = |key: &str| {
            doc.get(key)
                .items()
                .iter()
                .map(Doc::as_str)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let mut sheet = Sheet::new();
        sheet.line("Name", doc.str("name"));
        sheet.line("ID", doc.str("id"));
        sheet.line("Description", doc.str("description"));
        sheet.line("Tags", &words("tags"));
        sheet.line("Requires", &words("requires"));
        sheet.line("Bindable", &doc.get("bindable").plain());
        sheet.line("Plans can change", &doc.get("plan_updateable").plain());
        sheet.line("Labels", &labels(doc.get("labels")));
        sheet.line(
            "Documentation",
            doc.at(&["metadata", "documentationUrl"]).as_str(),
        );
        let rows = plans.iter().map(|plan| {
            (
                plan.str("name").to_owned(),
                plan.str("description").to_owned(),
            )
        });
        sheet.section("Plans", rows.collect());
        sheet.print();
        Ok(Exit::Done)
    }
}
