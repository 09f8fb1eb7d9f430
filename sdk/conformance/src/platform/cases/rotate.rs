//! Rotation of bindings, for platforms that have it.

use super::sections::ROTATE;
use crate::platform::broker::{Plans, Verb};
use crate::platform::case::{Case, must, own};
use crate::platform::world::World;
use crate::verdict::Check;

pub(super) const CASES: &[Case] = &[
    must("rotate.works", &["P6", "P7"], ROTATE)
        .says(
            "A rotation is a bind with a new id and predecessor_binding_id; the old binding stays",
            "PUT a binding with a new id and the id of the old one; unbind the old one later.",
            own!(|world| works(world)),
        )
        .with(Plans::ROTATABLE),
    must("rotate.not-rotatable", &["P6"], ROTATE).says(
        "No rotation where the plan does not say binding_rotatable",
        "Look at the plan before you rotate.",
        own!(|world| forbidden(world)),
    ),
];

async fn works(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let old = world.binding(&instance).await?;
    let told = world.rotate(&instance, &old).await?;
    world.done(&told, "the rotation", Verb::Bind)?;
    let call = world.arrived(Verb::Bind, &told)?;
    if call.text("predecessor_binding_id") != Some(&old.id) {
        return Err(call.fail(
            format!("predecessor_binding_id {}", old.id),
            "another or none",
        ));
    }
    if call.binding == old.id {
        return Err(call.fail("a new binding id", "the old one"));
    }
    match world.about(Verb::Unbind, &old.id).first() {
        None => Ok(()),
        Some(call) => Err(call.fail(
            "the old binding stays until somebody deletes it",
            "a DELETE",
        )),
    }
}

async fn forbidden(world: &mut World) -> Check {
    let instance = world.instance().await?;
    let old = world.binding(&instance).await?;
    let told = world.rotate(&instance, &old).await?;
    let calls = world.calls(Verb::Bind);
    match calls
        .iter()
        .find(|call| call.field("predecessor_binding_id").is_some())
    {
        None => Ok(()),
        Some(call) => Err(call.fail("no rotation: the plan is not rotatable", told.line())),
    }
}
