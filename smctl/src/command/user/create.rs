//! `smctl user create`.

use super::super::noun::{Noun, User};
use super::super::show;
use super::Role;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, session};

/// Flags of `smctl user create`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// What is typed at login.
    name: String,
    /// What they may do. May be repeated.
    #[arg(long = "role", value_name = "ROLE", required = true, value_enum)]
    roles: Vec<Role>,
    /// The tenant to confine them to.
    #[arg(long)]
    tenant: Option<String>,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let body = Doc::map()
            .with("name", &self.name)
            .with("password", super::new_password()?)
            .with("roles", Role::list(&self.roles))
            .with_some("tenant", self.tenant.as_ref());
        let answer = client
            .post(User::KIND.path, &Query::new(), &body)
            .await
            .doing(|| format!("the user {} was not added", self.name))?;
        show::one(&client, User::KIND, &self.output.format, answer.doc).await;
        Ok(Exit::Done)
    }
}
