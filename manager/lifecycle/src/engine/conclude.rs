//! Stores what came of a call: the end of the operation or how it goes on, the resource, the event and the audit
//! record, in one transaction. Doors call it right after the broker answered, the tasks when they took an operation up.
//!
//! The rule: what is stored follows from the verdict alone, by [`consequence`]. A store that is away for a moment is
//! waited for; if it stays away the operation is left as it was, and a task will ask the broker.

use super::judge::{Answered, Fault, Verdict};
use super::{NewValues, Order, Subject, at, wait};
use crate::Lifecycle;
use qm_model::audit::{Entry, Outcome};
use qm_model::binding::Binding;
use qm_model::event::{Audience, Change, NewEvent};
use qm_model::id::{EventId, PlanId, PlatformId};
use qm_model::instance::Instance;
use qm_model::operation::{State, Verb as Deed};
use qm_model::{Ctx, Error, Secret, Time};
use qm_policy::{Door, Permit};
use qm_store::deed::{self, Effect, Next, Settlement};
use qm_store::operation::Held;
use quartermaster_osb::Verb;
use serde_json::Value;
use std::collections::BTreeSet;
use std::time::Duration;

/// How often a store that is away is asked again before the deed is left to the tasks.
const TRIES: u32 = 8;

/// The row that an operation is about, as it is while the operation is under way.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Row {
    /// The manager has none.
    None,
    Instance(Box<Instance>),
    Binding(Box<Binding>),
}

/// An operation in the hands of whoever concludes it.
pub(crate) struct Case<'a> {
    pub(crate) permit: &'a Permit<Door>,
    pub(crate) held: Held,
    pub(crate) verb: Verb,
    pub(crate) order: &'a Order,
    pub(crate) row: Row,
    /// How often it was tried in the phase in which it is.
    pub(crate) attempts: i64,
    /// How long to wait before it is tried again, at first.
    pub(crate) pause: Duration,
}

/// Stores what came of it.
///
/// # Errors
/// The store's; then nothing is stored and a task goes on.
pub(crate) async fn conclude(
    deeds: &Lifecycle,
    ctx: &Ctx,
    case: Case<'_>,
    verdict: Verdict,
) -> Result<(), Error> {
    let Case {
        permit,
        held,
        verb,
        order,
        row,
        attempts,
        pause,
    } = case;
    let verdict = match verdict {
        // The broker was still creating it.
        Verdict::Failed(fault) if order.queued => Verdict::Unknown(fault),
        verdict => verdict,
    };
    let now = deeds.now();
    let settings = &deeds.settings.osb;
    let due = deeds.lease_now();
    let own = order.own.is_some();
    let (follow_after, slowest) = if own {
        (settings.poll, settings.slowest_poll)
    } else {
        (settings.follow_after, settings.slowest)
    };
    let waits = Waits {
        now: due,
        poll: due.plus(wait::jitter(follow_after)),
        // Nobody comes back for what failed here.
        clean: due.plus(if own { Duration::ZERO } else { settings.grace }),
        again: due
            .plus(wait::backoff(pause, attempts, slowest).max(verdict.wait().unwrap_or_default())),
    };
    let said = verdict.said();
    let Consequence {
        next,
        effect,
        change,
        outcome,
        detail,
    } = consequence(verb, order, row, verdict, &waits, now);
    let subject = order.subject();
    let event = change.map(|change| NewEvent {
        id: EventId::stored(deeds.fresh()),
        resource: subject.kind(),
        resource_id: subject.id().to_owned(),
        change,
        // Nobody outside is told of instances; the console follows them.
        audience: Audience::Only(BTreeSet::new()),
        payload: "{}".to_owned(),
        correlation_id: ctx.correlation_id.clone(),
        broker: None,
    });
    let audit = outcome.map(|outcome| {
        let detail = if order.platform_name.is_empty() {
            detail
        } else {
            format!("{detail}; asked for by {}", order.platform_name)
        };
        let deed = deed_of(verb).word();
        Entry::of(
            ctx,
            now,
            deed,
            Some(subject.kind()),
            subject.id(),
            outcome,
            detail,
        )
    });
    at(verb.as_str(), "called");
    let settlement = Settlement {
        held,
        next,
        effect,
        event,
        audit,
        said,
        now,
    };
    store(deeds, permit, settlement).await?;
    at(verb.as_str(), "outcome");
    Ok(())
}

async fn store(
    deeds: &Lifecycle,
    permit: &Permit<Door>,
    settlement: Settlement,
) -> Result<(), Error> {
    let mut unsure = false;
    let mut tries = 0;
    loop {
        let error = match deed::settle(&deeds.store, permit, settlement.clone()).await {
            Ok(_) => return Ok(()),
            // The commit whose answer was lost had reached the store after all.
            Err(qm_store::Error::Fenced) if unsure => return Ok(()),
            Err(error) => error,
        };
        tries += 1;
        unsure |= error.is_unsure();
        if !error.passes() || tries >= TRIES {
            return Err(error.into());
        }
        tokio::time::sleep(Duration::from_millis(50 << tries.min(5))).await;
    }
}

