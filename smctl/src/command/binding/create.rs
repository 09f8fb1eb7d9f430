//! `smctl binding create`.

use super::super::noun::{Binding, Instance, Noun};
use super::super::resolve::resolve;
use super::super::values::Values;
use super::super::{finish, label};
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{complete, output, session, wait};

/// Flags of `smctl binding create`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Name or id of the instance.
    #[arg(add = complete::names::<Instance>())]
    instance: String,
    /// The name of the binding.
    name: String,
    #[command(flatten)]
    values: Values,
    /// A label, key=value. May be repeated.
    #[arg(short, long, value_name = "LABEL")]
    label: Vec<String>,
    #[command(flatten)]
    output: output::Flag,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let labels = label::new(&self.label)?;
        let parameters = self.values.doc()?;
        let client = session::open(global).await?;
        let instance = resolve(&client, Instance::KIND, &self.instance).await?;
        let body = Doc::map()
            .with("name", &self.name)
            .with("service_instance_id", instance.str("id"))
            .with_some("parameters", parameters)
            .with_some("labels", labels);
        let answer = client
            .post(
                Binding::KIND.path,
                &Query::new().with("async", "true"),
                &body,
            )
            .await
            .doing(|| format!("the binding {} was not made", self.name))?;
        finish::changed(
            &client,
            Binding::KIND,
            &self.output.format,
            answer,
            &self.waiting,
        )
        .await?;
        Ok(Exit::Done)
    }
}
