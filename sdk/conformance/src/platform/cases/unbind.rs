//! Unbinding: what counts as success, and every row of the orphan-mitigation table.

use super::rows::{Mitigation, deletion, deletion_polled};
use super::sections::{ORPHANS, UNBIND};
use super::work::{Stage, Work::Unbind};
use crate::platform::broker::{Answer, Verb};
use crate::platform::case::{Case, must, own};
use crate::platform::world::World;
use crate::verdict::Check;
use Mitigation::{No, Yes};
use serde_json::json;

const AGAIN: &str =
    "Count it as failed, remember the binding, and unbind again until the broker says success.";
const KEEP: &str =
    "Count it as failed, remember the binding, and leave it to the user to unbind again.";

pub(super) const CASES: &[Case] = &[
    must("unbind.gone", &["O12", "P11"], UNBIND).says(
        "410 is a success: the platform forgets the binding",
        "Treat 410 like 200.",
        own!(|world| gone(world)),
    ),
    must("unbind.200-malformed", &["O1", "P11"], ORPHANS).says(
        "200 with a malformed body is a failure; the binding is remembered",
        KEEP,
        own!(|world| deletion(world, Unbind, Answer::malformed(200), No)),
    ),
    must("unbind.206", &["O3"], ORPHANS).says(
        "206 is a failure, and the deletion is tried again",
        AGAIN,
        own!(|world| deletion(world, Unbind, Answer::json(206, &json!({})), Yes)),
    ),
    must("unbind.400", &["O6", "P11"], ORPHANS).says(
        "400 is a refusal; the binding is remembered",
        KEEP,
        own!(|world| deletion(world, Unbind, Answer::error(400), No)),
    ),
    must("unbind.408", &["O5", "P11"], ORPHANS).says(
        "408 is a failure; the binding is remembered",
        KEEP,
        own!(|world| deletion(world, Unbind, Answer::error(408), No)),
    ),
    must("unbind.500", &["O7"], ORPHANS).says(
        "500 is a failure, and the deletion is tried again",
        AGAIN,
        own!(|world| deletion(world, Unbind, Answer::error(500), Yes)),
    ),
    must("unbind.timeout", &["O9", "P11"], ORPHANS).says(
        "No answer in time is a failure; the binding is remembered",
        KEEP,
        own!(|world| deletion(world, Unbind, Answer::never(), No)),
    ),
    must("unbind.poll-failed", &["O10", "P9"], ORPHANS).says(
        "A poll that says failed is a failure, and the deletion is tried again",
        AGAIN,
        own!(|world| deletion_polled(world, Unbind)),
    ),
];

async fn gone(world: &mut World) -> Check {
    let stage = Stage::set(world, Unbind).await?;
    world.always(Verb::Unbind, [Answer::json(410, &json!({}))]);
    let told = stage.go(world).await?;
    world.done(
        &told,
        "the deletion of a binding that is gone",
        Verb::Unbind,
    )?;
    stage.forgotten(world, "410").await
}
