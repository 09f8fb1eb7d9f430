//! Somebody binds an instance: instance, schema, name, intent, call, outcome.
//!
//! The rule: the name is taken together with the intent. What lets an application in is sealed when the outcome is
//! stored, and leaves only to those who may see it.

use super::NewBinding;
use crate::engine::{self, Entered, OwnIntent, Row, Started, Subject, own};
use crate::instance::reference;
use crate::schema::{self, For};
use crate::{Done, How, Lifecycle, desk};
use qm_model::binding::Binding;
use qm_model::id::BindingId;
use qm_model::instance::Instance;
use qm_model::operation::{Operation, State, Verb as Deed};
use qm_model::{Ctx, Error, Kind, Meta, Secret};
use qm_policy::door::Ware;
use qm_store::deed::NewRow;
use qm_store::facts::Facts;
use quartermaster_osb::Object;
use serde_json::{Value, json};

/// Makes a binding.
///
/// # Errors
/// 404 when there is no such instance for the caller, 400 when it cannot be bound or the parameters cannot be, 409 for
/// a name that is taken, 422 while the instance cannot be used, 502 when the broker said no or broke.
pub async fn create(
    deeds: &Lifecycle,
    ctx: &Ctx,
    new: NewBinding,
    how: How,
) -> Result<Done<Binding>, Error> {
    let permit = qm_policy::door::desk(ctx, Kind::Binding, &deeds.settings.policy)?;
    desk::check_name(Kind::Binding, &new.name)?;
    crate::catalog::check_protected(deeds, new.labels.keys())?;
    let instance = desk::instance(deeds, permit.scope(), &new.instance_id).await?;
    if !instance.platform_id.is_manager() {
        return Err(Error::Missing(Kind::Instance));
    }
    let mut labels = new.labels.clone();
    desk::tenant(deeds, ctx, &mut labels)?;
    let subject = Subject::Binding(instance.id.clone(), BindingId::stored(deeds.fresh()));
    let facts = subject.facts(deeds).await?;
    ready(deeds, &instance, &facts).await?;
    let (plan, target) = reference::at_the_broker(deeds, &instance).await?;
    let view = desk::view_of(deeds, &plan).await?;
    let ware = view
        .stock
        .by_plan(&plan)
        .ok_or(Error::Missing(Kind::Plan))?;
    qm_policy::door::bindable(ware)?;
    let given = new.parameters.as_ref();
    schema::check(&ware.plan, For::Bind, given.map(Secret::expose))?;
    let context = reference::context(deeds, &instance).await?;
    let context = match context {
        Some(Value::Object(context)) => context,
        _ => {
            let tenant = desk::tenant_of(deeds, &instance.meta.labels);
            desk::context(deeds, tenant.as_deref(), &instance.name, &labels)
        }
    };
    let mut order = desk::order(ctx, &how, &view, Some(ware), &subject);
    order.target = target;
    if let Some(own) = &mut order.own {
        own.body = Some(body(&new, ware, &context));
    }
    let binding = Binding {
        id: BindingId::stored(subject.id().to_owned()),
        name: new.name.clone(),
        instance_id: instance.id.clone(),
        syslog_drain_url: None,
        route_service_url: None,
        volume_mounts: None,
        endpoints: None,
        context: Some(Value::Object(shown(context, &labels))),
        bind_resource: new.bind_resource.clone(),
        meta: Meta {
            ready: false,
            ..Meta::new(deeds.now(), labels)
        },
    };
    let started = Started {
        verb: Deed::Create,
        order,
        row: NewRow::Binding(Box::new(binding.clone())),
        over: None,
        longest: ware.plan.maximum_polling_duration,
        own: OwnIntent {
            tenant: desk::tenant_of(deeds, &binding.meta.labels),
            name_key: Some(desk::binding_key(&instance.id, &new.name)),
            parameters: desk::parameters(given),
            ..OwnIntent::default()
        },
    };
    let id = binding.id.clone();
    let entered = Entered {
        view: view.clone(),
        permit,
        subject,
    };
    let row = Row::Binding(Box::new(binding));
    match own::go(deeds, ctx, entered, started, row, how.mode).await? {
        Some(course) => desk::shown(deeds, course, id.as_str()).await,
        // The id is random, so it is the instance that went.
        None => Err(Error::Missing(Kind::Instance)),
    }
}

/// Whether the instance can be bound now. One whose deletion failed can, while it is usable.
async fn ready(deeds: &Lifecycle, instance: &Instance, facts: &Facts) -> Result<(), Error> {
    if let Some(work) = engine::instance_is_busy(facts) {
        return Err(not_now(
            &format!(
                "the instance is {}",
                match work.operation.verb {
                    Deed::Create => "being created",
                    Deed::Update => "being changed",
                    Deed::Delete => "being deleted",
                }
            ),
            Some(&work.operation),
        ));
    }
    if instance.meta.ready && instance.usable {
        return Ok(());
    }
    let last = desk::read::<Instance>(deeds, instance.id.as_str()).await?;
    let last = last.last_operation;
    let what = match (&last, instance.meta.ready) {
        (Some(last), false) if last.state == State::Failed => {
            "the creation of the instance failed; delete it"
        }
        (_, false) => "the instance is not ready",
        (_, true) => {
            "the broker says that the instance cannot be used since its last operation failed; retry that, roll it back, or delete the instance"
        }
    };
    Err(not_now(what, last.as_ref()))
}

fn not_now(what: &str, operation: Option<&Operation>) -> Error {
    let operation = operation.map_or_else(String::new, |operation| {
        format!(" (operation {})", operation.id)
    });
    Error::Unprocessable {
        word: "OperationInProgress",
        message: format!("{what}{operation}"),
    }
}

fn body(new: &NewBinding, ware: &Ware, context: &Object) -> Value {
    let mut body = json!({
        "service_id": ware.offering.catalog_id,
        "plan_id": ware.plan.catalog_id,
        "context": context,
    });
    if let Some(given) = &new.parameters {
        body["parameters"] = Value::Object(given.expose().clone());
    }
    if let Some(resource) = &new.bind_resource {
        body["bind_resource"] = resource.clone();
    }
    body
}

/// The context as it is kept: with what operators on Kubernetes look their bindings up by.
fn shown(mut context: Object, labels: &qm_model::Labels) -> Object {
    for (label, key) in [("_clusterid", "clusterid"), ("_namespace", "namespace")] {
        if let Some(value) = labels.get(label).and_then(|values| values.iter().next()) {
            context.insert(key.to_owned(), json!(value));
        }
    }
    context
}
