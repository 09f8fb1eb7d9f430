//! A platform binds to an instance.
//!
//! The rule: as with an instance the id is taken before the broker is called. The credentials go to the platform and
//! are not kept; the same request again is therefore passed to the broker, which has them.

use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::engine::{self, Again, Begun, Entered, Found, Order, OwnIntent, Row, Started, body};
use crate::instance::reference;
use qm_model::binding::Binding;
use qm_model::operation::Verb as Deed;
use qm_model::{Ctx, Error, Labels, Meta, Time};
use qm_policy::door::Ware;
use qm_store::deed::NewRow;
use qm_store::facts::Facts;
use quartermaster_osb::{Object, Verb};

/// What tells one binding from another for the same id.
const IDENTITY: [&str; 6] = [
    "service_id",
    "plan_id",
    "app_guid",
    "bind_resource",
    "parameters",
    "predecessor_binding_id",
];

/// How often the way is found free and taken again before the caller is told to come back.
const ROUNDS: usize = 3;

/// Binds.
///
/// # Errors
/// 404 when the instance is another platform's or the broker has no such plan, 409 and 422 when the id is taken or
/// the instance is being created or deleted; the broker's, when it gave no answer.
pub async fn bind(deeds: &Lifecycle, ctx: &Ctx, asked: Asked) -> Result<Reply, Error> {
    let entered = engine::enter(deeds, ctx, &asked, true).await?;
    let subject = &entered.subject;
    let wanted = asked.body.expose();
    let service_id = body::text(wanted, "service_id").unwrap_or_default();
    let plan_id = body::text(wanted, "plan_id").unwrap_or_default();
    let context = body::object(wanted, "context");
    let ware = qm_policy::door::bind(ctx, &entered.view.stock, service_id, plan_id)?;
    for _ in 0..ROUNDS {
        let facts = subject.facts(deeds).await?;
        let instance = facts.instance.as_ref().map(|known| &known.resource);
        qm_policy::door::own(ctx, instance)?;
        qm_policy::door::same_tenant(&deeds.settings.policy.tenant_label, instance, context)?;
        if let Some(work) = engine::instance_is_busy(&facts) {
            return Err(engine::in_the_way(&work.operation));
        }
        let shared = reference::shared(deeds, &entered.view, instance).await?;
        if let Some(shared) = &shared {
            shared.free(deeds).await?;
        }
        let ware = match &shared {
            Some(shared) => shared.ware(&entered.view).unwrap_or(ware),
            None => ware,
        };
        let mut order = order(deeds, ctx, &asked, &entered, ware, instance.is_some())?;
        order.target = shared.as_ref().map(|shared| shared.instance.id.to_string());
        let row = instance.map(|_| binding(&entered, wanted, deeds.now()));
        let held = match begin(
            deeds,
            ctx,
            &asked,
            &entered,
            &order,
            row.as_ref(),
            &facts,
            ware,
        )
        .await?
        {
            Again::Answer(reply) => return Ok(reply),
            Again::Begin => continue,
            Again::Replay => {
                let passed = match &shared {
                    Some(shared) => shared.forward(deeds, wanted, asked.passed)?,
                    None => asked.passed,
                };
                let answer = engine::send(deeds, ctx, &entered.view, Verb::Bind, passed).await;
                return engine::reply(&entered, answer);
            }
            Again::Send(held) => held,
        };
        let passed = match &shared {
            Some(shared) => shared.forward(deeds, wanted, asked.passed)?,
            None => engine::signed(deeds, wanted, &asked.instance, asked.passed)?,
        };
        let begun = Begun {
            entered: &entered,
            held,
            verb: Verb::Bind,
            order: &order,
            row: row.map_or(Row::None, |row| Row::Binding(Box::new(row))),
        };
        return engine::run(deeds, ctx, begun, passed).await;
    }
    Err(engine::just_now(subject.kind()))
}

/// Begins, if nothing is in the way; otherwise says what to do about that.
#[expect(
    clippy::too_many_arguments,
    reason = "all of it is the one story of a bind"
)]
async fn begin(
    deeds: &Lifecycle,
    ctx: &Ctx,
    asked: &Asked,
    entered: &Entered,
    order: &Order,
    row: Option<&Binding>,
    facts: &Facts,
    ware: &Ware,
) -> Result<Again, Error> {
    let known = facts.binding.as_ref();
    let busy = facts
        .operation
        .as_ref()
        .is_some_and(|work| work.phase != qm_store::operation::Phase::Done);
    if known.is_none() && !busy {
        let started = Started {
            verb: Deed::Create,
            order: order.clone(),
            row: match row {
                Some(row) => NewRow::Binding(Box::new(row.clone())),
                None => NewRow::None,
            },
            over: None,
            longest: ware.plan.maximum_polling_duration,
            own: OwnIntent::default(),
        };
        let begun = engine::start(deeds, ctx, entered, started).await?;
        return Ok(begun.map_or(Again::Begin, Again::Send));
    }
    let same = known.map(|known| {
        known.resource.instance_id == *entered.subject.instance()
            && known.fingerprint.as_deref() == Some(order.fingerprint.as_slice())
    });
    let found = Found {
        same,
        ready: known.is_some_and(|known| known.resource.meta.ready),
        answer: None,
        dashboard_url: None,
        facts,
    };
    engine::again(
        deeds,
        &entered.subject,
        found,
        asked.query.accepts_incomplete,
    )
    .await
}

fn order(
    deeds: &Lifecycle,
    ctx: &Ctx,
    asked: &Asked,
    entered: &Entered,
    ware: &Ware,
    tracked: bool,
) -> Result<Order, Error> {
    let broker = entered.view.stock.broker.id.as_str();
    Ok(Order {
        service_id: Some(ware.offering.catalog_id.clone()),
        plan_id: Some(ware.plan.catalog_id.clone()),
        retrievable: ware.offering.bindings_retrievable,
        tracked,
        fingerprint: body::fingerprint(&deeds.store, broker, asked.body.expose(), &IDENTITY)?,
        ..engine::order_of(asked, entered, ctx)
    })
}

/// The binding as it will be, not ready.
fn binding(entered: &Entered, wanted: &Object, now: Time) -> Binding {
    let context = body::context(wanted);
    let id = entered.subject.id();
    let name = context
        .as_ref()
        .and_then(|context| context.get("binding_name")?.as_str())
        .filter(|name| !name.is_empty())
        .unwrap_or(id)
        .to_owned();
    Binding {
        id: qm_model::id::BindingId::stored(id.to_owned()),
        name,
        instance_id: entered.subject.instance().clone(),
        // What the broker answers is the platform's; some of it is as secret as the credentials.
        syslog_drain_url: None,
        route_service_url: None,
        volume_mounts: None,
        endpoints: None,
        context,
        bind_resource: body::value(wanted, "bind_resource"),
        meta: Meta {
            ready: false,
            ..Meta::new(now, Labels::new())
        },
    }
}
