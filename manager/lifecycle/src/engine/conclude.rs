//! Stores what came of a call: the end of the operation or how it goes on, the resource, the event and the audit
//! record, in one transaction. Doors call it right after the broker answered, the tasks when they took an operation up.
//!
//! The rule: what is stored follows from the verdict alone, by [`consequence()`]. A store that is away for a moment is
//! waited for; if it stays away the operation is left as it was, and a task will ask the broker.

mod consequence;
mod effect;

use super::judge::Verdict;
use super::wait::{self, Pace};
use super::{Order, at};
use crate::Lifecycle;
use consequence::{Consequence, Waits, consequence};
use qm_model::audit::Entry;
use qm_model::binding::Binding;
use qm_model::event::{Audience, NewEvent};
use qm_model::id::EventId;
use qm_model::instance::Instance;
use qm_model::operation::Verb as Deed;
use qm_model::{Ctx, Error};
use qm_policy::{Door, Permit};
use qm_store::deed::{self, Settlement};
use qm_store::operation::Held;
use quartermaster_osb::Verb;
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
    /// When it is tried again.
    pub(crate) pace: Pace,
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
        pace,
    } = case;
    let verdict = match verdict {
        // The broker was still creating it.
        Verdict::Failed(fault) if order.queued => Verdict::Unknown(fault),
        // Who could not be asked has not said no: the record is not removed by force before the deadline.
        Verdict::Failed(fault) if effect::is_forced(verb, order) && fault.is_silence() => {
            Verdict::Unknown(fault)
        }
        verdict => verdict,
    };
    let now = deeds.now();
    let settings = &deeds.settings.osb;
    let due = deeds.lease_now();
    let own = order.own.is_some();
    let waits = Waits {
        now: due,
        poll: due.plus(wait::jitter(Pace::poll(settings, own).first)),
        // Nobody comes back for what failed here.
        clean: due.plus(if own { Duration::ZERO } else { settings.grace }),
        again: due.plus(
            wait::backoff(pace.first, attempts, pace.slowest)
                .max(verdict.wait().unwrap_or_default()),
        ),
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

/// What a call of the protocol does.
pub(crate) fn deed_of(verb: Verb) -> Deed {
    match verb {
        Verb::Provision | Verb::Bind => Deed::Create,
        Verb::Deprovision | Verb::Unbind => Deed::Delete,
        _ => Deed::Update,
    }
}
