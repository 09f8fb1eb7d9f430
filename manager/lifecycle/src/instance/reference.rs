//! Instances that stand for another, shared one. INTERIM: C completes it.

use super::{InstanceChange, NewInstance};
use crate::{Done, How, Lifecycle, desk};
use qm_model::id::{InstanceId, PlanId};
use qm_model::instance::Instance;
use qm_model::plan::{Plan, REFERENCE_INSTANCE};
use qm_model::{Ctx, Error};
use qm_policy::Scope;
use qm_policy::door::Ware;
use quartermaster_osb::Object;
use serde_json::{Value, json};

/// Whether instances of the plan stand for others.
pub(crate) fn is_reference(plan: &Plan) -> bool {
    plan.catalog_name == REFERENCE_INSTANCE
}

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

pub(crate) fn may_change(_: &Instance, _: &InstanceChange) -> Result<(), Error> {
    Ok(())
}

pub(crate) async fn create(
    _: &Lifecycle,
    _: &Ctx,
    _: NewInstance,
    _: &Ware,
    _: How,
) -> Result<Done<Instance>, Error> {
    Err(Error::NotImplemented("references".to_owned()))
}

pub(crate) async fn delete(_: &Lifecycle, _: &Ctx, _: Instance) -> Result<Done<()>, Error> {
    Err(Error::NotImplemented("references".to_owned()))
}
