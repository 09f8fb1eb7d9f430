//! `smctl visibility update`.

use super::super::noun::{Noun, Plan, Platform, Visibility};
use super::super::resolve::resolve;
use super::super::show;
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session};
use qm_manager_api::path;

/// Flags of `smctl visibility update`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its id.
    #[arg(add = complete::names::<Visibility>())]
    id: String,
    /// Another plan.
    #[arg(long, add = complete::names::<Plan>())]
    plan: Option<String>,
    /// Another platform.
    #[arg(long, add = complete::names::<Platform>())]
    platform: Option<String>,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let mut body = Doc::map();
        if let Some(word) = &self.plan {
            body.set(
                "service_plan_id",
                resolve(&client, Plan::KIND, word).await?.str("id"),
            );
        }
        if let Some(word) = &self.platform {
            body.set(
                "platform_id",
                resolve(&client, Platform::KIND, word).await?.str("id"),
            );
        }
        if body.is_empty() {
            return Err(Problem::usage("nothing to change").hint("--plan or --platform"));
        }
        let answer = client
            .patch(
                &path::item(Visibility::KIND.path, &self.id),
                &Query::new(),
                &body,
            )
            .await
            .doing(|| format!("the visibility {} was not changed", self.id))?;
        show::one(&client, Visibility::KIND, &self.output.format, answer.doc).await;
        Ok(Exit::Done)
    }
}
