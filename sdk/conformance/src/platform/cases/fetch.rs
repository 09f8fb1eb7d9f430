//! Fetching instances and bindings: only where the catalog allows it.

use super::sections::FETCH;
use crate::case::Seen;
use crate::platform::broker::{Call, Plans, Verb};
use crate::platform::case::{Case, How, must, own};
use crate::platform::world::{Change, World};
use crate::verdict::{Check, Stop};
use serde_json::json;

const FIX: &str =
    "Look at instances_retrievable and bindings_retrievable of the offering before you fetch.";

pub(super) const CASES: &[Case] = &[
    must("fetch.allowed", &["P6"], FETCH).says(
        "Nothing is fetched whose offering does not say that it can be", FIX,
        How::Each(allowed),
    ),
    must("fetch.sealed", &["P6"], FETCH).says(
        "The whole life of an instance and a binding of an offering without fetching goes without", FIX,
        own!(|world| sealed(world)),
    ).with(Plans::SEALED),
];

fn allowed(call: &Call) -> Seen {
    match call.verb {
        Verb::Fetch | Verb::FetchBinding if call.known.service_id.is_empty() => Seen::NotMine,
        Verb::Fetch | Verb::FetchBinding if call.known.retrievable => Seen::Right,
        Verb::Fetch | Verb::FetchBinding => {
            Seen::Wrong("no fetch: the catalog does not allow it".to_owned())
        }
        _ => Seen::NotMine,
    }
}

async fn sealed(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let binding = world.binding(&instance).await?;
    world.show(&instance).await?;
    let shown = world.show_binding(&instance, &binding).await?;
    if let Some(given) = shown.credentials {
        let user = format!("user of {}", binding.id);
        if given.get("username").and_then(|value| value.as_str()) != Some(&user) {
            return Err(Stop::failed(
                "the credentials that the bind answered",
                "others",
            ));
        }
    }
    world
        .update(&instance, Change::parameters(json!({ "size": 2 })))
        .await?;
    world.unbind(&instance, &binding).await?;
    world.delete(&instance).await?;
    for verb in [Verb::Fetch, Verb::FetchBinding] {
        if let Some(call) = world.last(verb) {
            return Err(call.fail("no fetch: the catalog does not allow it", verb.word()));
        }
    }
    Ok(())
}
