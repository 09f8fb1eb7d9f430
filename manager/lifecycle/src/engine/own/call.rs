//! The calls that the manager makes as a platform, built from an order.

use super::super::Order;
use super::super::send::target;
use crate::Lifecycle;
use crate::views::View;
use qm_model::{Ctx, Error};
use quartermaster_osb::{
    Answer, BindRequest, BindingId, Call, Outcome, Poll, ProvisionRequest, State, UpdateRequest,
    Verb,
};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The request, as the order says.
pub(super) fn call(deeds: &Lifecycle, order: &Order, verb: Verb) -> Result<Call, Error> {
    let own = order.own.clone().unwrap_or_default();
    let instance = order.instance_at_the_broker()?;
    let binding = match &order.binding {
        Some(binding) => Some(BindingId::new(binding.as_str()).map_err(Error::internal)?),
        None => None,
    };
    let mut body = own.body.unwrap_or(Value::Null);
    if let Some(Value::Object(context)) = body.get_mut("context") {
        deeds.relay.sign(context, instance.as_str());
    }
    let accepts_incomplete = own.waits;
    Ok(match (verb, binding) {
        (Verb::Provision, _) => Call::Provision {
            instance,
            accepts_incomplete,
            body: Box::new(read::<ProvisionRequest>(body)?),
        },
        (Verb::Update, _) => Call::Update {
            instance,
            accepts_incomplete,
            body: Box::new(read::<UpdateRequest>(body)?),
        },
        (Verb::Bind, Some(binding)) => Call::Bind {
            instance,
            binding,
            accepts_incomplete,
            body: Box::new(read::<BindRequest>(body)?),
        },
        (_, Some(binding)) => Call::Unbind {
            instance,
            binding,
            accepts_incomplete,
            hints: order.hints(),
        },
        (_, None) => Call::Deprovision {
            instance,
            accepts_incomplete,
            hints: order.hints(),
        },
    })
}

fn read<T: DeserializeOwned>(body: Value) -> Result<T, Error> {
    serde_json::from_value(body).map_err(Error::internal)
}

/// What a broker said about the thing itself.
pub(crate) struct Fetched {
    pub(crate) outcome: Outcome,
    /// Why it said nothing.
    silence: Option<String>,
}

/// Asks the broker for the thing itself.
///
/// # Errors
/// Ours: what was stored is an id.
pub(crate) async fn fetch(
    deeds: &Lifecycle,
    ctx: &Ctx,
    view: &View,
    order: &Order,
) -> Result<Fetched, Error> {
    let instance = order.instance_at_the_broker()?;
    let hints = order.hints();
    let call = match &order.binding {
        Some(binding) => Call::FetchBinding {
            instance,
            binding: BindingId::new(binding.as_str()).map_err(Error::internal)?,
            hints,
        },
        None => Call::FetchInstance { instance, hints },
    };
    let envelope = order.envelope(&ctx.correlation_id);
    let answer = deeds.relay.ask(&target(view), &call, &envelope).await;
    Ok(match answer {
        Ok(answer) => Fetched {
            outcome: Outcome::parse(call.verb(), &answer),
            silence: None,
        },
        Err(error) => Fetched {
            outcome: error.outcome(),
            silence: Some(error.to_string()),
        },
    })
}

/// Whether the broker says that it works on the thing just now; `None` when it gives no answer.
///
/// # Errors
/// Ours: what was stored is an id.
pub(crate) async fn is_at_work(
    deeds: &Lifecycle,
    ctx: &Ctx,
    view: &View,
    order: &Order,
) -> Result<Option<bool>, Error> {
    let poll = Poll {
        hints: order.hints(),
        operation: order.before.clone(),
    };
    let instance = order.instance_at_the_broker()?;
    let call = match &order.binding {
        Some(binding) => Call::PollBinding {
            instance,
            binding: BindingId::new(binding.as_str()).map_err(Error::internal)?,
            poll,
        },
        None => Call::PollInstance { instance, poll },
    };
    let envelope = order.envelope(&ctx.correlation_id);
    let answer = deeds.relay.ask(&target(view), &call, &envelope).await;
    Ok(answer.ok().map(|answer| {
        let polled = Outcome::parse(call.verb(), &answer);
        matches!(polled, Outcome::Success(Answer::LastOperation { body, .. }) if body.state == State::InProgress)
    }))
}

/// What somebody is told who wanted to see something that the broker did not show.
pub(crate) fn not_fetched(fetched: &Fetched) -> Error {
    let (status, message) = match &fetched.outcome {
        Outcome::Refused { status, .. } => (400, format!("the broker answered {status}")),
        Outcome::Broken { status, .. } => (502, format!("the broker answered {status}")),
        Outcome::Malformed { status, reason } => (
            502,
            format!("the broker answered {status}, and its answer is none: {reason}"),
        ),
        Outcome::Unexpected { status } => (
            502,
            format!("the broker answered {status}, which means nothing here"),
        ),
        _ => {
            let silence = fetched.silence.as_deref();
            (
                502,
                silence.unwrap_or("the broker gave no answer").to_owned(),
            )
        }
    };
    Error::Broker { status, message }
}
