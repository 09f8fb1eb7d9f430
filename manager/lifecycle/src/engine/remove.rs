//! A platform deletes an instance or a binding: facts, permit, intent in the place of what is under way, call, outcome.
//!
//! The rule: the row goes when the broker says that the thing is gone, and not before. A creation that the broker still
//! works on, or whose remains are being deleted, is taken over; one that is just being sent is not.

use super::again::{accepted, just_now};
use super::deletion::{Deleter, Deletion, meet};
use super::poll::row;
use super::run::{Begun, run};
use super::start::{OwnIntent, Started, enter, order_of, start};
use super::{Entered, Order};
use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::instance::reference;
use qm_model::instance::Instance;
use qm_model::operation::Verb as Deed;
use qm_model::{Ctx, Error};
use qm_policy::door::Ware;
use qm_policy::share::is_shareable;
use qm_store::deed::NewRow;
use qm_store::facts::Facts;
use quartermaster_osb::Verb;

/// How often the way is found free and taken again before the caller is told to come back.
const ROUNDS: usize = 10;

/// Deletes what is asked about; `verb` is deprovision or unbind.
///
/// # Errors
/// 404 when it is another platform's, 422 while something else is under way; the broker's, when it gave no answer.
pub(crate) async fn remove(
    deeds: &Lifecycle,
    ctx: &Ctx,
    asked: Asked,
    verb: Verb,
) -> Result<Reply, Error> {
    let entered = enter(deeds, ctx, &asked, false).await?;
    let subject = &entered.subject;
    for _ in 0..ROUNDS {
        let facts = subject.facts(deeds).await?;
        qm_policy::door::own(ctx, facts.instance.as_ref().map(|known| &known.resource))?;
        let known = facts.instance.as_ref().map(|known| &known.resource);
        let shared = reference::shared(deeds, &entered.view, known).await?;
        if let (Some(_), Some(known), None) = (&shared, known, subject.binding()) {
            return reference::door::deprovision(deeds, ctx, known).await;
        }
        let (facts, decided) = meet(deeds, subject, facts, Deleter::Platform).await?;
        let binding = facts.binding.as_ref().map(|known| &known.resource);
        if binding.is_some_and(|binding| binding.instance_id != *subject.instance()) {
            return Err(Error::Missing(subject.kind()));
        }
        let over = match decided {
            Deletion::Begin(over) => over,
            Deletion::UnderWay(work) => return Ok(accepted(&work, None)),
        };
        let known = facts.instance.as_ref().map(|known| &known.resource);
        let ware = match &shared {
            Some(shared) => shared.ware(&entered.view),
            None => known.and_then(|known| entered.view.stock.by_plan(&known.plan_id)),
        };
        let mut order = order(&asked, &entered, ctx, &facts, ware);
        order.comes_after(over.as_ref());
        if let Some(shared) = &shared {
            order.service_id = Some(shared.service_id.clone());
            order.plan_id = Some(shared.plan_id.clone());
            order.target = Some(shared.instance.id.to_string());
        }
        let started = Started {
            verb: Deed::Delete,
            order: order.clone(),
            row: NewRow::None,
            over: over.map(|over| (over.id, over.fence)),
            longest: ware.and_then(|ware| ware.plan.maximum_polling_duration),
            own: OwnIntent {
                unreferenced: subject.binding().is_none() && may_be_referred_to(known, ware),
                ..OwnIntent::default()
            },
        };
        // A worker may have taken what is to be taken over just now.
        let Some(held) = start(deeds, ctx, &entered, started).await? else {
            continue;
        };
        let begun = Begun {
            entered: &entered,
            held,
            verb,
            order: &order,
            row: row(subject, &facts),
        };
        let passed = match &shared {
            Some(shared) => shared.named(asked.passed),
            None => asked.passed,
        };
        return run(deeds, ctx, begun, passed).await;
    }
    Err(just_now(subject.kind()))
}

/// Whether others may refer to an instance, or may be about to.
pub(super) fn may_be_referred_to(known: Option<&Instance>, ware: Option<&Ware>) -> bool {
    known.is_some_and(|known| known.shared == Some(true))
        || ware.is_some_and(|ware| is_shareable(&ware.plan))
}

/// What the query names, and otherwise what is known.
fn order(asked: &Asked, entered: &Entered, ctx: &Ctx, facts: &Facts, ware: Option<&Ware>) -> Order {
    let known_service = || ware.map(|ware| ware.offering.catalog_id.clone());
    let known_plan = || ware.map(|ware| ware.plan.catalog_id.clone());
    Order {
        service_id: asked.query.service_id.clone().or_else(known_service),
        plan_id: asked.query.plan_id.clone().or_else(known_plan),
        tracked: match entered.subject.binding() {
            Some(_) => facts.binding.is_some(),
            None => facts.instance.is_some(),
        },
        ..order_of(asked, entered, ctx)
    }
}
