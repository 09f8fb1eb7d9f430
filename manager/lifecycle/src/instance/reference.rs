//! Instances that stand for another, shared one. Brokers know nothing of them: they are made, changed and deleted here,
//! and what is done to their bindings is done to the shared instance there.
//!
//! | file | does |
//! |---|---|
//! | `find` | which shared instance is meant |
//! | `create`, `delete` | for people, at the manager's own desk |
//! | `door` | for platforms, at an OSB door |
//! | `forward` | how a request for a binding is rewritten |

mod create;
mod delete;
pub(crate) mod door;
mod find;
mod forward;

pub(crate) use create::create;
pub(crate) use delete::{delete, remove};
pub(crate) use forward::shared;

use super::InstanceChange;
use crate::{Lifecycle, desk};
use qm_model::Error;
use qm_model::id::{InstanceId, PlanId};
use qm_model::instance::Instance;
use qm_policy::Scope;
use qm_policy::door::Refusal;
use quartermaster_osb::Object;
use serde_json::{Value, json};

pub(crate) use qm_policy::share::is_reference;

/// The plan by which the broker knows what an instance is or stands for, and its id there if that is another one's.
pub(crate) async fn at_the_broker(
    deeds: &Lifecycle,
    instance: &Instance,
) -> Result<(PlanId, Option<String>), Error> {
    match &instance.referenced_instance_id {
        None => Ok((instance.plan_id.clone(), None)),
        Some(shared) => {
            let shared = desk::instance(deeds, &Scope::All, shared.as_str()).await?;
            Ok((shared.plan_id, Some(shared.id.to_string())))
        }
    }
}

/// The context that a binding of an instance is made in: the one of the instance that the broker knows.
pub(crate) async fn context(
    deeds: &Lifecycle,
    instance: &Instance,
) -> Result<Option<Value>, Error> {
    match &instance.referenced_instance_id {
        None => Ok(instance.context.clone()),
        Some(shared) => {
            let shared = desk::instance(deeds, &Scope::All, shared.as_str()).await?;
            Ok(shared.context)
        }
    }
}

/// The parameters of a reference.
pub(crate) fn parameters(shared: &InstanceId) -> Object {
    let mut parameters = Object::new();
    parameters.insert("referenced_instance_id".to_owned(), json!(shared.as_str()));
    parameters
}

/// May a person change a reference like that? Its name and labels, and nothing else.
///
/// # Errors
/// 400 when its plan or what it refers to would be another one.
pub(crate) fn may_change(instance: &Instance, change: &InstanceChange) -> Result<(), Error> {
    let InstanceChange {
        name: _,
        plan,
        parameters,
        maintenance_info: _,
        labels: _,
    } = change;
    if plan
        .as_deref()
        .is_some_and(|plan| plan != instance.plan_id.as_str())
    {
        return Err(Error::invalid(
            "the instance only refers to another one, and its plan cannot be changed (rule: reference-plan)",
        ));
    }
    let given = parameters.as_ref().map(qm_model::Secret::expose);
    Ok(unchanged(instance, given)?)
}

/// Whether parameters leave a reference as it is.
fn unchanged(instance: &Instance, parameters: Option<&Object>) -> Result<(), Refusal> {
    let referenced = instance.referenced_instance_id.as_ref();
    let referenced = referenced.map_or("", InstanceId::as_str);
    qm_policy::share::unchanged(parameters, referenced)
}
