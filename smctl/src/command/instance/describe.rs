//! `smctl instance describe`: how it does, what happened to it, its bindings.

use super::super::describe::Sheet;
use super::super::names::{Names, Need};
use super::super::noun::{Instance, Noun, short_time, state};
use super::super::resolve::resolve;
use crate::client::{Query, quoted};
use crate::compat::{labels, last};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::binding;

/// Flags of `smctl instance describe`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<Instance>())]
    name: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = resolve(&client, Instance::KIND, &self.name).await?;
        if !self.output.format.is_table() {
            output::machine(&self.output.format, "instance", &doc);
            return Ok(Exit::Done);
        }
        let names = Names::load(&client, &[Need::Plans, Need::Platforms]).await;
        let query =
            Query::new().fields(&[format!("service_instance_id eq {}", quoted(doc.str("id")))]);
        let bindings = client.list(binding::PATH, &query).await?;
        let operation = doc.get("last_operation");
        let mut sheet = Sheet::new();
        sheet.line("Name", doc.str("name"));
        sheet.line("ID", doc.str("id"));
        sheet.line("Plan", &names.plan(doc.str("service_plan_id")));
        sheet.line("Platform", &names.platform(doc.str("platform_id")));
        sheet.line("State", &state(&doc));
        sheet.line("Message", doc.str("message"));
        sheet.line("Usable", &doc.get("usable").plain());
        sheet.line("Shared", &doc.get("shared").plain());
        sheet.line("Refers to", doc.str("referenced_instance_id"));
        sheet.line("Dashboard", doc.str("dashboard_url"));
        sheet.line("Version", doc.at(&["maintenance_info", "version"]).as_str());
        sheet.line("Labels", &labels(doc.get("labels")));
        sheet.line("Created", doc.str("created_at"));
        sheet.line("Updated", doc.str("updated_at"));
        sheet.line("Last operation", &last(operation));
        sheet.line("Operation", operation.str("id"));
        sheet.line("Correlation id", operation.str("correlation_id"));
        let steps = operation.get("steps").items().iter();
        let steps = steps.map(|step| {
            (
                short_time(step.str("at")),
                step.str("description").to_owned(),
            )
        });
        sheet.section("Timeline", steps.collect());
        let rows = bindings.iter().map(|binding| {
            let ready = if binding.is("ready") {
                "ready"
            } else {
                "not ready"
            };
            (
                binding.str("name").to_owned(),
                format!("{ready}, made {}", short_time(binding.str("created_at"))),
            )
        });
        sheet.section("Bindings", rows.collect());
        sheet.print();
        Ok(Exit::Done)
    }
}
