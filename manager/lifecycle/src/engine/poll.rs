//! A platform asks how its operation goes.
//!
//! The rule: what the record knows for certain is answered from it; while the broker works on it the broker is asked,
//! and what it says is for the record too.

use super::again::{json_reply, platform};
use super::conclude::{Case, Row, conclude};
use super::fetch::reply;
use super::judge::judge_poll;
use super::order::verb_of;
use super::send::send;
use super::start::{Entered, enter};
use super::wait::{BETWEEN, LOOKS, Pace};
use super::{Order, Subject};
use crate::Lifecycle;
use crate::door::{Asked, Reply};
use crate::instance::reference;
use http::StatusCode;
use qm_model::operation::{State, Verb as Deed};
use qm_model::{Ctx, Error};
use qm_store::deed;
use qm_store::facts::{Facts, Work};
use qm_store::operation::{Phase, Taken};
use quartermaster_osb::{Outcome, Verb};
use serde_json::json;

/// Answers `last_operation`.
///
/// # Errors
/// 404 when it is another platform's; the broker's, when it gives no answer.
pub(crate) async fn poll(
    deeds: &Lifecycle,
    ctx: &Ctx,
    asked: Asked,
    verb: Verb,
) -> Result<Reply, Error> {
    let entered = enter(deeds, ctx, &asked, false).await?;
    let subject = &entered.subject;
    let facts = subject.facts(deeds).await?;
    qm_policy::door::own(ctx, facts.instance.as_ref().map(|known| &known.resource))?;
    let work = facts.operation.as_ref();
    // What is gone has left its last operation behind, and that is its platform's too.
    if work.is_some_and(|work| Some(&work.operation.platform_id) != platform(ctx)) {
        return Err(Error::Missing(subject.kind()));
    }
    let known = facts.instance.as_ref().map(|known| &known.resource);
    match work {
        Some(work) if work.phase != Phase::Polling => Ok(from_record(work)),
        _ => {
            let passed = match reference::shared(deeds, &entered.view, known).await? {
                // Nothing of it lasts.
                Some(_) if subject.binding().is_none() => return Ok(reference::door::poll()),
                Some(shared) => shared.named(asked.passed),
                None => asked.passed,
            };
            let answer = send(deeds, ctx, &entered.view, verb, passed).await;
            if let (Some(work), Ok(answer)) = (work, &answer) {
                let outcome = Outcome::parse(verb, answer);
                heard(deeds, ctx, &entered, &facts, work, &outcome).await?;
            }
            reply(&entered, answer)
        }
    }
}

/// What the record says.
fn from_record(work: &Work) -> Reply {
    let operation = &work.operation;
    let state = match (work.phase, operation.state) {
        (Phase::Mitigating, _) | (Phase::Done, State::Failed) => "failed",
        (Phase::Done, _) => "succeeded",
        _ => "in progress",
    };
    let body = if operation.description.is_empty() {
        json!({ "state": state })
    } else {
        json!({ "state": state, "description": operation.description })
    };
    json_reply(StatusCode::OK, body.to_string())
}

/// Stores what the broker said, if that is the end. When a worker holds the operation it has asked by itself, and its
/// word is waited for: whoever hears that it has ended may begin the next deed at once.
async fn heard(
    deeds: &Lifecycle,
    ctx: &Ctx,
    entered: &Entered,
    facts: &Facts,
    work: &Work,
    outcome: &Outcome,
) -> Result<(), Error> {
    let verb = verb_of(work.operation.verb, entered.subject.kind());
    let Some(verdict) = judge_poll(verb, outcome) else {
        return Ok(());
    };
    let Some(taken) = hold(deeds, entered, work).await? else {
        return Ok(());
    };
    let order = Order::from_bytes(&taken.work)?;
    let case = Case {
        permit: &entered.permit,
        held: taken.held,
        verb,
        order: &order,
        row: row(&entered.subject, facts),
        attempts: 0,
        pace: Pace::retry(&deeds.settings.osb),
    };
    conclude(deeds, ctx, case, verdict).await
}

/// Takes the operation, or waits until whoever has it has ended it.
async fn hold(deeds: &Lifecycle, entered: &Entered, work: &Work) -> Result<Option<Taken>, Error> {
    let subject = &entered.subject;
    let mut fence = work.fence;
    for _ in 0..LOOKS {
        let now = deeds.lease_now();
        let (owner, until) = (&deeds.settings.replica, now.plus(deeds.settings.lease));
        let id = &work.operation.id;
        if let Some(taken) = deed::take(&deeds.store, id, fence, owner, now, until).await? {
            return Ok(Some(taken));
        }
        tokio::time::sleep(BETWEEN).await;
        let facts = subject.facts(deeds).await?;
        match facts.operation {
            Some(now) if now.operation.id == *id && now.phase == Phase::Polling => {
                fence = now.fence;
            }
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// The row that the facts have of the subject.
pub(crate) fn row(subject: &Subject, facts: &Facts) -> Row {
    match subject {
        Subject::Instance(_) => facts.instance.as_ref().map_or(Row::None, |known| {
            Row::Instance(Box::new(known.resource.clone()))
        }),
        Subject::Binding(..) => facts.binding.as_ref().map_or(Row::None, |known| {
            Row::Binding(Box::new(known.resource.clone()))
        }),
    }
}

/// Whether something that stands in the way of a binding is under way on its instance.
pub(crate) fn instance_is_busy(facts: &Facts) -> Option<&Work> {
    facts
        .instance_operation
        .as_ref()
        .filter(|work| work.phase != Phase::Done && work.operation.verb != Deed::Update)
}
