//! Does what has to be done, and waits for it.

use super::{Action, Change};
use crate::client::{Client, Doing, Query};
use crate::problem::Problem;
use crate::wait::{self, Flags};
use qm_manager_api::path;

/// Makes or changes one thing.
pub(crate) async fn perform(
    client: &Client,
    change: &Change,
    flags: &Flags,
) -> Result<(), Problem> {
    let kind = change.item.kind;
    let what = || format!("{} was not applied", change.item.title());
    let query = mode(kind.noun);
    let answer = match change.action {
        Action::Nothing => return Ok(()),
        Action::Create => client
            .post(kind.path, &query, &change.body)
            .await
            .doing(what)?,
        Action::Update => {
            let path = path::item(kind.path, &change.id);
            // Labels alone are changed at once.
            let only_labels = change.body.entries().iter().all(|(key, _)| key == "labels");
            let query = if only_labels { Query::new() } else { query };
            client
                .patch(&path, &query, &change.body)
                .await
                .doing(what)?
        }
    };
    if let Some(location) = answer.location {
        wait::follow(client, &location, flags).await?;
    }
    Ok(())
}

/// Removes one thing.
pub(crate) async fn remove(client: &Client, change: &Change, flags: &Flags) -> Result<(), Problem> {
    let kind = change.item.kind;
    let answer = client
        .delete(&path::item(kind.path, &change.id), &mode(kind.noun))
        .await
        .doing(|| format!("{} was not deleted", change.item.title()))?;
    if let Some(location) = answer.location {
        wait::follow(client, &location, flags).await?;
    }
    Ok(())
}

fn mode(noun: &str) -> Query {
    if noun == "instance" || noun == "binding" {
        Query::new().with("async", "true")
    } else {
        Query::new()
    }
}
