//! `smctl client update`.

use super::super::noun::{Noun, Program};
use super::super::resolve::resolve;
use super::super::show;
use super::super::user::Role;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, prompt, session};
use qm_manager_api::path;

/// Flags of `smctl client update`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its client_id.
    #[arg(add = complete::names::<Program>())]
    id: String,
    /// A new description.
    #[arg(short, long)]
    description: Option<String>,
    /// What it may do from now on. May be repeated.
    #[arg(long = "role", value_name = "ROLE", value_enum)]
    roles: Vec<Role>,
    /// Another tenant; empty confines it to none.
    #[arg(long)]
    tenant: Option<String>,
    /// A new secret; it is asked for.
    #[arg(long)]
    secret: bool,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let mut body = Doc::map().with_some("description", self.description.as_ref());
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
        if self.secret {
            let secret = match session::variable("SMCTL_NEW_SECRET") {
                Some(secret) => secret,
                None => prompt::password("New secret: ")?,
            };
            body.set("secret", secret);
        }
        if body.is_empty() {
            return Err(Problem::usage("nothing to change")
                .hint("--description, --role, --tenant or --secret"));
        }
        let client = session::open(global).await?;
        let doc = resolve(&client, Program::KIND, &self.id).await?;
        let answer = client
            .patch(
                &path::item(Program::KIND.path, doc.str("id")),
                &Query::new(),
                &body,
            )
            .await
            .doing(|| format!("the client {} was not changed", self.id))?;
        show::one(&client, Program::KIND, &self.output.format, answer.doc).await;
        Ok(Exit::Done)
    }
}
