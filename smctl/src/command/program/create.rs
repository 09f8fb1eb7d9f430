//! `smctl client create`.

use super::super::describe::Sheet;
use super::super::noun::{Noun, Program};
use super::super::user::Role;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, session};

/// Flags of `smctl client create`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its client_id; made up when left out.
    id: Option<String>,
    /// What it may do. May be repeated.
    #[arg(long = "role", value_name = "ROLE", required = true, value_enum)]
    roles: Vec<Role>,
    /// The tenant to confine it to.
    #[arg(long)]
    tenant: Option<String>,
    /// For people.
    #[arg(short, long)]
    description: Option<String>,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let body = Doc::map()
            .with_some("id", self.id.as_ref())
            .with_some("description", self.description.as_ref())
            .with("roles", Role::list(&self.roles))
            .with_some("tenant", self.tenant.as_ref());
        let answer = client
            .post(Program::KIND.path, &Query::new(), &body)
            .await
            .doing(|| "the client was not added".to_owned())?;
        if !self.output.format.is_table() {
            output::machine(&self.output.format, "client", &answer.doc);
            return Ok(Exit::Done);
        }
        let mut sheet = Sheet::new();
        sheet.line("Client id", answer.doc.str("id"));
        sheet.line("Client secret", answer.doc.str("secret"));
        sheet.print();
        eprintln!("The secret is not shown again.");
        Ok(Exit::Done)
    }
}
