//! `smctl NOUN list`.

use super::noun::{Kind, Noun};
use super::show;
use crate::client::{Query, quoted};
use crate::exit::Exit;
use crate::global::Global;
use crate::output;
use crate::problem::Problem;
use crate::session;
use std::marker::PhantomData;

/// Flags of every `list`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args<K: Noun> {
    #[arg(skip)]
    noun: PhantomData<K>,
    /// Only those whose fields fulfil this, as in "name eq 'db' and ready eq true". May be repeated.
    #[arg(short, long, value_name = "QUERY")]
    query: Vec<String>,
    /// Only those with a label: key=value, or a query as in "env in ('dev','qa')". May be repeated.
    #[arg(short, long, value_name = "LABEL")]
    label: Vec<String>,
    /// At most so many.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<usize>,
    #[command(flatten)]
    output: output::Flag,
}

impl<K: Noun> Args<K> {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let kind: &Kind = K::KIND;
        let client = session::open(global).await?;
        let labels: Vec<_> = self.label.iter().map(|label| condition(label)).collect();
        let mut query = Query::new().fields(&self.query).labels(&labels);
        if kind.noun == "instance" || kind.noun == "binding" {
            query = query.with("attach_last_operations", "true");
        }
        let docs = client.list_up_to(kind.path, &query, self.limit).await?;
        show::many(&client, kind, &self.output.format, docs).await;
        Ok(Exit::Done)
    }
}

/// `key=value` as a condition; what has blanks is one already.
fn condition(label: &str) -> String {
    match label.split_once('=') {
        Some((key, value)) if !label.contains(' ') => format!("{key} eq {}", quoted(value)),
        _ => label.to_owned(),
    }
}
