//! Somebody changes an instance: its plan, parameters or version, its name, its labels.
//!
//! The rule: the broker is called only for what is the broker's, and is sent only what was asked for (P13); a name or
//! labels alone are changed here. The instance keeps its last good values until the broker has confirmed the new ones.

use super::{InstanceChange, PlanChoice, plan, reference};
use crate::desk::{self, ROUNDS};
use crate::engine::{self, Entered, NewValues, OwnIntent, Row, Started, Subject, own};
use crate::schema::{self, For};
use crate::views::View;
use crate::{Done, How, Lifecycle, Shown};
use qm_model::audit::{Entry, Outcome};
use qm_model::instance::Instance;
use qm_model::operation::{Operation, State, Verb as Deed};
use qm_model::{Ctx, Error, Kind, Labels, Secret};
use qm_policy::door::Ware;
use qm_policy::{Door, Permit};
use qm_store::deed::NewRow;
use qm_store::{Tx, audit, operation, resource};
use quartermaster_osb::Object;
use serde_json::{Value, json};
use std::sync::Arc;

/// Changes an instance.
///
/// # Errors
/// 404, 400 for what cannot be, 403 when it was never made, 409 for a name that is taken, 422 while something else is
/// under way, 502 when the broker said no or broke.
pub async fn change(
    deeds: &Lifecycle,
    ctx: &Ctx,
    id: &str,
    change: InstanceChange,
    how: How,
) -> Result<Done<Instance>, Error> {
    let permit = qm_policy::door::desk(ctx, Kind::Instance, &deeds.settings.policy)?;
    if let Some(name) = &change.name {
        desk::check_name(Kind::Instance, name)?;
    }
    let keys = change.labels.iter().map(|change| change.key.as_str());
    crate::catalog::check_protected(deeds, keys)?;
    let Shown {
        resource: instance,
        last_operation,
    } = known(deeds, &permit, id).await?;
    if !instance.platform_id.is_manager() && !change.is_labels_only() {
        return Err(Error::Missing(Kind::Instance));
    }
    super::may_change(Kind::Instance, instance.meta.ready, last_operation.as_ref())?;
    if instance.referenced_instance_id.is_some() {
        reference::may_change(&instance, &change)?;
        return at_home(deeds, ctx, &permit, id, change).await;
    }
    let wish = wish(deeds, &permit, &instance, change).await?;
    match wish {
        Wish::Home(change) => at_home(deeds, ctx, &permit, id, change).await,
        Wish::Broker(wish) => send(deeds, ctx, permit, &instance, *wish, how).await,
    }
}

async fn known(
    deeds: &Lifecycle,
    permit: &Permit<Door>,
    id: &str,
) -> Result<Shown<Instance>, Error> {
    // Whether the caller may touch it at all.
    let instance = desk::instance(deeds, permit.scope(), id).await?;
    desk::read(deeds, instance.id.as_str()).await
}

impl InstanceChange {
    fn is_labels_only(&self) -> bool {
        let Self {
            name,
            plan,
            parameters,
            maintenance_info,
            labels: _,
        } = self;
        name.is_none() && plan.is_none() && parameters.is_none() && maintenance_info.is_none()
    }
}

/// Who has to do something.
enum Wish {
    /// Only the manager.
    Home(InstanceChange),
    /// The broker too.
    Broker(Box<Update>),
}

/// An update as it is sent.
pub(crate) struct Update {
    pub(crate) view: Arc<View>,
    /// The plan that it gets, if that is another one.
    pub(crate) plan: Option<qm_model::id::PlanId>,
    pub(crate) name: Option<String>,
    pub(crate) labels: Option<Labels>,
    pub(crate) parameters: Option<Secret<Object>>,
    pub(crate) maintenance_info: Option<Value>,
    /// The platform it belongs to from then on.
    pub(crate) platform: Option<String>,
}

