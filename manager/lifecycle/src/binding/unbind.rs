//! A platform deletes a binding. As with an instance, the row goes when the broker says that it is gone.

use super::bind::just_now;
use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::engine::{self, Begun, Order, Row, Started};
use qm_model::operation::Verb as Deed;
use qm_model::{Ctx, Error};
use qm_store::deed::NewRow;
use qm_store::facts::facts;
use quartermaster_osb::Verb;

/// How often the way is found free and taken again before the caller is told to come back.
const ROUNDS: usize = 10;

/// Deletes a binding.
///
/// # Errors
/// 404 when it is another platform's, 422 while something else is under way; the broker's, when it gave no answer.
pub async fn unbind(deeds: &Lifecycle, ctx: &Ctx, asked: Asked) -> Result<Reply, Error> {
    let entered = engine::enter(deeds, ctx, &asked, false).await?;
    let subject = &entered.subject;
    for _ in 0..ROUNDS {
        let facts = facts(&deeds.store, subject.instance(), subject.binding(), None).await?;
        qm_policy::door::own(ctx, facts.instance.as_ref().map(|known| &known.resource))?;
        let (facts, decided) = engine::meet(deeds, subject, facts).await?;
        let instance = facts.instance.as_ref().map(|known| &known.resource);
        let known = facts.binding.as_ref().map(|known| &known.resource);
        if known.is_some_and(|known| known.instance_id != *subject.instance()) {
            return Err(Error::Missing(subject.kind()));
        }
        let over = match decided {
            engine::Deletion::Begin(over) => over,
            engine::Deletion::Answer(reply) => return Ok(reply),
        };
        let ware = instance.and_then(|instance| entered.view.stock.by_plan(&instance.plan_id));
        let order = Order {
            tracked: known.is_some(),
            queued: over.as_ref().is_some_and(|over| over.creates),
            ..engine::order_to_delete(&asked, &entered, ctx, ware)
        };
        let started = Started {
            verb: Deed::Delete,
            order: order.clone(),
            row: NewRow::None,
            over: over.map(|over| (over.id, over.fence)),
            longest: ware.and_then(|ware| ware.plan.maximum_polling_duration),
        };
        // A worker may have taken what is to be taken over just now.
        let Some(held) = engine::start(deeds, ctx, &entered, started).await? else {
            continue;
        };
        let begun = Begun {
            entered: &entered,
            held,
            verb: Verb::Unbind,
            order: &order,
            row: known.map_or(Row::None, |known| Row::Binding(Box::new(known.clone()))),
        };
        return engine::run(deeds, ctx, begun, asked.passed).await;
    }
    Err(just_now())
}
