//! Operations for which the manager is the platform itself: people and programs ask for them over REST, and cascades
//! begin them. The deeds on instances and bindings call [`go`], the tasks [`take_up`].
//!
//! ```text
//!   go        the intent, then right here: launch, call, judge, conclude   (waits, or waits a little)
//!             the intent, queued: a task of its own does the same          (does not wait)
//!   take_up   a queued one whose process died, or that the broker sent away
//! ```
//!
//! The rule: what is queued was never sent. Whoever sends it says so in the store before, so it is sent once.

mod call;
mod end;

pub(crate) use call::{fetch, is_at_work, not_fetched};
pub(in crate::engine) use end::end;
pub(crate) use end::operation;

use super::conclude::{Case, Row, conclude, deed_of};
use super::judge::{Fault, Verdict, judge_own};
use super::order::verb_of;
use super::poll::row as row_of;
use super::send::target;
use super::start::{Entered, Started, start};
use super::wait::Pace;
use super::{Order, Own, at};
use crate::views::View;
use crate::{Lifecycle, Mode};
use bytes::Bytes;
use call::call;
use end::failed;
use http::Response;
use qm_model::operation::{Operation, Verb as Deed};
use qm_model::{Chain, Ctx, Error};
use qm_policy::{Door, Permit};
use qm_relay::RelayError;
use qm_store::operation::{CALLED_OFF, Held, Taken};
use quartermaster_osb::{ErrorWord, Outcome, Verb};

/// How far it came while the caller waited.
#[derive(Debug)]
pub(crate) enum Course {
    /// To its good end.
    Done,
    /// It goes on.
    Later(Box<Operation>),
}

/// Begins an operation of the manager's own and does as much of it as the caller waits for. `None`: something is in
/// the way.
///
/// # Errors
/// What the store says; what the broker said, when it failed.
pub(crate) async fn go(
    deeds: &Lifecycle,
    ctx: &Ctx,
    entered: Entered,
    mut started: Started,
    row: Row,
    mode: Mode,
) -> Result<Option<Course>, Error> {
    started.own.queued = mode == Mode::Async;
    let verb = verb_of(started.verb, entered.subject.kind());
    let order = started.order.clone();
    let Some(held) = start(deeds, ctx, &entered, started).await? else {
        return Ok(None);
    };
    let id = held.id.clone();
    if mode == Mode::Async {
        let (deeds2, ctx) = (deeds.clone(), ctx.clone());
        deeds.spawn(async move {
            let job = Job {
                permit: &entered.permit,
                view: &entered.view,
                held,
                verb,
                order: &order,
                row,
                attempts: 0,
            };
            if let Err(error) = launch(&deeds2, &ctx, job).await {
                tracing::warn!(error = %Chain(&error), "an operation that was queued is left to the tasks");
            }
        });
        return Ok(Some(Course::Later(Box::new(operation(deeds, &id).await?))));
    }
    // Who waits and hears that it failed need not look after what is left of it.
    let mut now = order.clone();
    if let Some(own) = &mut now.own {
        own.keep = false;
    }
    let job = Job {
        permit: &entered.permit,
        view: &entered.view,
        held,
        verb,
        order: &now,
        row,
        attempts: 0,
    };
    match perform(deeds, ctx, job).await? {
        Verdict::Done(_) => Ok(Some(Course::Done)),
        Verdict::Failed(fault) | Verdict::Abandoned(fault) => Err(failed(fault, "")),
        Verdict::Orphan(fault) => Err(failed(
            fault,
            "; what may be left of it at the broker is deleted",
        )),
        Verdict::Unknown(fault) if deed_of(verb) == Deed::Delete => Err(failed(
            fault,
            "; the deletion is tried again in the background, DELETE once more tries it at once, and undelete ends it",
        )),
        Verdict::Pending(_) | Verdict::Unknown(_) | Verdict::Later(_) => match mode {
            Mode::Sync => end(deeds, &id).await.map(Some),
            _ => Ok(Some(Course::Later(Box::new(operation(deeds, &id).await?)))),
        },
    }
}

