//! Goes on with an operation that nobody works on: its process died, its answer was lost, or the broker takes its
//! time. The tasks claim operations and call this.
//!
//! The rule: only what is asked or deleted twice without harm is done here. A creation is never sent again: the broker
//! is asked for what it has, and what nobody knows of is deleted. An update is asked for; when nobody can tell, it has
//! failed and the last good values stay. A deletion is sent until there is an answer.

use super::conclude::{Case, conclude};
use super::judge::{
    Answered, Fault, LONGEST_WAIT, Verdict, judge, judge_own, judge_poll, progress,
};
use super::order::verb_of;
use super::poll::row;
use super::send::target;
use super::wait::Pace;
use super::{Order, at, own};
use crate::Lifecycle;
use crate::views::View;
use bytes::Bytes;
use http::Response;
use qm_model::operation::Operation;
use qm_model::{Ctx, Error, Time};
use qm_relay::RelayError;
use qm_store::operation::{Phase, Taken};
use quartermaster_osb::{Answer, BindingId, Call, InstanceId, Outcome, PlanId, Poll, Verb};
use std::sync::Arc;
use std::time::Duration;

/// Takes up an operation whose lease was just claimed, for long enough to call the broker twice
/// ([`Lifecycle::two_calls`]).
///
/// # Errors
/// The store's; the operation is then claimed again when the lease has run out.
pub async fn resume(deeds: &Lifecycle, taken: Taken) -> Result<(), Error> {
    let ctx = Ctx::system("resume", taken.operation.correlation_id.clone());
    let permit = qm_policy::door::resume(&ctx)?;
    if taken.phase == Phase::Cascading {
        return crate::cascade::turn(deeds, taken).await;
    }
    let mut order = Order::from_bytes(&taken.work)?;
    if let Some(own) = &mut order.own {
        own.keep = taken.keep_on_failure;
    }
    if taken.phase == Phase::Queued {
        return own::take_up(deeds, &ctx, &permit, taken, &order).await;
    }
    let subject = order.subject();
    let verb = verb_of(taken.operation.verb, subject.kind());
    at(verb.as_str(), "resumed");
    let known = subject.facts(deeds).await?;
    let work = Work {
        deeds,
        ctx: &ctx,
        order: &order,
        verb,
        operation: &taken.operation,
        broker_operation: taken.broker_operation.as_deref(),
        instance: order.instance_at_the_broker()?,
        binding: order
            .binding
            .clone()
            .map(BindingId::new)
            .transpose()
            .map_err(Error::internal)?,
    };
    let verdict = match deeds.view(&order.broker).await {
        Ok(view) => work.go_on(view, taken.phase, deeds.lease_now()).await,
        Err(Error::Missing(_)) => Verdict::Failed(Fault::new(
            "NotFound",
            "the broker is no longer registered; nobody can ask it",
        )),
        Err(error) => return Err(error),
    };
    let case = Case {
        permit: &permit,
        held: taken.held,
        verb,
        order: &order,
        row: row(&subject, &known),
        attempts: taken.operation.attempts,
        pace: match taken.phase {
            Phase::Polling => Pace::poll(&deeds.settings.osb, order.own.is_some()),
            Phase::Intent if taken.operation.attempts == 0 => Pace::grace(&deeds.settings.osb),
            _ => Pace::retry(&deeds.settings.osb),
        },
    };
    conclude(deeds, &ctx, case, verdict).await
}

/// How long after its end is due what a failed creation may have left is deleted again and again.
const PATIENCE: Duration = Duration::from_secs(7 * 24 * 3600);

/// An operation that is gone on with.
struct Work<'a> {
    deeds: &'a Lifecycle,
    ctx: &'a Ctx,
    order: &'a Order,
    verb: Verb,
    operation: &'a Operation,
    broker_operation: Option<&'a str>,
    instance: InstanceId,
    binding: Option<BindingId>,
}

