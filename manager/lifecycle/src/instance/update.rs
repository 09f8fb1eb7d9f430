//! A platform changes an instance: its plan, its parameters, its version, or what surrounds it.
//!
//! The rule: the instance keeps its last good values until the broker has confirmed the new ones.

use super::reference;
use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::engine::{self, Begun, Entered, NewValues, Order, OwnIntent, Row, Started, body};
use qm_model::instance::Instance;
use qm_model::operation::Verb as Deed;
use qm_model::{Ctx, Error};
use qm_policy::door::Ware;
use qm_store::deed::NewRow;
use qm_store::facts::{Facts, Work};
use qm_store::operation::Phase;
use quartermaster_osb::{Object, Verb};

/// What tells one update from another.
const IDENTITY: [&str; 5] = [
    "service_id",
    "plan_id",
    "parameters",
    "maintenance_info",
    "context",
];

/// Changes an instance.
///
/// # Errors
/// 404 when it is another platform's or the new plan is not visible, 422 while something else is under way; the
/// broker's, when it gave no answer.
pub async fn update(deeds: &Lifecycle, ctx: &Ctx, asked: Asked) -> Result<Reply, Error> {
    let entered = engine::enter(deeds, ctx, &asked, true).await?;
    let facts = entered.subject.facts(deeds).await?;
    let known = facts.instance.as_ref().map(|known| &known.resource);
    let wanted = asked.body.expose();
    let service_id = body::text(wanted, "service_id").unwrap_or_default();
    let plan_id = body::text(wanted, "plan_id");
    let context = body::object(wanted, "context");
    let stock = &entered.view.stock;
    let new = qm_policy::door::update(ctx, stock, known, service_id, plan_id, context)?;
    qm_policy::door::own(ctx, known)?;
    qm_policy::door::same_tenant(&deeds.settings.policy.tenant_label, known, context)?;
    if let (Some(known), Some(new)) = (known, new) {
        qm_policy::share::may_change_plan(known, &new.plan)?;
    }
    if let Some(known) = known.filter(|known| known.referenced_instance_id.is_some()) {
        return reference::door::update(deeds, ctx, &asked, known).await;
    }
    let order = order(deeds, ctx, &asked, &entered, known, new)?;
    if let Some(reply) = under_way(&facts, &order)? {
        return Ok(reply);
    }
    // During a plan change the old plan counts, also its patience.
    let ware = known
        .and_then(|known| stock.by_plan(&known.plan_id))
        .or(new);
    let started = Started {
        verb: Deed::Update,
        order: order.clone(),
        row: NewRow::None,
        over: None,
        longest: ware.and_then(|ware| ware.plan.maximum_polling_duration),
        own: OwnIntent::default(),
    };
    let Some(held) = engine::start(deeds, ctx, &entered, started).await? else {
        return Err(engine::just_now(entered.subject.kind()));
    };
    let passed = engine::signed(deeds, wanted, &asked.instance, asked.passed)?;
    let begun = Begun {
        entered: &entered,
        held,
        verb: Verb::Update,
        order: &order,
        row: known.map_or(Row::None, |known| Row::Instance(Box::new(known.clone()))),
    };
    engine::run(deeds, ctx, begun, passed).await
}

fn order(
    deeds: &Lifecycle,
    ctx: &Ctx,
    asked: &Asked,
    entered: &Entered,
    known: Option<&Instance>,
    new: Option<&Ware>,
) -> Result<Order, Error> {
    let stock = &entered.view.stock;
    let wanted = asked.body.expose();
    let old = known.and_then(|known| stock.by_plan(&known.plan_id));
    let service = body::text(wanted, "service_id").unwrap_or_default();
    let offering = old
        .or(new)
        .or_else(|| stock.by_service(service))
        .map(|ware| &ware.offering);
    Ok(Order {
        service_id: Some(service.to_owned()),
        plan_id: old.or(new).map(|ware| ware.plan.catalog_id.clone()),
        retrievable: offering.is_some_and(|offering| offering.instances_retrievable),
        tracked: known.is_some(),
        fingerprint: body::fingerprint(&deeds.store, stock.broker.id.as_str(), wanted, &IDENTITY)?,
        update: Some(values(wanted, new)),
        ..engine::order_of(asked, entered, ctx)
    })
}

fn values(wanted: &Object, new: Option<&Ware>) -> NewValues {
    let context = body::context(wanted);
    NewValues {
        plan: new.map(|ware| ware.plan.id.to_string()),
        catalog_plan: new.map(|ware| ware.plan.catalog_id.clone()),
        name: context
            .as_ref()
            .and_then(|context| context.get("instance_name")?.as_str())
            .filter(|name| !name.is_empty())
            .map(str::to_owned),
        context,
        maintenance_info: body::value(wanted, "maintenance_info"),
        labels: None,
        parameters: None,
        platform: None,
        asked: None,
        repeatable: None,
    }
}

/// The same update is answered as the first one was; anything else has to wait.
fn under_way(facts: &Facts, order: &Order) -> Result<Option<Reply>, Error> {
    let Some(work) = facts
        .operation
        .as_ref()
        .filter(|work| work.phase != Phase::Done)
    else {
        return Ok(None);
    };
    let Work {
        operation,
        phase,
        fingerprint,
        ..
    } = work;
    let same = fingerprint.as_deref() == Some(order.fingerprint.as_slice());
    if operation.verb == Deed::Update && *phase == Phase::Polling && same {
        return Ok(Some(engine::accepted(work, None)));
    }
    Err(engine::in_the_way(operation))
}