async fn wish(
    deeds: &Lifecycle,
    permit: &Permit<Door>,
    instance: &Instance,
    change: InstanceChange,
) -> Result<Wish, Error> {
    let view = desk::view_of(deeds, &instance.plan_id).await?;
    let old = ware(&view, instance)?;
    let plan = match &change.plan {
        Some(wanted) if *wanted != instance.plan_id.as_str() => {
            let choice = PlanChoice::Id(wanted.clone());
            let (_, plan) = plan::find(deeds, permit.scope(), &choice).await?;
            Some(plan)
        }
        _ => None,
    };
    let new = match &plan {
        Some(plan) => {
            let new = view.stock.by_plan(plan).ok_or_else(|| {
                Error::invalid(
                    "the plan is one of another broker; an instance cannot change its broker",
                )
            })?;
            qm_policy::door::plan_change(old, new)?;
            let tenant = desk::tenant_of(deeds, &instance.meta.labels);
            let key = &deeds.settings.policy.tenant_label;
            qm_policy::door::offered(new, key, tenant.as_deref())?;
            new
        }
        None => old,
    };
    if let Some(given) = &change.parameters {
        schema::check(&new.plan, For::Update, Some(given.expose()))?;
    }
    let name = change.name.clone().filter(|name| *name != instance.name);
    // Of a new name the broker hears only if it wants to.
    let renamed = name.is_some() && old.offering.allow_context_updates;
    if plan.is_none()
        && change.parameters.is_none()
        && change.maintenance_info.is_none()
        && !renamed
    {
        return Ok(Wish::Home(change));
    }
    let InstanceChange {
        name: _,
        plan: _,
        parameters,
        maintenance_info,
        labels,
    } = change;
    let labels = match labels.is_empty() {
        true => None,
        false => {
            let (before, after) = (&instance.meta.labels, instance.meta.labels.apply(&labels)?);
            crate::catalog::check_ownership(permit.scope(), before, &after)?;
            Some(after)
        }
    };
    Ok(Wish::Broker(Box::new(Update {
        plan,
        name,
        labels,
        parameters,
        maintenance_info,
        platform: None,
        view,
    })))
}

fn ware<'a>(view: &'a View, instance: &Instance) -> Result<&'a Ware, Error> {
    view.stock
        .by_plan(&instance.plan_id)
        .ok_or(Error::Missing(Kind::Plan))
}

