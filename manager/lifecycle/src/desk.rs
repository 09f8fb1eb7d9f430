//! What deeds at the manager's own desk have in common: people and programs ask for instances and bindings there, and
//! the manager is the platform.
//!
//! The rule: what is asked for is checked whole before anything is stored, and a broker is sent only what was asked for
//! and what the protocol demands.

use crate::engine::own::Course;
use crate::engine::{Order, Own, Subject};
use crate::views::View;
use crate::{Done, How, Lifecycle, Mode, Resource, Shown};
use qm_model::binding::Binding;
use qm_model::id::{InstanceId, PlanId};
use qm_model::instance::Instance;
use qm_model::platform::SERVICE_MANAGER;
use qm_model::{Caller, Ctx, Error, Kind, Labels, Secret};
use qm_policy::Scope;
use qm_policy::door::Ware;
use qm_store::resource;
use quartermaster_osb::{Object, OriginatingIdentity};
use serde_json::{Value, json};
use std::sync::Arc;

/// The longest name, in bytes.
const LONGEST_NAME: usize = 255;
/// How often the way is found free and taken again before the caller is told to come back.
pub(crate) const ROUNDS: usize = 10;

/// A name that people can read and write.
pub(crate) fn check_name(kind: Kind, name: &str) -> Result<(), Error> {
    if name.is_empty() {
        return Err(Error::invalid(format!(
            "name is empty: every {kind} needs one"
        )));
    }
    if name.len() > LONGEST_NAME {
        return Err(Error::invalid(format!(
            "name has {} bytes; at most {LONGEST_NAME} are kept",
            name.len()
        )));
    }
    if name.chars().any(char::is_control) {
        return Err(Error::invalid("name has a control character in it"));
    }
    Ok(())
}

/// Two instances of a tenant cannot have the same.
pub(crate) fn instance_key(tenant: Option<&str>, name: &str) -> String {
    json!([tenant, name]).to_string()
}

/// Two bindings of an instance cannot have the same.
pub(crate) fn binding_key(instance: &InstanceId, name: &str) -> String {
    json!([instance.as_str(), name]).to_string()
}

/// The tenant for whom it is asked: the caller's own, which is added to the labels, or the one that a caller who is
/// confined to none names there.
///
/// # Errors
/// 400 when a caller names another tenant than its own.
pub(crate) fn tenant(
    deeds: &Lifecycle,
    ctx: &Ctx,
    labels: &mut Labels,
) -> Result<Option<String>, Error> {
    let key = &deeds.settings.policy.tenant_label;
    let named = labels.get(key).cloned().unwrap_or_default();
    let Caller::Person(person) = &ctx.caller else {
        return Ok(named.into_iter().next());
    };
    let Some(own) = &person.tenant else {
        return match named.len() {
            0 | 1 => Ok(named.into_iter().next()),
            _ => Err(Error::invalid(format!(
                "the label {key} names {} tenants; it can have one",
                named.len()
            ))),
        };
    };
    if named.iter().any(|named| named != own) {
        return Err(Error::invalid(format!(
            "the label {key} names another tenant than yours"
        )));
    }
    labels
        .insert(key.clone(), own.clone())
        .map_err(|error| Error::invalid(error.to_string()))?;
    Ok(Some(own.clone()))
}

/// The tenant that an instance belongs to.
pub(crate) fn tenant_of(deeds: &Lifecycle, labels: &Labels) -> Option<String> {
    let named = labels.get(&deeds.settings.policy.tenant_label)?;
    named.iter().next().cloned()
}

/// What the broker is told of the surroundings. Operators on Kubernetes say theirs by labels.
pub(crate) fn context(
    deeds: &Lifecycle,
    tenant: Option<&str>,
    instance_name: &str,
    labels: &Labels,
) -> Object {
    let mut context = Object::new();
    context.insert("platform".to_owned(), json!(SERVICE_MANAGER));
    context.insert("instance_name".to_owned(), json!(instance_name));
    if let Some(tenant) = tenant {
        let key = deeds.settings.policy.tenant_label.clone();
        context.insert(key, json!(tenant));
    }
    for (label, key) in [("_clusterid", "clusterid"), ("_namespace", "namespace")] {
        if let Some(value) = labels.get(label).and_then(|values| values.iter().next()) {
            context.insert(key.to_owned(), json!(value));
        }
    }
    context
}

/// On whose behalf a broker is called, in its own header.
fn identity(ctx: &Ctx, how: &How) -> Option<String> {
    let value = match (&how.identity, &ctx.caller) {
        (Some(Value::Object(value)), _) => value.clone(),
        (_, Caller::Person(person)) => {
            let mut value = Object::new();
            value.insert("username".to_owned(), json!(person.name));
            value
        }
        _ => return None,
    };
    let identity = OriginatingIdentity {
        platform: SERVICE_MANAGER.to_owned(),
        value,
    };
    Some(identity.to_string())
}

