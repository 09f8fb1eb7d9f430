//! `smctl update-broker`.

use super::call::Call;
use super::flags::{self, bad};
use super::shape::Shape;
use crate::client::Doing;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::problem::Problem;
use crate::wait;
use qm_manager_api::{broker, path};

/// Flags of `smctl update-broker`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Its name, and the change as JSON.
    #[arg(value_name = "NAME JSON")]
    words: Vec<String>,
    #[command(flatten)]
    output: flags::Output,
    #[command(flatten)]
    params: flags::Params,
    /// How calls to SM are performed: sync or async.
    #[arg(long, default_value = "sync")]
    mode: String,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl Args {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let Some(name) = self.words.first() else {
            return Err(bad("[name] is required"));
        };
        let Some(json) = self.words.get(1) else {
            return Err(bad("nothing to update. Broker JSON is not provided"));
        };
        let body = change(json, "broker")?;
        let format = self.output.format(global.compat)?;
        let call = Call::open(global, &self.params, Some(&self.mode)).await?;
        let found = call.named(broker::PATH, name).await?;
        let Some(first) = found.first() else {
            let what = format!("broker with name {name} not found");
            return Err(Problem::not_found(what).hint("smctl broker list"));
        };
        let path = path::item(broker::PATH, first.str("id"));
        let answer = call
            .client
            .patch(&path, &call.query, &body)
            .await
            .doing(|| format!("the broker {name} was not changed"))?;
        let message = format!("Service Broker {name} successfully scheduled for update.");
        call.finished(Shape::Broker, answer, &format, &message, &self.waiting)
            .await
    }
}

/// A change as it was typed.
pub(super) fn change(json: &str, noun: &str) -> Result<Doc, Problem> {
    match Doc::parse(json.as_bytes()) {
        Ok(doc @ (Doc::Map(_) | Doc::Null)) => Ok(doc),
        Ok(_) => Err(bad(format!(
            "{noun} JSON is invalid. Reason: it is no object"
        ))),
        Err(error) => Err(bad(format!("{noun} JSON is invalid. Reason: {error}"))),
    }
}
