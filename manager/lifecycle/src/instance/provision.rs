//! A platform creates an instance: facts, permit, intent, call, outcome.
//!
//! The rule: the id is taken before the broker is called, so of any number of callers one calls it.

use super::reference;
use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::engine::{self, Again, Begun, Entered, Found, Order, OwnIntent, Row, Started, body};
use qm_model::id::{InstanceId, PlatformId};
use qm_model::instance::Instance;
use qm_model::operation::Verb as Deed;
use qm_model::{Caller, Ctx, Error, Labels, Meta, Time};
use qm_policy::door::Ware;
use qm_store::deed::NewRow;
use quartermaster_osb::{Object, Verb};

/// What tells one creation from another for the same id. The context is not among it: names in it may change between
/// two attempts of a platform.
const IDENTITY: [&str; 6] = [
    "service_id",
    "plan_id",
    "organization_guid",
    "space_guid",
    "parameters",
    "maintenance_info",
];

/// How often the way is found free and taken again before the caller is told to come back.
const ROUNDS: usize = 3;

/// Creates an instance.
///
/// # Errors
/// 404 when the platform does not see the plan, 409 and 422 when the id is taken; the broker's, when it gave no
/// answer.
pub async fn provision(deeds: &Lifecycle, ctx: &Ctx, asked: Asked) -> Result<Reply, Error> {
    let entered = engine::enter(deeds, ctx, &asked, true).await?;
    let wanted = asked.body.expose();
    let service_id = body::text(wanted, "service_id").unwrap_or_default();
    let plan_id = body::text(wanted, "plan_id").unwrap_or_default();
    let context = body::object(wanted, "context");
    let ware = qm_policy::door::provision(ctx, &entered.view.stock, service_id, plan_id, context)?;
    let order = order(deeds, ctx, &asked, &entered, ware)?;
    let instance = instance(ctx, &entered, wanted, ware, deeds.now());
    if reference::is_reference(&ware.plan) {
        let fingerprint = order.fingerprint;
        return reference::door::provision(deeds, ctx, &asked, ware, instance, fingerprint).await;
    }
    for _ in 0..ROUNDS {
        let started = Started {
            verb: Deed::Create,
            order: order.clone(),
            row: NewRow::Instance(Box::new(instance.clone())),
            over: None,
            longest: ware.plan.maximum_polling_duration,
            own: OwnIntent::default(),
        };
        let held = match engine::start(deeds, ctx, &entered, started).await? {
            Some(held) => held,
            None => match repeated(deeds, ctx, &asked, &entered, &order).await? {
                Again::Answer(reply) => return Ok(reply),
                Again::Send(held) => held,
                Again::Begin | Again::Replay => continue,
            },
        };
        let passed = engine::signed(deeds, wanted, &asked.instance, asked.passed)?;
        let begun = Begun {
            entered: &entered,
            held,
            verb: Verb::Provision,
            order: &order,
            row: Row::Instance(Box::new(instance)),
        };
        return engine::run(deeds, ctx, begun, passed).await;
    }
    Err(Error::Unprocessable {
        word: "ConcurrencyError",
        message: "others create and delete this instance at the same time; try again".to_owned(),
    })
}

fn order(
    deeds: &Lifecycle,
    ctx: &Ctx,
    asked: &Asked,
    entered: &Entered,
    ware: &Ware,
) -> Result<Order, Error> {
    let broker = entered.view.stock.broker.id.as_str();
    Ok(Order {
        service_id: Some(ware.offering.catalog_id.clone()),
        plan_id: Some(ware.plan.catalog_id.clone()),
        retrievable: ware.offering.instances_retrievable,
        fingerprint: body::fingerprint(&deeds.store, broker, asked.body.expose(), &IDENTITY)?,
        ..engine::order_of(asked, entered, ctx)
    })
}

/// The instance as it will be, not ready.
fn instance(ctx: &Ctx, entered: &Entered, wanted: &Object, ware: &Ware, now: Time) -> Instance {
    let id: InstanceId = entered.subject.instance().clone();
    let context = body::context(wanted);
    let name = context
        .as_ref()
        .and_then(|context| context.get("instance_name")?.as_str())
        .filter(|name| !name.is_empty())
        .unwrap_or(id.as_str())
        .to_owned();
    Instance {
        name,
        plan_id: ware.plan.id.clone(),
        platform_id: match &ctx.caller {
            Caller::Platform(platform) => platform.id.clone(),
            _ => PlatformId::manager(),
        },
        dashboard_url: None,
        maintenance_info: body::value(wanted, "maintenance_info"),
        context,
        referenced_instance_id: None,
        shared: None,
        usable: false,
        meta: Meta {
            ready: false,
            ..Meta::new(now, Labels::new())
        },
        id,
    }
}

/// The id is taken: by the same request, or by something else.
async fn repeated(
    deeds: &Lifecycle,
    ctx: &Ctx,
    asked: &Asked,
    entered: &Entered,
    order: &Order,
) -> Result<Again, Error> {
    let facts = entered.subject.facts(deeds).await?;
    let known = facts.instance.as_ref();
    let same = known.map(|known| {
        Some(&known.resource.platform_id) == engine::platform(ctx)
            && known.fingerprint.as_deref() == Some(order.fingerprint.as_slice())
    });
    let found = Found {
        same,
        ready: known.is_some_and(|known| known.resource.meta.ready),
        answer: known.and_then(|known| known.answer.as_deref()),
        dashboard_url: known.and_then(|known| known.resource.dashboard_url.as_deref()),
        facts: &facts,
    };
    engine::again(
        deeds,
        &entered.subject,
        found,
        asked.query.accepts_incomplete,
    )
    .await
}
