//! What comes after a change: show the result, or follow the operation, or say how to.

use super::noun::Kind;
use super::show;
use crate::client::{Answer, Client, Query};
use crate::output::Format;
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

/// Something was removed.
pub(crate) async fn removed(
    client: &Client,
    what: &str,
    answer: Answer,
    flags: &Flags,
) -> Result<(), Problem> {
    match answer.location {
        Some(location) if flags.waits() => {
            wait::follow(client, &location, flags).await?;
        }
        Some(location) => {
            println!("{what} is being deleted");
            in_background(&location);
            return Ok(());
        }
        None => {}
    }
    println!("{what} deleted");
    Ok(())
}

fn in_background(location: &str) {
    let id = location.rsplit('/').next().unwrap_or(location);
    eprintln!("It goes on in the background. Follow it: smctl operation watch {id}");
}
