//! `smctl user update`.

use super::super::noun::{Noun, User};
use super::super::resolve::resolve;
use super::super::show;
use super::Role;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::path;

/// Flags of `smctl user update`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id.
    #[arg(add = complete::names::<User>())]
    name: String,
    /// A new name.
    #[arg(long)]
    rename: Option<String>,
    /// What they may do from now on. May be repeated.
    #[arg(long = "role", value_name = "ROLE", value_enum)]
    roles: Vec<Role>,
    /// Another tenant; empty confines them to none.
    #[arg(long)]
    tenant: Option<String>,
    /// A new password; it is asked for.
    #[arg(long)]
    password: bool,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let mut body = Doc::map().with_some("name", self.rename.as_ref());
        if !self.roles.is_empty() {
            body.set("roles", Role::list(&self.roles));
        }
        if let Some(tenant) = &self.tenant {
            let value = if tenant.is_empty() {
                Doc::Null
            } else {
                tenant.into()
            };
            body.set("tenant", value);
        }
        if self.password {
            body.set("password", super::new_password()?);
        }
        if body.is_empty() {
            return Err(Problem::usage("nothing to change")
                .hint("--rename, --role, --tenant or --password"));
        }
        let client = session::open(global).await?;
        let doc = resolve(&client, User::KIND, &self.name).await?;
        let answer = client
            .patch(
                &path::item(User::KIND.path, doc.str("id")),
                &Query::new(),
                &body,
            )
            .await
            .doing(|| format!("the user {} was not changed", self.name))?;
        show::one(&client, User::KIND, &self.output.format, answer.doc).await;
        Ok(Exit::Done)
    }
}
