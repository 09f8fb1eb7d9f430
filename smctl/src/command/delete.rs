//! `smctl NOUN delete`.

use super::finish;
use super::noun::Noun;
use super::resolve::resolve;
use crate::client::{Doing, Query};
use crate::complete;
use crate::exit::Exit;
use crate::global::Global;
use crate::output::{self, name_of};
use crate::problem::Problem;
use crate::{prompt, session, wait};
use qm_manager_api::path;
use std::marker::PhantomData;

/// Flags of every `delete`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args<K: Noun> {
    #[arg(skip)]
    noun: PhantomData<K>,
    /// Names or ids.
    #[arg(value_name = "NAME", required = true, add = complete::names::<K>())]
    words: Vec<String>,
    /// Delete without asking.
    #[arg(short, long)]
    yes: bool,
    /// Delete what depends on it too, first.
    #[arg(long)]
    cascade: bool,
    /// With --cascade: forget what the broker refuses to delete. It may go on to exist there.
    #[arg(long, requires = "cascade")]
    purge: bool,
    #[command(flatten)]
    output: output::Flag,
    #[command(flatten)]
    waiting: wait::Flags,
}

impl<K: Noun> Args<K> {
    pub(super) async fn run(self, global: &Global) -> Result<Exit, Problem> {
        let kind = K::KIND;
        let client = session::open(global).await?;
        let mut found = Vec::new();
        for word in &self.words {
            found.push(resolve(&client, kind, word).await?);
        }
        let names = found.iter().map(name_of).collect::<Vec<_>>().join(", ");
        let rest = if self.cascade {
            " and all that depends on it"
        } else {
            ""
        };
        prompt::sure(self.yes, &format!("Delete {} {names}{rest}", kind.noun))?;
        let mut query = Query::new();
        if self.cascade {
            query = query.with("cascade", "true");
        }
        if self.purge {
            query = query.with("force", "true");
        }
        if self.cascade || kind.noun == "instance" || kind.noun == "binding" {
            query = query.with("async", "true");
        }
        let format = &self.output.format;
        let mut removed = Vec::new();
        for doc in &found {
            let name = name_of(doc);
            let path = path::item(kind.path, doc.str("id"));
            let answer = client
                .delete(&path, &query)
                .await
                .doing(|| format!("{} {name} was not deleted", kind.noun))
                .map_err(|mut problem| {
                    // What depends on it can go with it.
                    if problem.hint.is_none() && !self.cascade {
                        let all = format!("smctl {} delete {name} --cascade", kind.noun);
                        problem.hint = Some(all);
                    }
                    problem
                })?;
            let done =
                finish::removed(&client, kind.noun, doc, format, answer, &self.waiting).await?;
            removed.push(done);
        }
        finish::all_removed(format, kind.noun, removed);
        Ok(Exit::Done)
    }
}
