//! Who is told, as it lies in the store: `"everyone"`, `{"except":[..]}`, `{"only":[..]}`.

use crate::Error;
use crate::cells::{Cells, json};
use qm_model::event::Audience;
use qm_model::id::PlatformId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Stored {
    Everyone,
    Except(Vec<String>),
    Only(Vec<String>),
}

pub(crate) fn write(audience: &Audience) -> Result<String, Error> {
    let ids = |ids: &BTreeSet<PlatformId>| ids.iter().map(PlatformId::to_string).collect();
    json(&match audience {
        Audience::Everyone => Stored::Everyone,
        Audience::Except(those) => Stored::Except(ids(those)),
        Audience::Only(these) => Stored::Only(ids(these)),
    })
}

pub(super) fn read(cells: &mut Cells) -> Result<Audience, Error> {
    let ids = |ids: Vec<String>| ids.into_iter().map(PlatformId::stored).collect();
    Ok(match cells.json("audience")? {
        Stored::Everyone => Audience::Everyone,
        Stored::Except(those) => Audience::Except(ids(those)),
        Stored::Only(these) => Audience::Only(ids(these)),
    })
}
