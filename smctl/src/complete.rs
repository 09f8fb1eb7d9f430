//! Completion with names from the server.
//!
//! The shell calls smctl while somebody types. The rule: it answers fast or not at all; without a login, or when the
//! manager is slow, there are no names and no errors.

use crate::client::Query;
use crate::command::{Kind, Noun};
use crate::global::Global;
use crate::output::name_of;
use crate::session;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate};
use std::ffi::OsStr;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(2);

/// Names of a noun.
pub(crate) fn names<K: Noun>() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| candidates(K::KIND, typed))
}

/// Names of contexts, from the config file.
pub(crate) fn contexts() -> ArgValueCompleter {
    ArgValueCompleter::new(|typed: &OsStr| {
        let typed = typed.to_string_lossy();
        let config = Global::default().config().ok();
        let contents = config.and_then(|config| config.contents);
        let Some(contents) = contents else {
            return Vec::new();
        };
        let others = contents.contexts.keys().map(String::as_str);
        std::iter::once(contents.name())
            .chain(others)
            .filter(|name| name.starts_with(typed.as_ref()))
            .map(CompletionCandidate::new)
            .collect()
    })
}

fn candidates(kind: &Kind, typed: &OsStr) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let Ok(runtime) = runtime else {
        return Vec::new();
    };
    let asked = runtime.block_on(async {
        tokio::time::timeout(PATIENCE, async {
            let client = session::open(&Global::default()).await?;
            client.list(kind.path, &Query::new()).await
        })
        .await
    });
    let Ok(Ok(docs)) = asked else {
        return Vec::new();
    };
    let candidate = |doc: &crate::doc::Doc| {
        let description = doc.str("description");
        let help = (!description.is_empty()).then(|| description.to_owned().into());
        CompletionCandidate::new(name_of(doc)).help(help)
    };
    docs.iter()
        .filter(|doc| name_of(doc).starts_with(typed.as_ref()))
        .map(candidate)
        .collect()
}