impl Work<'_> {
    async fn go_on(&self, view: Arc<View>, phase: Phase, now: Time) -> Verdict {
        let late = self
            .operation
            .deadline
            .is_some_and(|deadline| deadline <= now);
        match (self.verb, phase) {
            (_, Phase::Mitigating) => self.clean(&view, now).await,
            (_, Phase::Polling) => self.poll(&view, late).await,
            (Verb::Provision | Verb::Bind, _) => self.find(&view, late).await,
            (Verb::Update, _) => self.compare(&view, late).await,
            (_, _) => self.delete_again(&view, late).await,
        }
    }

    /// Deletes what may be left of a creation that failed, until the broker says that nothing is.
    async fn clean(&self, view: &View, now: Time) -> Verdict {
        let answer = self.ask(view, &self.deletion()).await;
        let mut accepted = false;
        let gone = match judge(self.deleting(), &answer) {
            Verdict::Done(_) => true,
            // Asked for again next time, if it goes on for longer.
            Verdict::Pending(begun) => {
                accepted = true;
                self.is_deleted(view, begun.operation).await
            }
            _ => false,
        };
        if gone {
            // The creation has failed all the same; `Failed` removes its row.
            return Verdict::Failed(self.first_fault());
        }
        if self
            .operation
            .deadline
            .is_some_and(|end| end.plus(PATIENCE) <= now)
        {
            return Verdict::Abandoned(Fault::new(
                "OrphanMitigationFailed",
                "the broker did not delete what its failed creation left; look there and delete it by hand",
            ));
        }
        if accepted {
            return Verdict::Unknown(Fault::waiting("the broker deletes what may be left of it"));
        }
        Verdict::Unknown(Fault::new("ServiceBrokerErr", said(&answer)))
    }

    /// Whether a deletion that the broker has begun is at its end.
    async fn is_deleted(&self, view: &View, operation: Option<String>) -> bool {
        let call = self.polling(operation);
        let answer = self.ask(view, &call).await;
        let polled = outcome(call.verb(), &answer);
        matches!(judge_poll(self.deleting(), &polled), Some(Verdict::Done(_)))
    }

    /// Asks how it goes.
    async fn poll(&self, view: &View, late: bool) -> Verdict {
        let call = self.polling(self.broker_operation.map(str::to_owned));
        let answer = self.ask(view, &call).await;
        let outcome = outcome(call.verb(), &answer);
        match judge_poll(self.verb, &outcome) {
            // Without its credentials nobody can use it (P18).
            Some(Verdict::Done(_)) if self.verb == Verb::Bind && self.order.own.is_some() => {
                self.credentials(view, late).await
            }
            // What the broker broke on is asked for once more (T15).
            Some(Verdict::Failed(fault)) if self.own_deletion() && !late => Verdict::Later(fault),
            Some(verdict) => verdict,
            None if late => self.timeout(),
            None => Verdict::Unknown(Fault {
                wait: wait_of(&outcome),
                // A platform hears it from the broker.
                said: self.order.own.as_ref().and_then(|_| progress(&outcome)),
                ..Fault::waiting("the broker works on it")
            }),
        }
    }

    /// A binding is made; what lets an application in has to be fetched.
    async fn credentials(&self, view: &View, late: bool) -> Verdict {
        let call = self.fetching();
        let answer = self.ask(view, &call).await;
        match outcome(call.verb(), &answer) {
            Outcome::Success(Answer::Binding(binding)) => Verdict::Done(Answered {
                binding: Some(binding),
                ..Answered::default()
            }),
            Outcome::Lost | Outcome::NotSent | Outcome::Broken { .. } if !late => {
                Verdict::Unknown(Fault::new("ServiceBrokerErr", said(&answer)))
            }
            _ => Verdict::Orphan(Fault::new(
                "BrokerError",
                format!(
                    "the binding was made, but its credentials could not be fetched: {}",
                    said(&answer)
                ),
            )),
        }
    }

    /// A creation whose answer nobody got: is it there?
    async fn find(&self, view: &View, late: bool) -> Verdict {
        if self.operation.attempts == 0 && self.order.own.is_none() {
            // The platform may come back by itself, with the same request or to delete it.
            return Verdict::Unknown(Fault::waiting(
                "its sender died; the platform may come back",
            ));
        }
        if self.order.retrievable {
            let call = self.fetching();
            let answer = self.ask(view, &call).await;
            match outcome(call.verb(), &answer) {
                Outcome::Success(Answer::Instance(instance)) => {
                    return Verdict::Done(Answered {
                        dashboard_url: instance.dashboard_url.clone(),
                        ..Answered::default()
                    });
                }
                Outcome::Success(Answer::Binding(binding)) => {
                    return Verdict::Done(Answered {
                        binding: self.order.own.as_ref().map(|_| binding),
                        ..Answered::default()
                    });
                }
                Outcome::Success(_) => return Verdict::Done(Answered::default()),
                Outcome::Lost | Outcome::NotSent | Outcome::Broken { .. } if !late => {
                    return Verdict::Unknown(Fault::new("ServiceBrokerErr", said(&answer)));
                }
                _ => {}
            }
        }
        let call = self.polling(self.broker_operation.map(str::to_owned));
        let answer = self.ask(view, &call).await;
        let polled = outcome(call.verb(), &answer);
        match (&polled, judge_poll(self.verb, &polled)) {
            (_, Some(verdict)) => verdict,
            (Outcome::Success(_), None) if !late => Verdict::Pending(Answered::default()),
            (Outcome::NotSent, None) if !late => {
                Verdict::Unknown(Fault::new("ServiceBrokerErr", said(&answer)))
            }
            // Nobody knows of it: what may be there is an orphan.
            _ => Verdict::Orphan(Fault::new(
                "ServiceBrokerErr",
                "the manager was stopped while the broker was called, and nobody can tell what came of it",
            )),
        }
    }

    /// An update whose answer nobody got: has it happened?
    async fn compare(&self, view: &View, late: bool) -> Verdict {
        let call = self.fetching();
        let new = self.order.update.as_ref();
        let plan = new.and_then(|new| new.catalog_plan.as_deref());
        let changes_plan = plan.is_some() && plan != self.order.plan_id.as_deref();
        if self.order.retrievable && changes_plan {
            let answer = self.ask(view, &call).await;
            match outcome(call.verb(), &answer) {
                Outcome::Success(Answer::Instance(instance)) => {
                    let now = instance.plan_id.as_ref().map(PlanId::as_str);
                    if now == plan {
                        return Verdict::Done(Answered {
                            dashboard_url: instance.dashboard_url.clone(),
                            ..Answered::default()
                        });
                    }
                }
                Outcome::Lost | Outcome::NotSent | Outcome::Broken { .. } if !late => {
                    return Verdict::Unknown(Fault::new("ServiceBrokerErr", said(&answer)));
                }
                _ => {}
            }
        }
        let call = self.polling(self.broker_operation.map(str::to_owned));
        let answer = self.ask(view, &call).await;
        let polled = outcome(call.verb(), &answer);
        match &polled {
            Outcome::Success(Answer::LastOperation { .. })
                if judge_poll(self.verb, &polled).is_none() && !late =>
            {
                Verdict::Pending(Answered::default())
            }
            Outcome::NotSent if !late => {
                Verdict::Unknown(Fault::new("ServiceBrokerErr", said(&answer)))
            }
            _ => Verdict::Failed(Fault::new(
                "ServiceBrokerErr",
                "nobody can tell whether the broker changed it; the last values that it confirmed are kept",
            )),
        }
    }

    /// A deletion whose answer nobody got is sent again.
    async fn delete_again(&self, view: &View, late: bool) -> Verdict {
        if self.order.queued && self.operation.attempts > 0 {
            // Some brokers notice the end of their work only when they are asked how it goes.
            let before = self.order.before.clone();
            let _ = self.ask(view, &self.polling(before)).await;
        }
        let call = self.deletion();
        let answer = self.ask(view, &call).await;
        let verdict = if self.order.own.is_some() {
            judge_own(self.verb, &answer)
        } else {
            judge(self.verb, &answer)
        };
        match verdict {
            Verdict::Unknown(_) | Verdict::Failed(_) if late => self.timeout(),
            // The broker broke on what may be its second time: once more, until the deadline.
            Verdict::Failed(fault) if is_broken(&answer) => Verdict::Unknown(fault),
            verdict => verdict,
        }
    }

    fn own_deletion(&self) -> bool {
        self.order.own.is_some() && self.verb == self.deleting()
    }

    fn timeout(&self) -> Verdict {
        let fault = Fault::new(
            "Timeout",
            "the broker did not finish within the time that the operation may take",
        );
        match self.verb {
            Verb::Provision | Verb::Bind => Verdict::Orphan(fault),
            _ => Verdict::Failed(fault),
        }
    }

    /// Why the creation failed in the first place.
    fn first_fault(&self) -> Fault {
        let text = |key: &str| {
            let errors = self.operation.errors.as_ref()?;
            errors.get(key)?.as_str().map(str::to_owned)
        };
        Fault::new(
            text("error").unwrap_or_else(|| "ServiceBrokerErr".to_owned()),
            text("description").unwrap_or_else(|| "its creation failed".to_owned()),
        )
    }

    async fn ask(&self, view: &View, call: &Call) -> Result<Response<Bytes>, RelayError> {
        let envelope = self.order.envelope(&self.ctx.correlation_id);
        self.deeds.relay.ask(&target(view), call, &envelope).await
    }

    fn deleting(&self) -> Verb {
        match self.order.binding {
            Some(_) => Verb::Unbind,
            None => Verb::Deprovision,
        }
    }

    fn deletion(&self) -> Call {
        let (instance, binding) = self.ids();
        let hints = self.order.hints();
        match binding {
            Some(binding) => Call::Unbind {
                instance,
                binding,
                accepts_incomplete: true,
                hints,
            },
            None => Call::Deprovision {
                instance,
                accepts_incomplete: true,
                hints,
            },
        }
    }

    fn fetching(&self) -> Call {
        let (instance, binding) = self.ids();
        let hints = self.order.hints();
        match binding {
            Some(binding) => Call::FetchBinding {
                instance,
                binding,
                hints,
            },
            None => Call::FetchInstance { instance, hints },
        }
    }

    fn polling(&self, operation: Option<String>) -> Call {
        let (instance, binding) = self.ids();
        let poll = Poll {
            hints: self.order.hints(),
            operation,
        };
        match binding {
            Some(binding) => Call::PollBinding {
                instance,
                binding,
                poll,
            },
            None => Call::PollInstance { instance, poll },
        }
    }

    fn ids(&self) -> (InstanceId, Option<BindingId>) {
        (self.instance.clone(), self.binding.clone())
    }
}

fn outcome(verb: Verb, answer: &Result<Response<Bytes>, RelayError>) -> Outcome {
    match answer {
        Ok(answer) => Outcome::parse(verb, answer),
        Err(error) => error.outcome(),
    }
}

/// How long the broker wants not to be asked.
fn wait_of(outcome: &Outcome) -> Option<Duration> {
    match outcome {
        Outcome::Success(Answer::LastOperation { retry_after, .. }) => {
            retry_after.map(|seconds| Duration::from_secs(seconds.min(LONGEST_WAIT)))
        }
        _ => None,
    }
}

fn is_broken(answer: &Result<Response<Bytes>, RelayError>) -> bool {
    match answer {
        Ok(answer) => answer.status().is_server_error(),
        Err(_) => true,
    }
}

fn said(answer: &Result<Response<Bytes>, RelayError>) -> String {
    match answer {
        Ok(answer) => format!("the broker answered {}", answer.status()),
        Err(error) => error.to_string(),
    }
}
