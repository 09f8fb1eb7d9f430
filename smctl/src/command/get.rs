//! `smctl NOUN get`.

use super::noun::Noun;
use super::resolve::resolve;
use super::show;
use crate::complete;
use crate::exit::Exit;
use crate::global::Global;
use crate::output;
use crate::problem::Problem;
use crate::session;
use std::marker::PhantomData;

/// Flags of every `get`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args<K: Noun> {
    #[arg(skip)]
    noun: PhantomData<K>,
    /// Names or ids.
    #[arg(value_name = "NAME", required = true, add = complete::names::<K>())]
    words: Vec<String>,
    #[command(flatten)]
    output: output::Flag,
}

impl<K: Noun> Args<K> {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let mut docs = Vec::new();
        for word in &self.words {
            docs.push(resolve(&client, K::KIND, word).await?);
        }
        let format = &self.output.format;
        match (docs.len(), docs.pop()) {
            (1, Some(doc)) => show::one(&client, K::KIND, format, doc).await,
            (_, last) => {
                docs.extend(last);
                show::many(&client, K::KIND, format, docs).await;
            }
        }
        Ok(Exit::Done)
    }
}
