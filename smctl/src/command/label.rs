//! `smctl NOUN label NAME key=value... key-`.

use super::noun::Noun;
use super::resolve::resolve;
use super::show;
use crate::client::{Doing, Query};
use crate::complete;
use crate::doc::Doc;
use crate::exit::Exit;
use crate::global::Global;
use crate::output;
use crate::problem::Problem;
use crate::session;
use qm_manager_api::path;
use std::marker::PhantomData;

/// Flags of every `label`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args<K: Noun> {
    #[arg(skip)]
    noun: PhantomData<K>,
    /// Name or id.
    #[arg(add = complete::names::<K>())]
    name: String,
    /// key=value adds, key- removes the label, key=value- removes one value.
    #[arg(value_name = "LABEL", required = true)]
    labels: Vec<String>,
    #[command(flatten)]
    output: output::Flag,
}

impl<K: Noun> Args<K> {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let changes = self.labels.iter().map(|label| change(label));
        let changes = changes.collect::<Result<Vec<_>, _>>()?;
        let client = session::open(global).await?;
        let doc = resolve(&client, K::KIND, &self.name).await?;
        let path = path::item(K::KIND.path, doc.str("id"));
        let answer = client
            .patch(&path, &Query::new(), &Doc::map().with("labels", changes))
            .await
            .doing(|| format!("the labels of {} were not changed", self.name))?;
        show::one(&client, K::KIND, &self.output.format, answer.doc).await;
        Ok(Exit::Done)
    }
}

fn change(label: &str) -> Result<Doc, Problem> {
    let (op, body) = match label.strip_suffix('-') {
        Some(body) => ("remove", body),
        None => ("add", label),
    };
    let (key, values) = match body.split_once('=') {
        Some((key, value)) => (key, vec![value.to_owned()]),
        None if op == "remove" => (body, Vec::new()),
        None => {
            return Err(Problem::usage(format!("{label} is no label"))
                .hint("write key=value to add, key- to remove"));
        }
    };
    let op = if op == "remove" && !values.is_empty() {
        "remove_values"
    } else {
        op
    };
    Ok(Doc::map()
        .with("op", op)
        .with("key", key)
        .with("values", values.as_slice()))
}

/// `--label key=value` of a new thing, as its labels.
pub(crate) fn new(labels: &[String]) -> Result<Option<Doc>, Problem> {
    let mut map: Vec<(String, Vec<Doc>)> = Vec::new();
    for label in labels {
        let Some((key, value)) = label.split_once('=') else {
            return Err(Problem::usage(format!("{label} is no label")).hint("write key=value"));
        };
        match map.iter_mut().find(|(known, _)| known == key) {
            Some((_, values)) => values.push(value.into()),
            None => map.push((key.to_owned(), vec![value.into()])),
        }
    }
    let entries = map
        .into_iter()
        .map(|(key, values)| (key, Doc::List(values)));
    Ok((!labels.is_empty()).then(|| Doc::Map(entries.collect())))
}
