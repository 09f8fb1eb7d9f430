//! What happened to an operation on the way, as it lies in the store.
//!
//! The rule: a step is added to the text of all steps without reading it, so a change of course costs no more than any
//! other write. The text is a JSON array without its brackets.

use crate::Error;
use crate::cells::Cells;
use qm_model::Time;
use qm_model::operation::{Step, Story};
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize)]
struct Stored {
    at: i64,
    what: String,
}

/// A step as it is added to the others.
pub(crate) fn step(at: Time, what: &str) -> Result<String, Error> {
    crate::cells::json(&Stored {
        at: at.millis(),
        what: what.to_owned(),
    })
}

/// Takes the columns `steps`, `first_error`, `last_error` and `deletion_scheduled`.
pub(super) fn read(cells: &mut Cells) -> Result<Story, Error> {
    let steps = match cells.text_opt("steps")? {
        None => Vec::new(),
        Some(text) => {
            let stored: Vec<Stored> =
                serde_json::from_str(&format!("[{text}]")).map_err(|_| Error::Form {
                    table: "operation",
                    column: "steps",
                })?;
            let step = |Stored { at, what }| Step { at: Time(at), what };
            stored.into_iter().map(step).collect()
        }
    };
    Ok(Story {
        steps,
        first_error: cells.text_opt("first_error")?,
        last_error: cells.text_opt("last_error")?,
        cleaning_since: cells.time_opt("deletion_scheduled")?,
    })
}
