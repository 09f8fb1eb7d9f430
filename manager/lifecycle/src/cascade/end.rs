//! The end of a node: nothing depends on its resource any more, or what does cannot be removed.
//!
//! The rule: that nothing is left is looked at again in the transaction that takes the row away, or that hands the node
//! to the engine.

use super::errors::{self, MOST};
use super::node::Node;
use crate::engine::{self, Erasure, Errand, Subject, at};
use crate::instance::reference;
use crate::{How, Mode};
use qm_model::audit::{Entry, Outcome};
use qm_model::binding::Binding;
use qm_model::broker::Broker;
use qm_model::event::{Audience, Change as Told, NewEvent};
use qm_model::id::EventId;
use qm_model::instance::Instance;
use qm_model::operation::{Operation, State};
use qm_model::{Ctx, Error, Kind};
use qm_policy::{Change, Permit, Scope};
use qm_store::operation::family;
use qm_store::operation::{Phase, Taken, finish};
use qm_store::{Tx, audit, outbox, resource};
use std::collections::BTreeSet;

/// What is left to be done for a resource that nothing depends on.
enum Last {
    /// Its row goes.
    Row,
    /// Its broker deletes it.
    Call(Box<Instance>, Subject),
}

impl Node<'_> {
    /// The manager's own right: the one who began it was asked then.
    pub(super) fn permit(&self) -> Result<Permit<Change>, Error> {
        let own = Ctx::system("cascade", self.ctx.correlation_id.clone());
        let kind = self.operation.resource_kind;
        qm_policy::change(&own, kind, &self.deeds.settings.policy)
    }

    /// Nothing is left below. False: there is something again.
    ///
    /// # Errors
    /// The store's.
    pub(super) async fn end(&self) -> Result<bool, Error> {
        at("cascade", "bare");
        match self.last().await? {
            Last::Row => self.take_away().await,
            Last::Call(instance, subject) => self.hand_over(&instance, subject).await,
        }
    }

    async fn last(&self) -> Result<Last, Error> {
        let (kind, id) = (
            self.operation.resource_kind,
            self.operation.resource_id.clone(),
        );
        let found = self
            .deeds
            .store
            .read(async move |tx: &Tx<'_>| {
                let (subject, of) = match kind {
                    Kind::Binding => {
                        let binding: Option<Binding> = resource::get(tx, &Scope::All, &id).await?;
                        let Some(binding) = binding else {
                            return Ok(None);
                        };
                        let of = binding.instance_id.clone();
                        (
                            Some(Subject::Binding(of.clone(), binding.id)),
                            of.to_string(),
                        )
                    }
                    Kind::Instance => (None, id),
                    _ => return Ok(None),
                };
                let instance: Option<Instance> = resource::get(tx, &Scope::All, &of).await?;
                Ok::<_, Error>(instance.map(|instance| (instance, subject)))
            })
            .await?;
        Ok(match found {
            Some((instance, Some(binding))) => Last::Call(Box::new(instance), binding),
            // No broker knows of it.
            Some((instance, None)) if instance.referenced_instance_id.is_some() => Last::Row,
            Some((instance, None)) => {
                let subject = Subject::Instance(instance.id.clone());
                Last::Call(Box::new(instance), subject)
            }
            None => Last::Row,
        })
    }

    /// Its broker is called next: by the engine, right here.
    async fn hand_over(&self, instance: &Instance, subject: Subject) -> Result<bool, Error> {
        let deeds = self.deeds;
        let (plan, target) = reference::at_the_broker(deeds, instance).await?;
        let wish = Erasure {
            subject,
            plan,
            target,
            family: self.operation.family.clone(),
            force: self.wish.force,
        };
        let how = How {
            mode: Mode::Async,
            identity: None,
        };
        let Errand {
            view,
            order,
            longest,
        } = engine::errand(deeds, &self.ctx, &wish, &how).await?;
        let work = order.to_bytes()?;
        let deadline = deeds.lease_now().plus(engine::longest_of(deeds, longest));
        let broker = view.stock.broker.id.clone();
        let queued = {
            let (branch, held, now) = (self.branch.clone(), self.held.clone(), deeds.now());
            let (broker, work) = (broker.clone(), work.clone());
            deeds
                .store
                .change(&self.permit()?, async move |tx: &Tx<'_>| {
                    if !branch.is_bare(tx).await? {
                        return Ok(false);
                    }
                    family::queue(tx, &held, &broker, &work, Some(deadline), now).await?;
                    Ok::<_, Error>(true)
                })
                .await?
        };
        if !queued {
            return Ok(false);
        }
        at("cascade", "queued");
        let taken = Taken {
            held: self.held.clone(),
            operation: Operation {
                state: State::InProgress,
                attempts: 0,
                deadline: Some(deadline),
                ..self.operation.clone()
            },
            work,
            keep_on_failure: true,
            phase: Phase::Queued,
            broker_id: Some(broker),
            broker_operation: None,
        };
        engine::resume(deeds, taken).await?;
        Ok(true)
    }

    /// Its row goes, and the operation has ended.
    async fn take_away(&self) -> Result<bool, Error> {
        let (deeds, ctx) = (self.deeds.clone(), self.ctx.clone());
        let (branch, held, operation) = (
            self.branch.clone(),
            self.held.clone(),
            self.operation.clone(),
        );
        let words = if self.is_root() {
            "all of it is gone"
        } else {
            ""
        };
        let gone = self
            .deeds
            .store
            .change(&self.permit()?, async move |tx: &Tx<'_>| {
                if !branch.is_bare(tx).await? {
                    return Ok(false);
                }
                let now = deeds.now();
                let id = operation.resource_id.as_str();
                // The fence first: whoever lost the lease removes nothing.
                finish(tx, &held, State::Succeeded, None, words, now).await?;
                match operation.resource_kind {
                    Kind::Platform => {
                        if let Some(platform) = qm_store::platform::get_any(tx, id).await? {
                            crate::platform::take_away(tx, &ctx, &platform, now).await?;
                        }
                    }
                    Kind::Broker => {
                        let broker: Option<Broker> = resource::get(tx, &Scope::All, id).await?;
                        if let Some(broker) = broker {
                            crate::broker::take_away(tx, &deeds, &ctx, &broker, now).await?;
                        }
                    }
                    kind => {
                        if let Kind::Instance = kind {
                            let instance: Option<Instance> =
                                resource::get(tx, &Scope::All, id).await?;
                            if let Some(instance) = instance {
                                qm_store::instance::delete(tx, &instance.id).await?;
                                let event = NewEvent {
                                    id: EventId::stored(deeds.fresh()),
                                    resource: kind,
                                    resource_id: id.to_owned(),
                                    change: Told::Deleted,
                                    audience: Audience::Only(BTreeSet::new()),
                                    payload: "{}".to_owned(),
                                    correlation_id: ctx.correlation_id.clone(),
                                    broker: None,
                                };
                                outbox::append(tx, &event, now).await?;
                            }
                        }
                        let entry = entry(&ctx, &operation, now, Outcome::Succeeded, words);
                        audit::append(tx, &entry).await?;
                    }
                }
                Ok::<_, Error>(true)
            })
            .await?;
        if gone && self.operation.resource_kind == Kind::Broker {
            let id = qm_model::id::BrokerId::stored(self.operation.resource_id.clone());
            self.deeds.relay.forget(&id);
        }
        at("cascade", "ended");
        Ok(gone)
    }

    /// What is left below cannot be removed.
    ///
    /// # Errors
    /// The store's.
    pub(super) async fn fail(&self, left: u64, late: bool) -> Result<(), Error> {
        let (root, branch) = (self.root.clone(), self.branch.clone());
        let failed = self
            .deeds
            .store
            .read(async move |tx: &Tx<'_>| Ok::<_, Error>(branch.failures(tx, &root, MOST).await?))
            .await?;
        let kind = self.operation.resource_kind;
        let id = self.operation.resource_id.as_str();
        let (mut errors, mut description) = errors::gathered(kind, id, &failed, left);
        if late {
            description = format!("it was not finished before its deadline; {description}");
            errors["error"] = "Timeout".into();
            errors["description"] = description.as_str().into();
        }
        let now = self.deeds.now();
        let entry = entry(
            &self.ctx,
            &self.operation,
            now,
            Outcome::Failed,
            &description,
        );
        let held = self.held.clone();
        self.deeds
            .store
            .change(&self.permit()?, async move |tx: &Tx<'_>| {
                let state = State::Failed;
                finish(tx, &held, state, Some(&errors), &description, now).await?;
                Ok(audit::append(tx, &entry).await?)
            })
            .await
    }
}

fn entry(
    ctx: &Ctx,
    operation: &Operation,
    now: qm_model::Time,
    outcome: Outcome,
    words: &str,
) -> Entry {
    Entry::of(
        ctx,
        now,
        "delete",
        Some(operation.resource_kind),
        operation.resource_id.as_str(),
        outcome,
        words.to_owned(),
    )
}