/// Goes on with what was queued.
///
/// # Errors
/// The store's; the operation is then claimed again when the lease has run out.
pub(super) async fn take_up(
    deeds: &Lifecycle,
    ctx: &Ctx,
    permit: &Permit<Door>,
    taken: Taken,
    order: &Order,
) -> Result<(), Error> {
    let subject = order.subject();
    let verb = verb_of(taken.operation.verb, subject.kind());
    let known = subject.facts(deeds).await?;
    let row = row_of(&subject, &known);
    if called_off(deeds, &taken.operation).await? {
        let mut order = order.clone();
        // Nobody wants it gone any more: least of all without the broker's word.
        order.own = order.own.map(|own| Own {
            force: false,
            ..own
        });
        let fault = Fault::new(
            CALLED_OFF,
            "called off: the deletion it was a part of was taken back",
        );
        return put_down(deeds, ctx, permit, taken, &order, row, fault).await;
    }
    let deadline = taken.operation.deadline;
    let late = deadline.is_some_and(|deadline| deadline <= deeds.lease_now());
    let view = match deeds.view(&order.broker).await {
        Ok(view) if !late => view,
        Ok(_) => {
            let fault = Fault::new(
                "Timeout",
                "the broker could not be called within the time that the operation may take",
            );
            return put_down(deeds, ctx, permit, taken, order, row, fault).await;
        }
        Err(Error::Missing(_)) => {
            let fault = Fault::new(
                "NotFound",
                "the broker is no longer registered; nobody can ask it",
            );
            return put_down(deeds, ctx, permit, taken, order, row, fault).await;
        }
        Err(error) => return Err(error),
    };
    let job = Job {
        permit,
        view: &view,
        attempts: taken.operation.attempts,
        held: taken.held,
        verb,
        order,
        row,
    };
    if order.queued && job.attempts > 0 {
        // The broker is still at what this comes after. Some notice the end of their work only when they are asked how it goes.
        is_at_work(deeds, ctx, &view, order).await?;
    }
    launch(deeds, ctx, job).await.map(drop)
}

/// Whether it is a part of a cascade that was taken back while it was being sent.
async fn called_off(deeds: &Lifecycle, part: &Operation) -> Result<bool, Error> {
    let Some(parent) = &part.family.parent else {
        return Ok(false);
    };
    let parent = match operation(deeds, parent).await {
        Ok(parent) => parent,
        // Too old to be kept.
        Err(Error::Missing(_)) => return Ok(false),
        Err(error) => return Err(error),
    };
    let word = parent
        .errors
        .as_ref()
        .and_then(|errors| errors.get("error"));
    Ok(parent.state.is_terminal() && word.is_some_and(|word| word == CALLED_OFF))
}

/// Ends what was never sent.
async fn put_down(
    deeds: &Lifecycle,
    ctx: &Ctx,
    permit: &Permit<Door>,
    taken: Taken,
    order: &Order,
    row: Row,
    fault: Fault,
) -> Result<(), Error> {
    let case = Case {
        permit,
        held: taken.held,
        verb: verb_of(taken.operation.verb, order.subject().kind()),
        order,
        row,
        attempts: 0,
        pace: Pace::retry(&deeds.settings.osb),
    };
    conclude(deeds, ctx, case, Verdict::Failed(fault)).await
}

/// An operation that is about to be sent.
struct Job<'a> {
    permit: &'a Permit<Door>,
    view: &'a View,
    held: Held,
    verb: Verb,
    order: &'a Order,
    row: Row,
    /// How often it was sent away before.
    attempts: i64,
}

/// Says that it is sent, and sends it.
async fn launch(deeds: &Lifecycle, ctx: &Ctx, job: Job<'_>) -> Result<Verdict, Error> {
    at(job.verb.as_str(), "queued");
    let until = deeds.lease_now().plus(deeds.hold());
    qm_store::operation::launch(&deeds.store, &job.held, until).await?;
    at(job.verb.as_str(), "launched");
    perform(deeds, ctx, job).await
}

/// Sends it and stores what came of it.
async fn perform(deeds: &Lifecycle, ctx: &Ctx, job: Job<'_>) -> Result<Verdict, Error> {
    let Job {
        permit,
        view,
        held,
        verb,
        order,
        row,
        attempts,
    } = job;
    let call = call(deeds, order, verb)?;
    let envelope = order.envelope(&ctx.correlation_id);
    let answer = deeds.relay.ask(&target(view), &call, &envelope).await;
    let verdict = judge_own(verb, &answer);
    if knows_another_catalog(verb, &answer) {
        refetch(deeds, view);
    }
    let case = Case {
        permit,
        held,
        verb,
        order,
        row,
        attempts,
        pace: Pace::retry(&deeds.settings.osb),
    };
    conclude(deeds, ctx, case, verdict.clone()).await?;
    Ok(verdict)
}

/// The broker says that the versions in the catalog are not the ones that are known here (P12).
fn knows_another_catalog(verb: Verb, answer: &Result<Response<Bytes>, RelayError>) -> bool {
    let Ok(answer) = answer else { return false };
    let outcome = Outcome::parse(verb, answer);
    let word = outcome.error_body().and_then(|body| body.error.as_ref());
    word == Some(&ErrorWord::MaintenanceInfoConflict)
}

fn refetch(deeds: &Lifecycle, view: &View) {
    let (deeds2, id) = (deeds.clone(), view.stock.broker.id.clone());
    deeds.spawn(async move {
        if let Err(error) = crate::broker::refresh_catalog(&deeds2, &id).await {
            tracing::warn!(broker = %id, error = %Chain(&error), "the catalog could not be looked at");
        }
    });
}
