//! `smctl plan describe`: the plan, its price if it says one, and its parameters as a tree.

use super::super::describe::Sheet;
use super::super::names::{Names, Need};
use super::super::noun::{Noun, Plan};
use super::super::resolve::resolve;
use super::schema;
use crate::compat::labels;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};

/// Flags of `smctl plan describe`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// OFFERING/PLAN, its name if only one has it, or its id.
    #[arg(add = complete::names::<Plan>())]
    name: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Plan::KIND, &self.name).await?;
        if !self.output.format.is_table() {
            output::machine(&self.output.format, "plan", &doc);
            return Ok(Exit::Done);
        }
        let names = Names::load(&client, &[Need::Offerings]).await;
        let mut sheet = Sheet::new();
        sheet.line("Name", doc.str("name"));
        sheet.line("Offering", &names.offering(doc.str("service_offering_id")));
        sheet.line("ID", doc.str("id"));
        sheet.line("Description", doc.str("description"));
        sheet.line("Free", &doc.get("free").plain());
        sheet.line("Bindable", &doc.get("bindable").plain());
        sheet.line("Version", doc.at(&["maintenance_info", "version"]).as_str());
        sheet.line("Labels", &labels(doc.get("labels")));
        let bullets = doc.at(&["metadata", "bullets"]).items();
        sheet.line(
            "Includes",
            &bullets
                .iter()
                .map(Doc::as_str)
                .collect::<Vec<_>>()
                .join("\n"),
        );
        let schemas = doc.get("schemas");
        for (title, path) in [
            (
                "Parameters to make an instance",
                ["service_instance", "create", "parameters"],
            ),
            (
                "Parameters to change an instance",
                ["service_instance", "update", "parameters"],
            ),
            (
                "Parameters to bind",
                ["service_binding", "create", "parameters"],
            ),
        ] {
            sheet.section(title, schema::tree(schemas.at(&path)));
        }
        sheet.print();
        Ok(Exit::Done)
    }
}
