//! What comes after a change: show the result, or follow the operation, or say how to.

use super::noun::Kind;
use super::show;
use crate::client::{Answer, Client, Query};
use crate::doc::Doc;
use crate::output::{self, Format, name_of};
use crate::problem::Problem;
use crate::wait::{self, Flags};

/// Something was made or changed.
pub(crate) async fn changed(
    client: &Client,
    kind: &Kind,
    format: &Format,
    answer: Answer,
    flags: &Flags,
) -> Result<(), Problem> {
    let doc = match answer.location {
        None => answer.doc,
        Some(location) => {
            if flags.waits() {
                wait::follow(client, &location, flags).await?;
            } else {
                in_background(&location);
            }
            client
                .get(wait::resource_of(&location), &Query::new())
                .await?
        }
    };
    show::one(client, kind, format, doc).await;
    Ok(())
}

/// Something was removed. People are told at once; programs get what is returned.
pub(crate) async fn removed(
    client: &Client,
    noun: &str,
    doc: &Doc,
    format: &Format,
    answer: Answer,
    flags: &Flags,
) -> Result<Doc, Problem> {
    let what = format!("{noun}/{}", name_of(doc));
    let (mut state, mut operation) = ("deleted", None);
    if let Some(location) = answer.location {
        let id = location.rsplit('/').next().unwrap_or_default();
        operation = Some(id.to_owned());
        if flags.waits() {
            wait::follow(client, &location, flags).await?;
        } else {
            state = "deleting";
        }
        if state == "deleting" && format.is_table() {
            println!("{what} is being deleted");
            in_background(&location);
        }
    }
    if state == "deleted" && format.is_table() {
        println!("{what} deleted");
    }
    Ok(Doc::map()
        .with("kind", noun)
        .with("name", name_of(doc))
        .with("id", doc.str("id"))
        .with("state", state)
        .with_some("operation_id", operation))
}

/// What was removed, for programs.
pub(crate) fn all_removed(format: &Format, noun: &str, mut removed: Vec<Doc>) {
    if format.is_table() {
        return;
    }
    match (removed.len(), removed.pop()) {
        (1, Some(one)) => output::machine(format, noun, &one),
        (_, last) => {
            removed.extend(last);
            output::machine(format, noun, &Doc::map().with("items", removed));
        }
    }
}

fn in_background(location: &str) {
    let id = location.rsplit('/').next().unwrap_or(location);
    eprintln!("It goes on in the background. Follow it: smctl operation watch {id}");
}
