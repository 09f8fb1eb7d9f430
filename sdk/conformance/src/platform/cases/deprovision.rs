//! Deprovisioning: bindings first, what counts as success, and every row of the orphan-mitigation table.

use super::rows::{Mitigation, deletion, deletion_polled};
use super::sections::{DEPROVISION, ORPHANS};
use super::work::{Stage, Work::Deprovision};
use crate::case::Seen;
use crate::platform::broker::{Answer, Call, Verb};
use crate::platform::case::{Case, How, must, own};
use crate::platform::world::World;
use crate::verdict::{Check, Stop};
use Mitigation::{No, Yes};
use serde_json::json;

const AGAIN: &str =
    "Count it as failed, remember the instance, and delete again until the broker says success.";
const KEEP: &str =
    "Count it as failed, remember the instance, and leave it to the user to delete again.";
const ORDER: &str = "Unbind everything, wait for success, and only then deprovision; or refuse while bindings exist.";

pub(super) const CASES: &[Case] = &[
    must("deprovision.never-with-bindings", &["P11"], DEPROVISION).says(
        "No instance is deleted at the broker while it has bindings",
        ORDER,
        How::Each(never_with_bindings),
    ),
    must("deprovision.bindings-first", &["P11"], DEPROVISION).says(
        "Deleting an instance with bindings unbinds them first, or is refused",
        ORDER,
        own!(|world| bindings_first(world)),
    ),
    must("deprovision.binding-stays", &["P11"], DEPROVISION).says(
        "An instance whose binding cannot be deleted is not deleted at the broker",
        ORDER,
        own!(|world| binding_stays(world)),
    ),
    must("deprovision.gone", &["O12", "P11"], DEPROVISION).says(
        "410 is a success: the platform forgets the instance",
        "Treat 410 like 200.",
        own!(|world| gone(world)),
    ),
    must("deprovision.200-malformed", &["O1", "P11"], ORPHANS).says(
        "200 with a malformed body is a failure; the instance is remembered",
        KEEP,
        own!(|world| deletion(world, Deprovision, Answer::malformed(200), No)),
    ),
    must("deprovision.204", &["O3"], ORPHANS).says(
        "204 is a failure, and the deletion is tried again",
        AGAIN,
        own!(|world| deletion(world, Deprovision, Answer::raw(204, ""), Yes)),
    ),
    must("deprovision.206", &["O3"], ORPHANS).says(
        "206 is a failure, and the deletion is tried again",
        AGAIN,
        own!(|world| deletion(world, Deprovision, Answer::json(206, &json!({})), Yes)),
    ),
    must("deprovision.400", &["O6", "P11"], ORPHANS).says(
        "400 is a refusal; the instance is remembered",
        KEEP,
        own!(|world| deletion(world, Deprovision, Answer::error(400), No)),
    ),
    must("deprovision.403", &["O6", "P11"], ORPHANS).says(
        "403 is a refusal; the instance is remembered",
        KEEP,
        own!(|world| deletion(world, Deprovision, Answer::error(403), No)),
    ),
    must("deprovision.408", &["O5", "P11"], ORPHANS).says(
        "408 is a failure; the instance is remembered",
        KEEP,
        own!(|world| deletion(world, Deprovision, Answer::error(408), No)),
    ),
    must("deprovision.422", &["O6", "P11"], ORPHANS).says(
        "422 is a refusal; the instance is remembered",
        KEEP,
        own!(|world| deletion(world, Deprovision, Answer::error(422), No)),
    ),
    must("deprovision.500", &["O7"], ORPHANS).says(
        "500 is a failure, and the deletion is tried again",
        AGAIN,
        own!(|world| deletion(world, Deprovision, Answer::error(500), Yes)),
    ),
    must("deprovision.timeout", &["O9", "P11"], ORPHANS).says(
        "No answer in time is a failure; the instance is remembered",
        KEEP,
        own!(|world| deletion(world, Deprovision, Answer::never(), No)),
    ),
    must("deprovision.poll-failed", &["O10", "P9"], ORPHANS).says(
        "A poll that says failed is a failure, and the deletion is tried again",
        AGAIN,
        own!(|world| deletion_polled(world, Deprovision)),
    ),
];

fn never_with_bindings(call: &Call) -> Seen {
    if call.verb != Verb::Deprovision {
        return Seen::NotMine;
    }
    match call.known.bindings {
        0 => Seen::Right,
        bindings => Seen::Wrong(format!("no DELETE while {bindings} bindings exist")),
    }
}

async fn bindings_first(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let one = world.binding(&instance).await?;
    let two = world.binding(&instance).await?;
    let told = world.delete(&instance).await?;
    let Some(call) = world.last(Verb::Deprovision) else {
        if told.is_done() {
            return Err(Stop::failed(
                "the broker is asked to delete the instance",
                told.line(),
            ));
        }
        world.note("refuses to delete an instance that has bindings");
        return world.remembers(&instance, "a refused deletion").await;
    };
    for binding in [one, two] {
        let unbound = world.about(Verb::Unbind, &binding.id);
        if !unbound.iter().any(|unbind| unbind.at <= call.at) {
            return Err(call.fail("every binding is unbound before", "a binding was left"));
        }
    }
    Ok(())
}

async fn binding_stays(world: &mut World) -> Check {
    let instance = world.instance().await?;
    world.binding(&instance).await?;
    world.always(Verb::Unbind, [Answer::error(400)]);
    world.delete(&instance).await?;
    world.settle().await;
    match world.last(Verb::Deprovision) {
        None => Ok(()),
        Some(call) => Err(call.fail("no DELETE while a binding exists", "a DELETE")),
    }
}

async fn gone(world: &mut World) -> Check {
    let stage = Stage::set(world, Deprovision).await?;
    world.always(Verb::Deprovision, [Answer::json(410, &json!({}))]);
    let told = stage.go(world).await?;
    world.done(
        &told,
        "the deletion of an instance that is gone",
        Verb::Deprovision,
    )?;
    stage.forgotten(world, "410").await
}
