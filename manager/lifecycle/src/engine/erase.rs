//! Deletes an instance or a binding for which the manager is the platform, or which somebody wants gone whoever the
//! platform is. The deeds call [`erase_now`], cascades [`erase`].
//!
//! The rule: a creation or a change that is under way is taken over, the same deletion is joined, and what the broker
//! was never told of is not asked for there. However it is met, a deletion ends.

use super::again::just_now;
use super::deletion::{Deleter, Deletion, Over, meet};
use super::own::{self, Course};
use super::poll::row;
use super::remove::may_be_referred_to;
use super::start::{Entered, OwnIntent, Started, longest_of};
use super::{Order, Own, Subject};
use crate::desk::{self, ROUNDS};
use crate::views::View;
use crate::{How, Lifecycle, Mode};
use qm_model::audit::{Entry, Outcome};
use qm_model::event::{Audience, Change, NewEvent};
use qm_model::id::{EventId, OperationId, PlanId};
use qm_model::operation::{Family, State, Verb as Deed};
use qm_model::{Ctx, Error};
use qm_policy::{Door, Permit};
use qm_store::deed::NewRow;
use qm_store::facts::Facts;
use qm_store::{Tx, audit, operation, outbox};
use std::collections::BTreeSet;
use std::sync::Arc;

const CANCELLED: &str = "cancelled by a delete before the broker was called";

/// What is to be deleted, and how.
#[derive(Debug, Clone)]
pub(crate) struct Erasure {
    pub(crate) subject: Subject,
    /// The plan of the instance that the broker knows.
    pub(crate) plan: PlanId,
    /// The instance's id at the broker, when that is another one's.
    pub(crate) target: Option<String>,
    pub(crate) family: Family,
    /// The record goes even if the broker does not delete it.
    pub(crate) force: bool,
}

/// How a deletion that a cascade wants stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Erasing {
    /// It was begun for the cascade.
    Begun(OperationId),
    /// Somebody else's is under way.
    UnderWay(OperationId),
    /// There is nothing to delete.
    Gone,
}

/// Begins the deletion of something as part of a cascade. It goes on in the background.
///
/// # Errors
/// 422 while something is under way that cannot be taken over; the store's.
pub(crate) async fn erase(
    deeds: &Lifecycle,
    ctx: &Ctx,
    subject: Subject,
    family: Family,
    force: bool,
) -> Result<Erasing, Error> {
    let facts = subject.facts(deeds).await?;
    let there = match subject.binding() {
        Some(_) => facts.binding.is_some(),
        None => facts.instance.is_some(),
    };
    let Some(instance) = facts.instance.filter(|_| there) else {
        return Ok(Erasing::Gone);
    };
    let instance = instance.resource;
    if subject.binding().is_none() && instance.referenced_instance_id.is_some() {
        // No broker knows it: what it stands for stays.
        crate::instance::reference::remove(deeds, ctx, &instance.id).await?;
        return Ok(Erasing::Gone);
    }
    let (plan, target) = crate::instance::reference::at_the_broker(deeds, &instance).await?;
    let wish = Erasure {
        subject,
        plan,
        target,
        family: family.clone(),
        force,
    };
    let permit = qm_policy::door::resume(&Ctx::system("cascade", ctx.correlation_id.clone()))?;
    let how = How {
        mode: Mode::Async,
        identity: None,
    };
    match erase_now(deeds, ctx, permit, wish, how).await {
        Ok(Course::Later(operation)) if operation.family == family => {
            Ok(Erasing::Begun(operation.id))
        }
        Ok(Course::Later(operation)) => Ok(Erasing::UnderWay(operation.id)),
        Ok(Course::Done) | Err(Error::Missing(_)) => Ok(Erasing::Gone),
        Err(error) => Err(error),
    }
}

/// Deletes it, as far as the caller waits.
///
/// # Errors
/// 404 when it is gone, 422 while something else is under way, 502 when the broker said no.
pub(crate) async fn erase_now(
    deeds: &Lifecycle,
    ctx: &Ctx,
    permit: Permit<Door>,
    wish: Erasure,
    how: How,
) -> Result<Course, Error> {
    let subject = &wish.subject;
    for _ in 0..ROUNDS {
        let facts = subject.facts(deeds).await?;
        let deleter = match wish.force {
            true => Deleter::Force(deeds.lease_now().plus(longest_of(deeds, by_force(deeds)))),
            false => Deleter::Manager,
        };
        let (facts, decided) = meet(deeds, subject, facts, deleter).await?;
        let there = match subject.binding() {
            Some(_) => facts.binding.is_some(),
            None => facts.instance.is_some(),
        };
        if !there {
            return Err(Error::Missing(subject.kind()));
        }
        let over = match decided {
            Deletion::Begin(Some(over)) if over.unsent => {
                if unsent(deeds, ctx, subject, &over).await? {
                    return Ok(Course::Done);
                }
                continue;
            }
            Deletion::Begin(over) => over,
            Deletion::UnderWay(work) if how.mode == Mode::Sync => {
                return own::end(deeds, &work.operation.id).await;
            }
            Deletion::UnderWay(work) => return Ok(Course::Later(Box::new(work.operation))),
        };
        let begun = begin(deeds, ctx, permit.clone(), &wish, &facts, over, &how).await?;
        if let Some(course) = begun {
            return Ok(course);
        }
        // Somebody was quicker: look again.
    }
    Err(just_now(subject.kind()))
}

