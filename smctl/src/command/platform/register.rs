//! `smctl platform register`.

use super::super::label;
use super::super::noun::{Noun, Platform};
use crate::client::{Doing, Query};
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::{output, session};

/// Flags of `smctl platform register`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name.
    name: String,
    /// cloudfoundry, kubernetes, or any other word.
    #[arg(value_name = "TYPE")]
    kind: String,
    /// For people.
    #[arg(short, long)]
    description: Option<String>,
    /// Its id; made up when left out.
    #[arg(long)]
    id: Option<String>,
    /// Stands for visibilities only and cannot log in.
    #[arg(long)]
    technical: bool,
    /// A label, key=value. May be repeated.
    #[arg(short, long, value_name = "LABEL")]
    label: Vec<String>,
    #[command(flatten)]
    output: output::Flag,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let labels = label::new(&self.label)?;
        let client = session::open(global).await?;
        let body = Doc::map()
            .with_some("id", self.id.as_ref())
            .with("name", &self.name)
            .with("type", &self.kind)
            .with_some("description", self.description.as_ref())
            .with_some("technical", self.technical.then_some(true))
            .with_some("labels", labels);
        let answer = client
            .post(Platform::KIND.path, &Query::new(), &body)
            .await
            .doing(|| format!("the platform {} was not registered", self.name))?;
        super::show(&self.output.format, &answer.doc);
        Ok(Exit::Done)
    }
}
