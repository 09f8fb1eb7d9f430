//! `smctl operation get`.

use super::super::describe::Sheet;
use super::super::noun::{Operation, short_time};
use crate::client::{Doing, Query};
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};

/// Flags of `smctl operation get`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its id, or its path.
    #[arg(add = complete::names::<Operation>())]
    id: String,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let doc = client
            .get(&super::path_of(&self.id), &Query::new())
            .await
            .doing(|| format!("there is no operation {}", self.id))?;
        if !self.output.format.is_table() {
            output::machine(&self.output.format, "operation", &doc);
            return Ok(Exit::Done);
        }
        let mut sheet = Sheet::new();
        sheet.line("ID", doc.str("id"));
        sheet.line("Type", doc.str("type"));
        sheet.line("State", doc.str("state"));
        sheet.line(
            "Resource",
            &format!("{}/{}", doc.str("resource_type"), doc.str("resource_id")),
        );
        sheet.line("Description", doc.str("description"));
        sheet.line("Attempts", &doc.get("attempts").plain());
        sheet.line("Next attempt", doc.str("next_attempt_at"));
        sheet.line("Deadline", doc.str("deadline"));
        sheet.line("First error", doc.str("first_error"));
        sheet.line("Last error", doc.str("last_error"));
        sheet.line("Errors", &doc.get("errors").plain());
        sheet.line("Correlation id", doc.str("correlation_id"));
        let steps = doc.get("steps").items().iter();
        let steps = steps.map(|step| {
            (
                short_time(step.str("at")),
                step.str("description").to_owned(),
            )
        });
        sheet.section("Timeline", steps.collect());
        sheet.print();
        Ok(Exit::Done)
    }
}