/// What it takes to delete something.
pub(crate) struct Errand {
    pub(crate) view: Arc<View>,
    pub(crate) order: Order,
    /// How long it may take, in seconds.
    pub(crate) longest: Option<i64>,
}

/// Puts together what it takes.
///
/// # Errors
/// The store's.
pub(crate) async fn errand(
    deeds: &Lifecycle,
    ctx: &Ctx,
    wish: &Erasure,
    how: &How,
) -> Result<Errand, Error> {
    if wish.subject.binding().is_none() && wish.target.is_some() {
        // Whoever asked for this would delete what the reference stands for.
        return Err(Error::internal("a reference is not deleted at a broker"));
    }
    let view = desk::view_of(deeds, &wish.plan).await?;
    let ware = view.stock.by_plan(&wish.plan);
    let mut order = desk::order(ctx, how, &view, ware, &wish.subject);
    order.target.clone_from(&wish.target);
    order.own = order.own.map(|own| Own {
        force: wish.force,
        ..own
    });
    let longest = if wish.force {
        by_force(deeds)
    } else {
        ware.and_then(|ware| ware.plan.maximum_polling_duration)
    };
    Ok(Errand {
        order,
        longest,
        view,
    })
}

/// After so many seconds the record goes without the broker's word.
fn by_force(deeds: &Lifecycle) -> Option<i64> {
    i64::try_from(deeds.settings.cascade.force_deadline.as_secs().max(1)).ok()
}

async fn begin(
    deeds: &Lifecycle,
    ctx: &Ctx,
    permit: Permit<Door>,
    wish: &Erasure,
    facts: &Facts,
    over: Option<Over>,
    how: &How,
) -> Result<Option<Course>, Error> {
    let Erasure {
        subject, family, ..
    } = wish;
    let Errand {
        view,
        mut order,
        longest,
    } = errand(deeds, ctx, wish, how).await?;
    order.comes_after(over.as_ref());
    let labels = match subject.binding() {
        Some(_) => facts
            .binding
            .as_ref()
            .map(|known| &known.resource.meta.labels),
        None => facts
            .instance
            .as_ref()
            .map(|known| &known.resource.meta.labels),
    };
    let known = facts.instance.as_ref().map(|known| &known.resource);
    let ware = view.stock.by_plan(&wish.plan);
    let started = Started {
        verb: Deed::Delete,
        order,
        row: NewRow::None,
        over: over.map(|over| (over.id, over.fence)),
        longest,
        own: OwnIntent {
            tenant: labels.and_then(|labels| desk::tenant_of(deeds, labels)),
            family: family.clone(),
            unreferenced: subject.binding().is_none() && may_be_referred_to(known, ware),
            ..OwnIntent::default()
        },
    };
    let row = row(subject, facts);
    let entered = Entered {
        view,
        permit,
        subject: subject.clone(),
    };
    own::go(deeds, ctx, entered, started, row, how.mode).await
}

/// Removes what was to be made and was never asked for. False: it is asked for just now.
async fn unsent(
    deeds: &Lifecycle,
    ctx: &Ctx,
    subject: &Subject,
    over: &Over,
) -> Result<bool, Error> {
    let own = Ctx::system("erase", ctx.correlation_id.clone());
    let permit = qm_policy::change(&own, subject.kind(), &deeds.settings.policy)?;
    let (now, lease_now) = (deeds.now(), deeds.lease_now());
    let (id, fence) = (over.id.clone(), over.fence);
    let last = crate::operation::fresh(
        deeds,
        ctx,
        Deed::Delete,
        subject.kind(),
        subject.id(),
        State::Succeeded,
        now,
    );
    let event = NewEvent {
        id: EventId::stored(deeds.fresh()),
        resource: subject.kind(),
        resource_id: subject.id().to_owned(),
        change: Change::Deleted,
        audience: Audience::Only(BTreeSet::new()),
        payload: "{}".to_owned(),
        correlation_id: ctx.correlation_id.clone(),
        broker: None,
    };
    let entry = Entry::of(
        ctx,
        now,
        "delete",
        Some(subject.kind()),
        subject.id(),
        Outcome::Succeeded,
        "the broker had not been called".to_owned(),
    );
    let subject = subject.clone();
    deeds
        .store
        .change(&permit, async move |tx: &Tx<'_>| {
            if !operation::call_off(tx, &id, fence, CANCELLED, (now, lease_now)).await? {
                return Ok(false);
            }
            match subject.binding() {
                Some(binding) => qm_store::binding::delete(tx, binding).await?,
                None => qm_store::instance::delete(tx, subject.instance()).await?,
            };
            operation::record(tx, &last, None).await?;
            outbox::append(tx, &event, now).await?;
            audit::append(tx, &entry).await?;
            Ok::<_, Error>(true)
        })
        .await
}