/// Has the broker change an instance.
///
/// # Errors
/// 409 for a name that is taken, 422 while something else is under way, 502 when the broker said no or broke.
pub(crate) async fn send(
    deeds: &Lifecycle,
    ctx: &Ctx,
    permit: Permit<Door>,
    instance: &Instance,
    update: Update,
    how: How,
) -> Result<Done<Instance>, Error> {
    let subject = Subject::Instance(instance.id.clone());
    let Update {
        view,
        plan,
        name,
        labels,
        parameters,
        maintenance_info,
        platform,
    } = update;
    let old = ware(&view, instance)?;
    let new = plan.as_ref().and_then(|plan| view.stock.by_plan(plan));
    let context = context(instance, name.as_deref(), old);
    let tenant = desk::tenant_of(deeds, labels.as_ref().unwrap_or(&instance.meta.labels));
    let own_name = instance.platform_id.is_manager();
    let old_tenant = desk::tenant_of(deeds, &instance.meta.labels);
    let old_key = desk::instance_key(old_tenant.as_deref(), &instance.name);
    // Its name is taken anew also where it comes to the manager, or to another tenant.
    let moves = platform.is_some() || own_name && tenant != old_tenant;
    let takes_name = name
        .as_deref()
        .or_else(|| moves.then_some(instance.name.as_str()));
    let name_key = takes_name.map(|name| desk::instance_key(tenant.as_deref(), name));
    let mut order = desk::order(ctx, &how, &view, Some(old), &subject);
    let given = parameters.map(Secret::into_exposed);
    let kept = merged(deeds, instance, given.as_ref()).await?;
    let body = body(
        instance,
        old,
        new,
        &context,
        given.as_ref(),
        maintenance_info.as_ref(),
    );
    order.update = Some(NewValues {
        plan: plan.as_ref().map(ToString::to_string),
        catalog_plan: new.map(|ware| ware.plan.catalog_id.clone()),
        name,
        context: Some(Value::Object(context)),
        maintenance_info,
        labels,
        parameters: kept,
        platform,
        asked: given.map(Value::Object),
        repeatable: None,
    });
    if let Some(own) = &mut order.own {
        own.body = Some(body);
        own.name_key = own_name.then_some(old_key);
    }
    for _ in 0..ROUNDS {
        let facts = subject.facts(deeds).await?;
        let under_way = facts.operation.as_ref();
        if let Some(work) = under_way.filter(|work| work.phase != qm_store::operation::Phase::Done)
        {
            return Err(busy(&work.operation));
        }
        if let (Some(new), Some(known)) = (new, &facts.instance) {
            // It may have been shared since this was first asked for.
            qm_policy::share::may_change_plan(&known.resource, &new.plan)?;
        }
        let started = Started {
            verb: Deed::Update,
            order: order.clone(),
            row: NewRow::None,
            over: None,
            // During a plan change the old plan counts, also its patience.
            longest: old.plan.maximum_polling_duration,
            own: OwnIntent {
                tenant: tenant.clone(),
                name_key: name_key.clone(),
                ..OwnIntent::default()
            },
        };
        let entered = Entered {
            view: Arc::clone(&view),
            permit: permit.clone(),
            subject: subject.clone(),
        };
        let row = Row::Instance(Box::new(instance.clone()));
        if let Some(course) = own::go(deeds, ctx, entered, started, row, how.mode).await? {
            return desk::shown(deeds, course, instance.id.as_str()).await;
        }
    }
    Err(engine::just_now(Kind::Instance))
}

/// 422 in the words of REST.
pub(super) fn busy(other: &Operation) -> Error {
    Error::Unprocessable {
        word: "ConcurrentOperationInProgress",
        message: format!(
            "another operation ({}, {}) on this {} is in progress since {}; wait for it to end",
            other.verb.word(),
            other.id,
            other.resource_kind,
            other.created_at
        ),
    }
}

/// What was last confirmed, with a new name if the broker wants to hear of it.
fn context(instance: &Instance, name: Option<&str>, ware: &Ware) -> Object {
    let mut context = match &instance.context {
        Some(Value::Object(context)) => context.clone(),
        _ => Object::new(),
    };
    if let Some(name) = name.filter(|_| ware.offering.allow_context_updates) {
        context.insert("instance_name".to_owned(), json!(name));
    }
    context
}

fn body(
    instance: &Instance,
    old: &Ware,
    new: Option<&Ware>,
    context: &Object,
    parameters: Option<&Object>,
    maintenance_info: Option<&Value>,
) -> Value {
    let mut previous =
        json!({"plan_id": old.plan.catalog_id, "service_id": old.offering.catalog_id});
    if let Some(info) = &instance.maintenance_info {
        previous["maintenance_info"] = info.clone();
    }
    let mut body = json!({
        "service_id": old.offering.catalog_id,
        "context": context,
        "previous_values": previous,
    });
    if let Some(new) = new {
        body["plan_id"] = json!(new.plan.catalog_id);
    }
    if let Some(parameters) = parameters {
        body["parameters"] = Value::Object(parameters.clone());
    }
    if let Some(info) = maintenance_info {
        body["maintenance_info"] = info.clone();
    }
    body
}