/// When things are tried.
pub(super) struct Waits {
    now: Time,
    poll: Time,
    clean: Time,
    again: Time,
}

/// What follows from a verdict.
#[derive(Debug, PartialEq)]
pub(super) struct Consequence {
    pub(super) next: Next,
    pub(super) effect: Effect,
    pub(super) change: Option<Change>,
    pub(super) outcome: Option<Outcome>,
    pub(super) detail: String,
}

/// What is stored after a verdict. Pure.
pub(super) fn consequence(
    verb: Verb,
    order: &Order,
    row: Row,
    verdict: Verdict,
    waits: &Waits,
    now: Time,
) -> Consequence {
    match verdict {
        Verdict::Done(answered) => Consequence {
            next: Next::Done {
                state: State::Succeeded,
                errors: None,
                description: String::new(),
            },
            effect: done(verb, order, row, answered, now),
            change: Some(match deed_of(verb) {
                Deed::Create => Change::Created,
                Deed::Update => Change::Modified,
                Deed::Delete => Change::Deleted,
            }),
            outcome: Some(Outcome::Succeeded),
            detail: "done by the broker".to_owned(),
        },
        Verdict::Pending(answered) => Consequence {
            effect: begun(verb, order, row, &answered),
            next: Next::Polling {
                broker_operation: answered.operation,
                due: answered
                    .retry_after
                    .map_or(waits.poll, |wait| waits.poll.max(waits.now.plus(wait))),
                description: "the broker works on it".to_owned(),
            },
            change: None,
            outcome: Some(Outcome::Succeeded),
            detail: "the broker works on it".to_owned(),
        },
        Verdict::Failed(fault) if is_forced(verb, order) => Consequence {
            effect: done(verb, order, row, Answered::default(), now),
            change: Some(Change::Deleted),
            outcome: Some(Outcome::Succeeded),
            detail: format!("removed by force: {}", fault.description),
            next: Next::Done {
                state: State::Succeeded,
                errors: Some(fault.errors()),
                description: format!(
                    "removed by force; it may still be at the broker: {}",
                    fault.description
                ),
            },
        },
        Verdict::Failed(fault) => Consequence {
            effect: failed(verb, order, row, &fault),
            change: Some(Change::Modified),
            outcome: Some(Outcome::Failed),
            detail: fault.description.clone(),
            next: Next::Done {
                state: State::Failed,
                errors: Some(fault.errors()),
                description: fault.description,
            },
        },
        Verdict::Orphan(fault) => Consequence {
            effect: orphaned(order),
            change: Some(Change::Modified),
            outcome: Some(Outcome::Failed),
            detail: format!(
                "{}; what may be left of it will be deleted",
                fault.description
            ),
            next: Next::Mitigating {
                // A platform polls until the end of it all; people are told at once.
                state: order.own.as_ref().map(|_| State::Failed),
                due: waits.clean,
                errors: fault.errors(),
                description: format!(
                    "{}; what may be left of it at the broker is deleted",
                    fault.description
                ),
            },
        },
        Verdict::Abandoned(fault) => Consequence {
            effect: Effect::None,
            change: Some(Change::Modified),
            outcome: Some(Outcome::Failed),
            detail: fault.description.clone(),
            next: Next::Done {
                state: State::Failed,
                errors: Some(fault.errors()),
                description: fault.description,
            },
        },
        Verdict::Later(fault) => Consequence {
            effect: Effect::None,
            change: None,
            outcome: None,
            detail: fault.description.clone(),
            next: Next::Queued {
                due: waits.again,
                error: fault.description,
            },
        },
        Verdict::Unknown(fault) => Consequence {
            effect: Effect::None,
            change: None,
            outcome: None,
            detail: fault.description.clone(),
            next: Next::Again {
                due: waits.again,
                error: (!fault.is_none()).then_some(fault.description),
            },
        },
    }
}

/// The resource after a success.
fn done(verb: Verb, order: &Order, row: Row, answered: Answered, now: Time) -> Effect {
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
fn begun(verb: Verb, order: &Order, row: Row, answered: &Answered) -> Effect {
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
fn is_forced(verb: Verb, order: &Order) -> bool {
    deed_of(verb) == Deed::Delete && order.own.as_ref().is_some_and(|own| own.force)
}

/// The resource while what may be left of it is deleted: nobody who asked for it is waiting for that name.
fn orphaned(order: &Order) -> Effect {
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
fn failed(verb: Verb, order: &Order, row: Row, fault: &Fault) -> Effect {
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

/// What a call of the protocol does.
pub(crate) fn deed_of(verb: Verb) -> Deed {
    match verb {
        Verb::Provision | Verb::Bind => Deed::Create,
        Verb::Deprovision | Verb::Unbind => Deed::Delete,
        _ => Deed::Update,
    }
}
