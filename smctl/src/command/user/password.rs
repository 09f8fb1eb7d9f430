//! `smctl user password`: one's own.

use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, prompt, session};
use qm_manager_api::user;

/// Flags of `smctl user password`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let old = match session::variable("SMCTL_PASSWORD") {
            Some(password) => password,
            None => prompt::password("Password now: ")?,
        };
        let body = Doc::map()
            .with("old_password", old)
            .with("password", super::new_password()?);
        client
            .put(&format!("{}/me/password", user::PATH), &Query::new(), &body)
            .await
            .doing(|| "the password was not changed".to_owned())?;
        let doc = Doc::map().with("name", "me").with("changed", true);
        output::told(
            &self.output.format,
            "user",
            &doc,
            "The password was changed.",
        );
        Ok(Exit::Done)
    }
}
