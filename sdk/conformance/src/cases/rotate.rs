//! Rotation of bindings (2.17): a new binding in place of another, by the other's id alone.

use super::bind_shape::judge_times;
use super::sections::ROTATE;
use crate::case::{Case, must, own, shared};
use crate::client::Reply;
use crate::verdict::{Check, Problems, Stop};
use crate::world::{Binding, World};
use serde_json::json;

pub(super) const CASES: &[Case] = &[
    must("rotate.minimal-body", &["B55"], ROTATE)
        .says(
            "A body with nothing but predecessor_binding_id makes a new binding",
            "Take service, plan and parameters from the predecessor.",
            own!(minimal_body),
        )
        .since(17),
    must("rotate.with-ids", &["B55"], ROTATE)
        .says(
            "service_id and plan_id may be sent, too",
            "Accept them when they are the instance's.",
            own!(with_ids),
        )
        .since(17),
    must("rotate.credentials", &["B55", "B52"], ROTATE)
        .says(
            "The new binding hands out credentials",
            "A rotation answers like a bind.",
            own!(credentials),
        )
        .since(17),
    must("rotate.both-valid", &["B55"], ROTATE)
        .says(
            "The predecessor is still there after the rotation",
            "Leave the old binding alone until it expires or is deleted.",
            own!(both_valid),
        )
        .since(17),
    must("rotate.delete-old", &["B55"], ROTATE)
        .says(
            "The new binding survives the unbind of its predecessor",
            "Do not tie the two together beyond the copy of parameters.",
            own!(delete_old),
        )
        .since(17),
    must("rotate.repeat-identical", &["B55", "B50"], ROTATE)
        .says(
            "The same rotation again is answered with 200",
            "Compare predecessor_binding_id with the stored one; answer 200.",
            own!(repeat_identical),
        )
        .since(17),
    must("rotate.conflict", &["B55", "B50"], ROTATE)
        .says(
            "A rotation to an id that is taken by another binding is answered with 409",
            "Answer 409 when the id exists and was made otherwise.",
            own!(conflict),
        )
        .since(17),
    must("rotate.inherits-parameters", &["B55"], ROTATE)
        .says(
            "The new binding has the parameters of its predecessor",
            "Copy the parameters of the predecessor.",
            own!(inherits),
        )
        .since(17),
    must("rotate.times", &["B55", "B56"], ROTATE)
        .says(
            "expires_at and renew_before of the new binding are right",
            "Write times as 2026-01-31T12:00:00.0Z; renew_before is not after expires_at.",
            own!(times),
        )
        .since(17),
    must("rotate.unknown-predecessor", &["B55", "B7"], ROTATE)
        .says(
            "An unknown predecessor is refused with a 4xx, and nothing is made",
            "Look the predecessor up and answer 400 or 404.",
            shared!(unknown_predecessor),
        )
        .since(17),
    must(
        "rotate.predecessor-of-other-instance",
        &["B55", "B7"],
        ROTATE,
    )
    .says(
        "A predecessor of another instance is refused with a 4xx",
        "Look the predecessor up among the bindings of the same instance.",
        own!(strange_predecessor),
    )
    .since(17),
    must("rotate.deleted-predecessor", &["B55", "B7"], ROTATE)
        .says(
            "A predecessor that was deleted is refused with a 4xx",
            "A deleted binding cannot be rotated.",
            own!(deleted_predecessor),
        )
        .since(17),
    must("rotate.itself", &["B55", "B7"], ROTATE)
        .says(
            "A binding that names itself as predecessor is refused with a 4xx",
            "The new binding needs an id of its own.",
            shared!(itself),
        )
        .since(17),
    must("rotate.malformed", &["B55", "B7"], ROTATE)
        .says(
            "A predecessor_binding_id that is empty or not text is answered with a 4xx",
            "Answer 400.",
            shared!(malformed),
        )
        .since(17),
    must("rotate.not-rotatable", &["B55"], ROTATE)
        .says(
            "A plan that is not binding_rotatable refuses rotation with a 4xx",
            "Answer 400 or 422 unless the plan says binding_rotatable.",
            shared!(not_rotatable),
        )
        .since(17),
];

fn need_rotatable(world: &World) -> Check {
    world.need_bindable()?;
    let rotatable = world.plan()?.rotatable;
    world.need(rotatable, "the plan is not binding_rotatable")
}

async fn predecessor(world: &mut World) -> Result<Binding, Stop> {
    need_rotatable(world)?;
    let instance = world.fresh().await?;
    world.bound(&instance).await
}

/// A binding and its successor. Skips when rotation does not work at all.
async fn rotated(world: &mut World) -> Result<(Binding, Binding), Stop> {
    let old = predecessor(world).await?;
    let new = Binding::rotation(&old);
    let new = world
        .bring_up_binding(new)
        .await
        .map_err(|stop| match stop {
            Stop::Skipped(_) => {
                Stop::skip("the binding could not be rotated; see rotate.minimal-body")
            }
            failed @ Stop::Failed(_) => failed,
        })?;
    Ok((old, new))
}

async fn minimal_body(world: &mut World) -> Check {
    let old = predecessor(world).await?;
    let mut new = Binding::rotation(&old);
    let settled = world.bind(&mut new).await?;
    if let Some(first) = &new.first {
        first.status_in(
            &[201, 202],
            "the plan is binding_rotatable and the predecessor is there",
        )?;
    }
    settled.succeeded("the rotation").map(|_| ())
}