/// All parameters that are in force afterwards, as far as is known: those asked for stand above those before.
async fn merged(
    deeds: &Lifecycle,
    instance: &Instance,
    given: Option<&Object>,
) -> Result<Option<Value>, Error> {
    let Some(given) = given else {
        return Ok(None);
    };
    let mut all = last_good(deeds, instance).await?.unwrap_or_default();
    all.extend(given.clone());
    Ok(Some(Value::Object(all)))
}

/// The parameters that the broker confirmed last, as far as they are known.
pub(crate) async fn last_good(
    deeds: &Lifecycle,
    instance: &Instance,
) -> Result<Option<Object>, Error> {
    let id = instance.id.clone();
    let kept = deeds
        .store
        .look_up(async move |tx| Ok::<_, Error>(qm_store::instance::parameters(tx, &id).await?))
        .await?;
    match kept {
        Some(kept) => serde_json::from_slice(kept.expose()).map_err(Error::internal),
        None => Ok(None),
    }
}

/// Changes what is the manager's own: name and labels.
async fn at_home(
    deeds: &Lifecycle,
    ctx: &Ctx,
    permit: &Permit<Door>,
    id: &str,
    change: InstanceChange,
) -> Result<Done<Instance>, Error> {
    let may = qm_policy::change(ctx, Kind::Instance, &deeds.settings.policy)?;
    let (deeds2, ctx, id, scope) = (
        deeds.clone(),
        ctx.clone(),
        id.to_owned(),
        permit.scope().clone(),
    );
    let shown = deeds
        .store
        .change(&may, async move |tx: &Tx<'_>| {
            let now = deeds2.now();
            let mut instance = resource::get::<Instance>(tx, &scope, &id)
                .await?
                .ok_or(Error::Missing(Kind::Instance))?;
            if let Some(other) = operation::under_way(tx, Kind::Instance, &id).await? {
                return Err(busy(&other));
            }
            let before = desk::tenant_of(&deeds2, &instance.meta.labels);
            let labels = instance.meta.labels.apply(&change.labels)?;
            crate::catalog::check_ownership(&scope, &instance.meta.labels, &labels)?;
            instance.meta.labels = labels;
            let tenant = desk::tenant_of(&deeds2, &instance.meta.labels);
            let name = change.name.clone().filter(|name| *name != instance.name);
            // A name is taken among a tenant's: whoever goes to another tenant takes it there.
            let moves = instance.platform_id.is_manager() && tenant != before;
            if let Some(name) = name.or_else(|| moves.then(|| instance.name.clone())) {
                let key = desk::instance_key(tenant.as_deref(), &name);
                if !qm_store::instance::rename_key(tx, &instance.id, &key).await? {
                    return Err(engine::name_taken(Kind::Instance));
                }
                instance.name = name;
            }
            instance.meta.updated_at = now;
            qm_store::instance::update(tx, &instance).await?;
            let last = crate::operation::fresh(
                &deeds2,
                &ctx,
                Deed::Update,
                Kind::Instance,
                &id,
                State::Succeeded,
                now,
            );
            operation::record(tx, &last, tenant.as_deref()).await?;
            let detail = format!("instance {:?}", instance.name);
            let kind = Some(Kind::Instance);
            let entry = Entry::of(&ctx, now, "update", kind, &id, Outcome::Succeeded, detail);
            audit::append(tx, &entry).await?;
            Ok(Shown {
                resource: instance,
                last_operation: Some(last),
            })
        })
        .await?;
    Ok(Done::Now(shown))
}

/// What came of it, for those who only want the operation.
pub(crate) async fn operation_of(
    deeds: &Lifecycle,
    done: Done<Instance>,
) -> Result<Operation, Error> {
    match done {
        Done::Later(operation) => Ok(operation),
        Done::Now(shown) => match shown.last_operation {
            Some(operation) => Ok(operation),
            None => {
                let id = shown.resource.id;
                let shown = desk::read::<Instance>(deeds, id.as_str()).await?;
                shown.last_operation.ok_or(Error::Missing(Kind::Operation))
            }
        },
    }
}
