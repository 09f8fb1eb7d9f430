//! What becomes of the resource after a verdict. Pure.
//!
//! The rule: what was to be made goes when it failed, unless somebody who did not wait is to see it; everything else stays
//! as it was.

use super::super::judge::{Answered, Fault};
use super::super::{NewValues, Order, Subject};
use super::{Row, deed_of};
use qm_model::binding::Binding;
use qm_model::id::{PlanId, PlatformId};
use qm_model::operation::Verb as Deed;
use qm_model::{Secret, Time};
use qm_store::deed::Effect;
use quartermaster_osb::Verb;
use serde_json::Value;

/// The resource after a success.
pub(super) fn done(verb: Verb, order: &Order, row: Row, answered: Answered, now: Time) -> Effect {
    if !order.tracked {
        return Effect::None;
    }
    let subject = order.subject();
    match (deed_of(verb), row) {
        (Deed::Create, Row::Binding(mut binding)) => {
            binding.meta.ready = true;
            binding.meta.updated_at = now;
            let credentials = answered
                .binding
                .and_then(|answer| take_answer(&mut binding, *answer));
            Effect::BindingReady {
                binding,
                credentials,
            }
        }
        (Deed::Create, _) if subject.binding().is_none() => Effect::InstanceReady {
            id: subject.instance().clone(),
            dashboard_url: answered.dashboard_url,
            answer: answered.body,
        },
        (Deed::Update, Row::Instance(mut instance)) => {
            let Some(new) = &order.update else {
                return Effect::None;
            };
            if let Some(plan) = &new.plan {
                instance.plan_id = PlanId::stored(plan.clone());
            }
            if let Some(name) = &new.name {
                instance.name.clone_from(name);
            }
            if new.context.is_some() {
                instance.context.clone_from(&new.context);
            }
            if new.maintenance_info.is_some() {
                instance.maintenance_info.clone_from(&new.maintenance_info);
            }
            // Absent means: the old one stays (P15).
            if answered.dashboard_url.is_some() {
                instance.dashboard_url = answered.dashboard_url;
            }
            if let Some(labels) = &new.labels {
                instance.meta.labels.clone_from(labels);
            }
            if let Some(platform) = &new.platform {
                instance.platform_id = PlatformId::stored(platform.clone());
            }
            instance.usable = true;
            instance.meta.updated_at = now;
            Effect::InstanceChanged {
                instance,
                fingerprint: order.fingerprint.clone(),
                answer: answered.body,
                parameters: new
                    .parameters
                    .as_ref()
                    .map(|new| new.to_string().into_bytes()),
            }
        }
        (Deed::Delete, _) => match subject.binding() {
            Some(binding) => Effect::RemoveBinding(binding.clone()),
            None => Effect::RemoveInstance(subject.instance().clone()),
        },
        _ => Effect::None,
    }
}

/// The resource while the broker works on it: where its web page will be may be said already.
pub(super) fn begun(verb: Verb, order: &Order, row: Row, answered: &Answered) -> Effect {
    match (verb, row, &answered.dashboard_url) {
        (Verb::Provision, Row::Instance(mut instance), Some(url)) => {
            instance.dashboard_url = Some(url.clone());
            Effect::InstanceChanged {
                instance,
                fingerprint: order.fingerprint.clone(),
                answer: None,
                parameters: None,
            }
        }
        _ => Effect::None,
    }
}

/// What the broker said of a binding is kept where the manager is the platform. Gives the credentials.
fn take_answer(binding: &mut Binding, answer: quartermaster_osb::Binding) -> Option<Secret<Value>> {
    let listed = |list: serde_json::Result<Value>| list.ok().filter(|list| !list.is_null());
    binding.volume_mounts = listed(serde_json::to_value(&answer.volume_mounts));
    binding.endpoints = listed(serde_json::to_value(&answer.endpoints));
    binding.syslog_drain_url = answer.syslog_drain_url;
    binding.route_service_url = answer.route_service_url;
    answer.credentials
}

/// A deletion that must not fail because of the broker.
pub(super) fn is_forced(verb: Verb, order: &Order) -> bool {
    deed_of(verb) == Deed::Delete && order.own.as_ref().is_some_and(|own| own.force)
}

/// The resource while what may be left of it is deleted: nobody who asked for it is waiting for that name.
pub(super) fn orphaned(order: &Order) -> Effect {
    if order.own.as_ref().is_none_or(|own| own.keep) {
        return Effect::None;
    }
    match order.subject() {
        Subject::Instance(id) => Effect::InstanceUnnamed(id),
        Subject::Binding(_, id) => Effect::BindingUnnamed(id),
    }
}

/// The resource after a failure: what was to be made goes, everything else stays as it was. What somebody asked for
/// and did not wait for stays to be seen.
pub(super) fn failed(verb: Verb, order: &Order, row: Row, fault: &Fault) -> Effect {
    if !order.tracked {
        return Effect::None;
    }
    let subject = order.subject();
    if let (Deed::Update, Row::Instance(instance), Some(own), Some(new)) =
        (deed_of(verb), row, &order.own, &order.update)
    {
        return Effect::InstanceUnchanged {
            id: instance.id,
            usable: fault.usable,
            wanted: serde_json::to_vec(&NewValues {
                repeatable: fault.repeatable,
                ..new.clone()
            })
            .unwrap_or_default(),
            name_key: own.name_key.clone(),
        };
    }
    match (deed_of(verb), subject.binding()) {
        (Deed::Create, _) if order.own.as_ref().is_some_and(|own| own.keep) => Effect::None,
        (Deed::Create, Some(binding)) => Effect::RemoveBinding(binding.clone()),
        (Deed::Create, None) => Effect::RemoveInstance(subject.instance().clone()),
        (Deed::Update | Deed::Delete, None) => match fault.usable {
            Some(usable) => Effect::InstanceUsable {
                id: subject.instance().clone(),
                usable,
            },
            None => Effect::None,
        },
        (Deed::Update | Deed::Delete, Some(_)) => Effect::None,
    }
}
