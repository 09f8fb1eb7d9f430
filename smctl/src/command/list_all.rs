//! `smctl NOUN list` for collections that take no queries.

use super::noun::Noun;
use super::show;
use crate::client::Query;
use crate::exit::Exit;
use crate::global::Global;
use crate::output;
use crate::problem::Problem;
use crate::session;
use std::marker::PhantomData;

/// Flags of such a `list`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args<K: Noun> {
    #[arg(skip)]
    noun: PhantomData<K>,
    /// At most so many.
    #[arg(long, value_name = "NUMBER")]
    limit: Option<usize>,
    #[command(flatten)]
    output: output::Flag,
}

impl<K: Noun> Args<K> {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let client = session::open(global).await?;
        let docs = client
            .list_up_to(K::KIND.path, &Query::new(), self.limit)
            .await?;
        show::many(&client, K::KIND, &self.output.format, docs).await;
        Ok(Exit::Done)
    }
}
