//! Somebody takes back the wish to delete an instance whose deletion failed, or is tried again and again.
//!
//! The rule: nothing is made up. Where the broker can be asked it is asked, and what it says is gone stays gone. A
//! deletion that the broker works on cannot be called back; what a cascade has begun below it and not sent can.

use super::retry::nothing;
use crate::engine::{Subject, own};
use crate::{How, Lifecycle, Mode, Shown, desk};
use qm_model::audit::{Entry, Outcome};
use qm_model::instance::Instance;
use qm_model::operation::{State, Verb};
use qm_model::{Ctx, Error, Kind};
use qm_store::facts::Work;
use qm_store::operation::Phase;
use qm_store::{Tx, audit, operation};
use quartermaster_osb::Outcome as Heard;
use std::time::Duration;

/// How often a deletion that somebody works on is looked at again, and the pause between.
const LOOKS: usize = 50;
const BETWEEN: Duration = Duration::from_millis(100);
const WHY: &str = "called off: the deletion was taken back";

/// Clears the wish to delete an instance.
///
/// # Errors
/// 404; 409 when the broker says that it is gone; 422 when nobody wanted to delete it, or the broker is at it.
pub async fn undelete(deeds: &Lifecycle, ctx: &Ctx, id: &str) -> Result<Shown<Instance>, Error> {
    for _ in 0..LOOKS {
        if take_back(deeds, ctx, id).await? {
            return desk::read(deeds, id).await;
        }
        // Somebody is at the deletion just now.
        tokio::time::sleep(BETWEEN).await;
    }
    Err(nothing(
        "its deletion is being worked on just now; ask again in a moment",
    ))
}

/// False: somebody works on the deletion just now.
async fn take_back(deeds: &Lifecycle, ctx: &Ctx, id: &str) -> Result<bool, Error> {
    let permit = qm_policy::door::desk(ctx, Kind::Instance, &deeds.settings.policy)?;
    let instance = desk::instance(deeds, permit.scope(), id).await?;
    if !instance.meta.ready {
        return Err(nothing(
            "it was never finished, so there is nothing to keep; delete it and create it anew",
        ));
    }
    let subject = Subject::Instance(instance.id.clone());
    let facts = subject.facts(deeds).await?;
    let work = facts
        .operation
        .filter(|work| work.operation.verb == Verb::Delete);
    let work = match work {
        Some(work) if work.phase == Phase::Done && work.operation.state == State::Failed => None,
        Some(work) if work.phase == Phase::Polling => {
            return Err(nothing(&format!(
                "the broker is deleting it (operation {}); wait for the end of that",
                work.operation.id
            )));
        }
        Some(work) if work.phase != Phase::Done => Some(work),
        _ => {
            return Err(nothing(
                "nobody asked to delete it; there is nothing to take back",
            ));
        }
    };
    let sure = is_there(deeds, ctx, &instance, &subject).await?;
    settle(deeds, ctx, instance, work, sure).await
}

/// Asks the broker, where it can be asked. True: it is there. False: nobody can say.
async fn is_there(
    deeds: &Lifecycle,
    ctx: &Ctx,
    instance: &Instance,
    subject: &Subject,
) -> Result<bool, Error> {
    if instance.referenced_instance_id.is_some() {
        // No broker knows it, and the record of it is here.
        return Ok(true);
    }
    let view = desk::view_of(deeds, &instance.plan_id).await?;
    let ware = view.stock.by_plan(&instance.plan_id);
    let how = How {
        mode: Mode::Sync,
        identity: None,
    };
    let order = desk::order(ctx, &how, &view, ware, subject);
    if !order.retrievable {
        return Ok(false);
    }
    match own::fetch(deeds, ctx, &view, &order).await?.outcome {
        // The answer to the deletion may have been lost, and the broker be at it.
        Heard::Success(_) => match own::is_at_work(deeds, ctx, &view, &order).await? {
            Some(true) => Err(nothing(
                "the broker is at work on it, perhaps on the deletion; wait for the end of that",
            )),
            said => Ok(said.is_some()),
        },
        Heard::Refused { status, .. } if matches!(status.as_u16(), 404 | 410) => {
            Err(Error::Conflict {
                word: "Conflict",
                message: format!(
                    "the broker says that the instance is gone ({status}); delete it for good"
                ),
            })
        }
        _ => Ok(false),
    }
}

async fn settle(
    deeds: &Lifecycle,
    ctx: &Ctx,
    instance: Instance,
    work: Option<Work>,
    sure: bool,
) -> Result<bool, Error> {
    let permit = qm_policy::change(ctx, Kind::Instance, &deeds.settings.policy)?;
    let (now, lease_now) = (deeds.now(), deeds.lease_now());
    let mut last = crate::operation::fresh(
        deeds,
        ctx,
        Verb::Update,
        Kind::Instance,
        instance.id.as_str(),
        State::Succeeded,
        now,
    );
    last.description = match sure {
        true => "the deletion was taken back; the broker has the instance".to_owned(),
        false => {
            "the deletion was taken back; the broker could not be asked whether it has the instance"
                .to_owned()
        }
    };
    let detail = last.description.clone();
    let id = instance.id.as_str();
    let kind = Some(Kind::Instance);
    let entry = Entry::of(ctx, now, "undelete", kind, id, Outcome::Succeeded, detail);
    let tenant = desk::tenant_of(deeds, &instance.meta.labels);
    deeds
        .store
        .change(&permit, async move |tx: &Tx<'_>| {
            if let Some(work) = &work {
                let id = &work.operation.id;
                if !operation::call_off(tx, id, work.fence, WHY, (now, lease_now)).await? {
                    return Ok(false);
                }
                operation::call_off_below(tx, id, WHY, now).await?;
            }
            let mut instance = instance.clone();
            instance.usable |= sure;
            instance.meta.updated_at = now;
            qm_store::instance::update(tx, &instance).await?;
            operation::record(tx, &last, tenant.as_deref()).await?;
            audit::append(tx, &entry).await?;
            Ok::<_, Error>(true)
        })
        .await
}
