//! Gets an instance or a binding from the broker. Nothing is kept of it. A reference is the manager's own: its answer
//! is made here, and its bindings are asked for where they are.

use super::send::send;
use super::start::{Entered, enter};
use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::instance::reference;
use qm_model::instance::Instance;
use qm_model::{Ctx, Error};
use qm_store::facts::facts;
use quartermaster_osb::Verb;

/// Passes a request through that changes nothing, for a platform that may make it.
///
/// # Errors
/// 404 when it is another platform's; the broker's, when it gives no answer.
pub(crate) async fn fetch(
    deeds: &Lifecycle,
    ctx: &Ctx,
    asked: Asked,
    verb: Verb,
    mutating: bool,
) -> Result<Reply, Error> {
    let entered = enter(deeds, ctx, &asked, mutating).await?;
    let known = owned(deeds, ctx, &entered).await?;
    let known = known.as_ref();
    let passed = match (reference::shared(deeds, &entered.view, known).await?, known) {
        (Some(_), Some(known)) if entered.subject.binding().is_none() => {
            return Ok(reference::door::fetch(&entered, known));
        }
        (Some(shared), _) if mutating => {
            shared.forward(deeds, asked.body.expose(), asked.passed)?
        }
        (Some(shared), _) => shared.named(asked.passed),
        (None, _) => asked.passed,
    };
    let answer = send(deeds, ctx, &entered.view, verb, passed).await;
    reply(&entered, answer)
}

async fn owned(deeds: &Lifecycle, ctx: &Ctx, entered: &Entered) -> Result<Option<Instance>, Error> {
    let facts = facts(&deeds.store, entered.subject.instance(), None, None).await?;
    let instance = facts.instance.map(|known| known.resource);
    qm_policy::door::own(ctx, instance.as_ref())?;
    Ok(instance)
}

/// The broker's answer as the platform gets it.
pub(crate) fn reply(
    entered: &Entered,
    answer: Result<Reply, qm_relay::RelayError>,
) -> Result<Reply, Error> {
    match answer {
        Ok(answer) => Ok(qm_policy::door::answer(
            &entered.view.stock.broker.name,
            answer,
        )),
        Err(error) => Err(unanswered(&error)),
    }
}

/// A platform must not take our trouble with the broker for a refusal of its request.
fn unanswered(error: &qm_relay::RelayError) -> Error {
    let status = match error.status() {
        400 => 502,
        status => status,
    };
    Error::Broker {
        status,
        message: error.to_string(),
    }
}
