//! Gets an instance or a binding from the broker. Nothing is kept of it.

use super::send::send;
use super::start::{Entered, enter};
use crate::Lifecycle;
use crate::door::{Asked, Reply};
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
    owned(deeds, ctx, &entered).await?;
    let answer = send(deeds, ctx, &entered.view, verb, asked.passed).await;
    reply(&entered, answer)
}

async fn owned(deeds: &Lifecycle, ctx: &Ctx, entered: &Entered) -> Result<(), Error> {
    let facts = facts(&deeds.store, entered.subject.instance(), None, None).await?;
    let instance = facts.instance.as_ref().map(|known| &known.resource);
    Ok(qm_policy::door::own(ctx, instance)?)
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
