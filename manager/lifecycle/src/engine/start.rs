//! How a deed at a door begins: who may enter, and the intent, stored before the broker is called.

use super::{Order, Subject, at, order};
use crate::Lifecycle;
use crate::door::Asked;
use crate::views::View;
use qm_model::id::{BindingId, InstanceId};
use qm_model::operation::{Family, Operation, State, Verb};
use qm_model::{Ctx, Error, Kind};
use qm_policy::{Door, Permit};
use qm_store::deed::{self, Begun, Intent, NewRow};
use qm_store::operation::{Held, Phase};
use quartermaster_osb::header;
use std::sync::Arc;
use std::time::Duration;

/// Somebody who may use a door.
pub(crate) struct Entered {
    pub(crate) view: Arc<View>,
    pub(crate) permit: Permit<Door>,
    pub(crate) subject: Subject,
}

/// Lets a platform in at a broker's door.
///
/// # Errors
/// 404 when there is no such broker for it, 400 when an id cannot be one or the platform is suspended.
pub(crate) async fn enter(
    deeds: &Lifecycle,
    ctx: &Ctx,
    asked: &Asked,
    mutating: bool,
) -> Result<Entered, Error> {
    let view = deeds.view(&asked.broker).await?;
    let permit = qm_policy::door::enter(ctx, &view.stock, mutating, &deeds.settings.policy)?;
    let instance = InstanceId::new(asked.instance.as_str())?;
    let subject = if asked.binding.is_empty() {
        Subject::Instance(instance)
    } else {
        Subject::Binding(instance, BindingId::new(asked.binding.as_str())?)
    };
    Ok(Entered {
        view,
        permit,
        subject,
    })
}

/// What an intent says beside the order.
pub(crate) struct Started {
    pub(crate) verb: Verb,
    pub(crate) order: Order,
    pub(crate) row: NewRow,
    /// The operation that a deletion takes over.
    pub(crate) over: Option<(qm_model::id::OperationId, i64)>,
    /// How long the plan lets it take.
    pub(crate) longest: Option<i64>,
    /// What only the manager's own operations say.
    pub(crate) own: OwnIntent,
}

/// What an intent of the manager's own says beside: empty at the doors.
#[derive(Debug, Clone, Default)]
pub(crate) struct OwnIntent {
    /// It is sent later.
    pub(crate) queued: bool,
    pub(crate) tenant: Option<String>,
    pub(crate) name_key: Option<String>,
    pub(crate) parameters: Option<Vec<u8>>,
    pub(crate) family: Family,
    /// Nothing may refer to the instance: it is to be deleted, and others could. Also at the doors.
    pub(crate) unreferenced: bool,
}

/// Stores the intent. Nothing is stored unless it is begun.
///
/// # Errors
/// What the store says; 422 while the platform is being removed.
pub(crate) async fn start(
    deeds: &Lifecycle,
    ctx: &Ctx,
    entered: &Entered,
    started: Started,
) -> Result<Option<Held>, Error> {
    let Started {
        verb,
        order,
        row,
        over,
        longest,
        own,
    } = started;
    let OwnIntent {
        queued,
        tenant,
        name_key,
        parameters,
        family,
        unreferenced,
    } = own;
    let subject = &entered.subject;
    let step = order::verb_of(verb, subject.kind()).as_str();
    // Leases and deadlines are counted by a clock that does not jump.
    let lease_now = deeds.lease_now();
    let operation = Operation {
        deadline: Some(lease_now.plus(longest_of(deeds, longest))),
        family,
        ..crate::operation::fresh(
            deeds,
            ctx,
            verb,
            subject.kind(),
            subject.id(),
            State::InProgress,
            deeds.now(),
        )
    };
    let intent = Intent {
        operation,
        tenant,
        broker_id: entered.view.stock.broker.id.clone(),
        work: order.to_bytes()?,
        fingerprint: order.fingerprint.clone(),
        row,
        phase: if queued { Phase::Queued } else { Phase::Intent },
        keep_on_failure: order.own.as_ref().is_some_and(|own| own.keep),
        name_key,
        parameters,
        owner: deeds.settings.replica.clone(),
        lease_until: lease_now.plus(deeds.hold()),
        unreferenced,
        over,
    };
    at(step, "entered");
    let begun = deed::begin(&deeds.store, &entered.permit, intent).await?;
    at(step, "intent");
    match begun {
        Begun::Begun(held) => Ok(Some(held)),
        Begun::Taken => Ok(None),
        Begun::NameTaken => Err(name_taken(subject.kind())),
        Begun::Referenced(by) => match qm_policy::share::may_delete(&by) {
            Err(refusal) => Err(refusal.into()),
            Ok(()) => Ok(None),
        },
        Begun::Terminating => Err(terminating()),
    }
}

/// How long an operation may take: as the plan says, but not longer than the operator allows.
pub(crate) fn longest_of(deeds: &Lifecycle, plan: Option<i64>) -> Duration {
    let most = deeds.settings.osb.longest;
    match plan.and_then(|seconds| u64::try_from(seconds).ok()) {
        // The call itself takes its time before the first poll.
        Some(seconds) if seconds > 0 => {
            (Duration::from_secs(seconds) + deeds.settings.osb.call).min(most)
        }
        _ => most,
    }
}

/// 409: another one has the name.
pub(crate) fn name_taken(kind: Kind) -> Error {
    Error::conflict(
        kind,
        match kind {
            Kind::Binding => "another binding of this instance has this name; choose another",
            _ => "another instance of this tenant has this name; choose another",
        },
    )
}

pub(crate) fn terminating() -> Error {
    Error::Unprocessable {
        word: "ConcurrentOperationInProgress",
        message: "the platform or the tenant is being removed with everything it has; nothing new can be begun (rule: termination)".to_owned(),
    }
}

/// What the platform said about itself, for calls that the manager makes later on its behalf.
pub(crate) fn order_of(asked: &Asked, entered: &Entered, ctx: &Ctx) -> Order {
    let said = |name: &http::HeaderName| {
        let value = asked.passed.headers.get(name)?;
        value.to_str().ok().map(str::to_owned)
    };
    Order {
        broker: entered.view.stock.broker.id.to_string(),
        instance: entered.subject.instance().to_string(),
        target: None,
        binding: entered.subject.binding().map(ToString::to_string),
        service_id: None,
        plan_id: None,
        retrievable: false,
        tracked: true,
        version: said(&header::API_VERSION),
        identity: said(&header::ORIGINATING_IDENTITY),
        queued: false,
        before: None,
        update: None,
        fingerprint: Vec::new(),
        own: None,
        platform_name: match &ctx.caller {
            qm_model::Caller::Platform(platform) => platform.name.clone(),
            _ => String::new(),
        },
    }
}
