//! A platform deletes an instance.
//!
//! The rule: the row goes when the broker says that the instance is gone, and not before. A creation that the broker
//! still works on, or whose remains are being deleted, is taken over; one that is just being sent is not.

use super::update::just_now;
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

/// Deletes an instance.
///
/// # Errors
/// 404 when it is another platform's, 422 while something else is under way; the broker's, when it gave no answer.
pub async fn deprovision(deeds: &Lifecycle, ctx: &Ctx, asked: Asked) -> Result<Reply, Error> {
    let entered = engine::enter(deeds, ctx, &asked, false).await?;
    for _ in 0..ROUNDS {
        let facts = facts(&deeds.store, entered.subject.instance(), None, None).await?;
        qm_policy::door::own(ctx, facts.instance.as_ref().map(|known| &known.resource))?;
        let (facts, decided) = engine::meet(deeds, &entered.subject, facts).await?;
        let known = facts.instance.as_ref().map(|known| &known.resource);
        let over = match decided {
            engine::Deletion::Begin(over) => over,
            engine::Deletion::Answer(reply) => return Ok(reply),
        };
        let ware = known.and_then(|known| entered.view.stock.by_plan(&known.plan_id));
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
            verb: Verb::Deprovision,
            order: &order,
            row: known.map_or(Row::None, |known| Row::Instance(Box::new(known.clone()))),
        };
        return engine::run(deeds, ctx, begun, asked.passed).await;
    }
    Err(just_now())
}