async fn with_ids(world: &mut World) -> Check {
    let old = predecessor(world).await?;
    let mut new = Binding::rotation(&old);
    new.body["service_id"] = json!(old.instance.service_id);
    new.body["plan_id"] = json!(old.instance.plan_id);
    new.body["x_vendor"] = json!("ignored");
    let settled = world.bind(&mut new).await?;
    settled
        .succeeded("a rotation with service_id and plan_id")
        .map(|_| ())
}

async fn credentials(world: &mut World) -> Check {
    let (_, new) = rotated(world).await?;
    let reply = world.handed_out(&new).await?;
    reply.status_in(&[200, 201], "the new binding is there")?;
    let some = [
        "credentials",
        "syslog_drain_url",
        "route_service_url",
        "volume_mounts",
    ];
    reply.ensure(
        some.iter().any(|key| reply.field(key).is_some()),
        "credentials of the new binding",
    )
}

/// Whether a binding is there: by fetch where that is offered, else by repeating its PUT.
async fn there(world: &mut World, binding: &Binding) -> Result<Reply, Stop> {
    if world.plan()?.bindings_retrievable {
        return world.send(binding.get()).await;
    }
    world.send_patiently(binding.put()).await
}

async fn both_valid(world: &mut World) -> Check {
    let (old, new) = rotated(world).await?;
    let mut problems = Problems::default();
    for (binding, which) in [(&old, "the predecessor"), (&new, "the new binding")] {
        let reply = there(world, binding).await?;
        problems.take(reply.status_in(&[200], &format!("{which} is valid")))?;
    }
    problems.done()
}

async fn delete_old(world: &mut World) -> Check {
    let (old, new) = rotated(world).await?;
    world.drop_binding(&old).await?;
    let reply = there(world, &new).await?;
    reply.status_in(&[200], "only the predecessor was deleted")
}

async fn repeat_identical(world: &mut World) -> Check {
    let (_, new) = rotated(world).await?;
    let reply = world.send_patiently(new.put()).await?;
    reply.status_in(&[200], "the rotation is done and the request is the same")
}

async fn conflict(world: &mut World) -> Check {
    let (old, _) = rotated(world).await?;
    let other = world.bound(&old.instance.clone()).await?;
    let body = json!({ "predecessor_binding_id": old.id });
    let reply = world.send_patiently(other.put_body(&body)).await?;
    reply.status_in(
        &[409],
        "the id is taken by a binding that was not made by this rotation",
    )
}

async fn inherits(world: &mut World) -> Check {
    let (old, new) = rotated(world).await?;
    let retrievable = world.plan()?.bindings_retrievable;
    world.need(
        retrievable,
        "the offering is not bindings_retrievable, so parameters cannot be seen",
    )?;
    let before = world.send(old.get()).await?;
    let after = world.send(new.get()).await?;
    world.need(
        before.field("parameters").is_some(),
        "fetch shows no parameters",
    )?;
    let same = before.field("parameters") == after.field("parameters");
    after.ensure(same, "the parameters of the predecessor")
}

async fn times(world: &mut World) -> Check {
    let (_, new) = rotated(world).await?;
    let reply = world.handed_out(&new).await?;
    judge_times(&reply)
}

async fn refused(world: &mut World, binding: &Binding, why: &str) -> Check {
    let reply = world.send_patiently(binding.put()).await?;
    reply.refused(why)?;
    world.note(format!("refused with {}", reply.status));
    if world.plan()?.bindings_retrievable {
        let reply = world.send(binding.get()).await?;
        reply.status_in(&[404], "a refused rotation makes nothing")?;
    }
    Ok(())
}

async fn unknown_predecessor(world: &mut World) -> Check {
    need_rotatable(world)?;
    let instance = world.standing().await?;
    let never = Binding::new(&instance, &world.plan()?);
    let new = Binding::rotation(&never);
    refused(world, &new, "there is no such predecessor").await
}

async fn strange_predecessor(world: &mut World) -> Check {
    let old = predecessor(world).await?;
    let other = world.fresh().await?;
    let mut new = Binding::rotation(&old);
    new.instance = other;
    refused(world, &new, "the predecessor belongs to another instance").await
}

async fn deleted_predecessor(world: &mut World) -> Check {
    let old = predecessor(world).await?;
    world.drop_binding(&old).await?;
    refused(
        world,
        &Binding::rotation(&old),
        "the predecessor is deleted",
    )
    .await
}

async fn itself(world: &mut World) -> Check {
    need_rotatable(world)?;
    let instance = world.standing().await?;
    let mut new = Binding::new(&instance, &world.plan()?);
    new.body = json!({ "predecessor_binding_id": new.id });
    refused(world, &new, "a binding cannot be its own predecessor").await
}

async fn malformed(world: &mut World) -> Check {
    need_rotatable(world)?;
    let instance = world.standing().await?;
    let plan = world.plan()?;
    let mut problems = Problems::default();
    for id in [json!(""), json!(7), json!([]), json!({})] {
        let mut new = Binding::new(&instance, &plan);
        new.body = json!({ "predecessor_binding_id": id });
        let reply = world.send_patiently(new.put()).await?;
        problems.take(reply.refused(&format!("predecessor_binding_id is {id}")))?;
    }
    problems.done()
}

async fn not_rotatable(world: &mut World) -> Check {
    world.need_bindable()?;
    let rotatable = world.plan()?.rotatable;
    world.need(!rotatable, "the plan is binding_rotatable")?;
    let old = world.standing_binding().await?;
    let new = Binding::rotation(&old);
    let reply = world.send_patiently(new.put()).await?;
    reply.refused("the catalog does not say binding_rotatable")
}