/// An order of the manager's own, without what is sent.
pub(crate) fn order(
    ctx: &Ctx,
    how: &How,
    view: &View,
    ware: Option<&Ware>,
    subject: &Subject,
) -> Order {
    let bindings = ware.is_some_and(|ware| ware.offering.bindings_retrievable);
    let (retrievable, waits) = match subject {
        Subject::Instance(_) => (
            ware.is_some_and(|ware| ware.offering.instances_retrievable),
            true,
        ),
        // A binding that comes later can only be had by asking for it.
        Subject::Binding(..) => (bindings, bindings),
    };
    Order {
        broker: view.stock.broker.id.to_string(),
        instance: subject.instance().to_string(),
        target: None,
        binding: subject.binding().map(ToString::to_string),
        service_id: ware.map(|ware| ware.offering.catalog_id.clone()),
        plan_id: ware.map(|ware| ware.plan.catalog_id.clone()),
        retrievable,
        tracked: true,
        version: None,
        identity: identity(ctx, how),
        queued: false,
        before: None,
        update: None,
        fingerprint: Vec::new(),
        platform_name: match &ctx.caller {
            Caller::Person(person) => person.name.clone(),
            _ => String::new(),
        },
        own: Some(Own {
            keep: how.mode != Mode::Sync,
            waits,
            ..Own::default()
        }),
    }
}

/// The broker that has a plan, as its door knows it.
///
/// # Errors
/// 404 when there is none.
pub(crate) async fn view_of(deeds: &Lifecycle, plan: &PlanId) -> Result<Arc<View>, Error> {
    let plan = plan.clone();
    let broker = deeds
        .store
        .look_up(async move |tx| {
            let found = qm_store::catalog::broker_id_of_plan(tx, plan.as_str()).await?;
            found.ok_or(Error::Missing(Kind::Plan))
        })
        .await?;
    deeds.view(broker.as_str()).await
}

/// An instance that the caller may touch.
///
/// # Errors
/// 404.
pub(crate) async fn instance(
    deeds: &Lifecycle,
    scope: &Scope,
    id: &str,
) -> Result<Instance, Error> {
    let (scope, id) = (scope.clone(), id.to_owned());
    deeds
        .store
        .look_up(async move |tx| {
            resource::get::<Instance>(tx, &scope, &id)
                .await?
                .ok_or(Error::Missing(Kind::Instance))
        })
        .await
}

/// A binding that the caller may touch, and its instance.
///
/// # Errors
/// 404.
pub(crate) async fn binding(
    deeds: &Lifecycle,
    scope: &Scope,
    id: &str,
) -> Result<(Binding, Instance), Error> {
    let (scope, id) = (scope.clone(), id.to_owned());
    deeds
        .store
        .look_up(async move |tx| {
            let binding = resource::get::<Binding>(tx, &scope, &id)
                .await?
                .ok_or(Error::Missing(Kind::Binding))?;
            let instance = resource::get::<Instance>(tx, &Scope::All, binding.instance_id.as_str())
                .await?
                .ok_or(Error::Missing(Kind::Instance))?;
            Ok((binding, instance))
        })
        .await
}

/// What the caller is shown in the end.
///
/// # Errors
/// The store's.
pub(crate) async fn shown<R: Resource>(
    deeds: &Lifecycle,
    course: Course,
    id: &str,
) -> Result<Done<R>, Error> {
    match course {
        Course::Later(operation) => Ok(Done::Later(*operation)),
        Course::Done => Ok(Done::Now(read(deeds, id).await?)),
    }
}

/// A resource with its last operation, whoever asks.
///
/// # Errors
/// 404 when it is gone.
pub(crate) async fn read<R: Resource>(deeds: &Lifecycle, id: &str) -> Result<Shown<R>, Error> {
    let id = id.to_owned();
    deeds
        .store
        .look_up(async move |tx| {
            let (resource, last_operation) = resource::get_with_last::<R>(tx, &Scope::All, &id)
                .await?
                .ok_or(Error::Missing(R::KIND))?;
            Ok(Shown {
                resource,
                last_operation,
            })
        })
        .await
}

/// Parameters as they are sealed.
pub(crate) fn parameters(parameters: Option<&Secret<Object>>) -> Option<Vec<u8>> {
    let given = parameters?;
    Some(
        Value::Object(given.expose().clone())
            .to_string()
            .into_bytes(),
    )
}
