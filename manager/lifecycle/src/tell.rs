//! The events of a change, put together. Deeds call it inside their transaction.
//!
//! The rule: what is told is made from the rows as this transaction sees and leaves them.

use crate::Lifecycle;
use qm_model::broker::Broker;
use qm_model::event::{Audience, Change, NewEvent};
use qm_model::id::{BrokerId, EventId, PlanId, PlatformId};
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::platform::Platform;
use qm_model::visibility::Visibility;
use qm_model::{Ctx, Kind, LabelChange, Labels};
use qm_policy::recipients::{self, BrokerFacts, Telling, VisibilityFacts};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Resources in the words of the wire. The doors know them; deeds only put them into events.
pub trait Words: Send + Sync {
    /// A broker, without credentials.
    fn broker(&self, broker: &Broker) -> Value;
    /// A catalog: offerings with their plans.
    fn services(&self, catalog: &[(Offering, Vec<Plan>)]) -> Value;
    /// A visibility.
    fn visibility(&self, visibility: &Visibility) -> Value;
    /// A plan.
    fn plan(&self, plan: &Plan) -> Value;
    /// Label changes.
    fn label_changes(&self, changes: &[LabelChange]) -> Value;
}

/// A broker and its catalog at one moment.
#[derive(Debug, Clone)]
pub(crate) struct BrokerSide {
    pub(crate) broker: Broker,
    pub(crate) catalog: Vec<(Offering, Vec<Plan>)>,
}

impl BrokerSide {
    fn words(&self, deeds: &Lifecycle) -> Value {
        json!({
            "resource": deeds.words.broker(&self.broker),
            "additional": {"services": deeds.words.services(&self.catalog)},
        })
    }

    pub(crate) fn plan_ids(&self) -> Vec<PlanId> {
        let plans = self.catalog.iter().flat_map(|(_, plans)| plans);
        plans.map(|plan| plan.id.clone()).collect()
    }

    pub(crate) fn facts(&self) -> BrokerFacts<'_> {
        BrokerFacts {
            rules: self
                .catalog
                .iter()
                .flat_map(|(_, plans)| plans.iter().map(Plan::platforms))
                .collect(),
            labels: &self.broker.meta.labels,
        }
    }
}

/// The events of a broker's change, and who must forget what it logs in with.
pub(crate) fn broker(
    deeds: &Lifecycle,
    ctx: &Ctx,
    old: Option<&BrokerSide>,
    new: Option<&BrokerSide>,
    platforms: &[Platform],
) -> Vec<NewEvent> {
    let Some(about) = new.or(old).map(|side| About::broker(&side.broker.id)) else {
        return Vec::new();
    };
    let tellings = recipients::of_broker(
        old.map(BrokerSide::facts).as_ref(),
        new.map(BrokerSide::facts).as_ref(),
        platforms,
        &deeds.settings.policy.tenant_label,
    );
    let labels = old
        .zip(new)
        .map(|(old, new)| (&old.broker.meta.labels, &new.broker.meta.labels));
    let sides = Sides {
        old: old.map(|side| side.words(deeds)),
        new: new.map(|side| side.words(deeds)),
        labels,
    };
    events(deeds, ctx, about, tellings, &sides)
}

/// Some platforms gain or lose a broker that has not changed.
pub(crate) fn broker_to(
    deeds: &Lifecycle,
    ctx: &Ctx,
    change: Change,
    side: &BrokerSide,
    who: BTreeSet<PlatformId>,
) -> Vec<NewEvent> {
    let told = vec![Telling {
        change,
        audience: Audience::Only(who),
    }];
    let about = About::broker(&side.broker.id);
    let sides = Sides::of(change, side.words(deeds));
    events(deeds, ctx, about, told, &sides)
}

/// A visibility with what platforms need to make sense of it.
#[derive(Debug, Clone)]
pub(crate) struct VisibilitySide {
    pub(crate) visibility: Visibility,
    pub(crate) broker: Broker,
    pub(crate) plan: Plan,
}

impl VisibilitySide {
    fn words(&self, deeds: &Lifecycle) -> Value {
        json!({
            "resource": deeds.words.visibility(&self.visibility),
            "additional": {
                "broker_id": self.broker.id.as_str(),
                "broker_name": self.broker.name,
                "service_plan": deeds.words.plan(&self.plan),
            },
        })
    }

    fn facts(&self) -> VisibilityFacts<'_> {
        VisibilityFacts {
            platform: self.visibility.platform_id.as_ref(),
            plan: &self.visibility.plan_id,
            broker: &self.broker.meta.labels,
        }
    }
}

/// The events of a visibility's change.
pub(crate) fn visibility(
    deeds: &Lifecycle,
    ctx: &Ctx,
    old: Option<&VisibilitySide>,
    new: Option<&VisibilitySide>,
    platforms: &[Platform],
) -> Vec<NewEvent> {
    // Of a broker that is not ready nobody has heard yet.
    let heard = |side: &&VisibilitySide| side.broker.meta.ready && side.visibility.meta.ready;
    let (old, new) = (old.filter(heard), new.filter(heard));
    let Some(about) = new.or(old).map(About::visibility) else {
        return Vec::new();
    };
    let tellings = recipients::of_visibility(
        old.map(VisibilitySide::facts),
        new.map(VisibilitySide::facts),
        platforms,
        &deeds.settings.policy.tenant_label,
    );
    let labels = old
        .zip(new)
        .map(|(old, new)| (&old.visibility.meta.labels, &new.visibility.meta.labels));
    let sides = Sides {
        old: old.map(|side| side.words(deeds)),
        new: new.map(|side| side.words(deeds)),
        labels,
    };
    events(deeds, ctx, about, tellings, &sides)
}

/// Some platforms gain the broker of a visibility, and with it the visibility.
pub(crate) fn visibility_to(
    deeds: &Lifecycle,
    ctx: &Ctx,
    side: &VisibilitySide,
    who: &BTreeSet<PlatformId>,
) -> Vec<NewEvent> {
    let own = side.visibility.platform_id.as_ref();
    let who: BTreeSet<_> = who
        .iter()
        .filter(|id| own.is_none_or(|own| own == *id))
        .cloned()
        .collect();
    let told = vec![Telling {
        change: Change::Created,
        audience: Audience::Only(who),
    }];
    let sides = Sides::of(Change::Created, side.words(deeds));
    events(deeds, ctx, About::visibility(side), told, &sides)
}

/// The two sides of a change in the words of the wire, and their labels.
struct Sides<'a> {
    old: Option<Value>,
    new: Option<Value>,
    labels: Option<(&'a Labels, &'a Labels)>,
}

impl Sides<'_> {
    /// One side of a change that is a change for the receiver only.
    fn of(change: Change, side: Value) -> Self {
        let (old, new) = match change {
            Change::Deleted => (Some(side), None),
            Change::Created | Change::Modified => (None, Some(side)),
        };
        Self {
            old,
            new,
            labels: None,
        }
    }
}

/// What an event is about, and which broker's view it outdates.
#[derive(Clone, Copy)]
struct About<'a> {
    resource: Kind,
    id: &'a str,
    broker: &'a BrokerId,
}

impl<'a> About<'a> {
    fn broker(id: &'a BrokerId) -> Self {
        Self {
            resource: Kind::Broker,
            id: id.as_str(),
            broker: id,
        }
    }

    fn visibility(side: &'a VisibilitySide) -> Self {
        Self {
            resource: Kind::Visibility,
            id: side.visibility.id.as_str(),
            broker: &side.broker.id,
        }
    }
}

fn events(
    deeds: &Lifecycle,
    ctx: &Ctx,
    about: About<'_>,
    tellings: Vec<Telling>,
    sides: &Sides<'_>,
) -> Vec<NewEvent> {
    tellings
        .into_iter()
        .filter(|telling| !telling.audience.is_nobody())
        .map(|Telling { change, audience }| NewEvent {
            id: EventId::stored(deeds.fresh()),
            resource: about.resource,
            resource_id: about.id.to_owned(),
            broker: Some(about.broker.clone()),
            change,
            audience,
            payload: payload(deeds, change, sides).to_string(),
            correlation_id: ctx.correlation_id.clone(),
        })
        .collect()
}

/// CREATED tells the new side, DELETED the old one, MODIFIED both and what became of the labels.
fn payload(deeds: &Lifecycle, change: Change, sides: &Sides<'_>) -> Value {
    let Sides { old, new, labels } = sides;
    let mut payload = Map::new();
    if change != Change::Deleted
        && let Some(new) = new
    {
        payload.insert("new".to_owned(), new.clone());
    }
    if change != Change::Created
        && let Some(old) = old
    {
        payload.insert("old".to_owned(), old.clone());
    }
    if change == Change::Modified {
        // Effective changes, value by value: a receiver need not know what was there before.
        let changes = labels
            .map(|(old, new)| old.difference(new).changes())
            .unwrap_or_default();
        if !changes.is_empty() && same_but_labels(old.as_ref(), new.as_ref()) {
            strip_labels(payload.get_mut("new"));
        }
        strip_labels(payload.get_mut("old"));
        payload.insert(
            "label_changes".to_owned(),
            deeds.words.label_changes(&changes),
        );
    }
    Value::Object(payload)
}

/// Whether the two sides differ in nothing that a receiver sees beside the labels.
fn same_but_labels(old: Option<&Value>, new: Option<&Value>) -> bool {
    let bare = |side: Option<&Value>| {
        let mut side = side.cloned();
        if let Some(resource) = side
            .as_mut()
            .and_then(|side| side.get_mut("resource"))
            .and_then(Value::as_object_mut)
        {
            for key in ["labels", "updated_at"] {
                resource.remove(key);
            }
        }
        side
    };
    bare(old) == bare(new)
}

fn strip_labels(side: Option<&mut Value>) {
    if let Some(resource) = side
        .and_then(|side| side.get_mut("resource"))
        .and_then(Value::as_object_mut)
    {
        resource.remove("labels");
    }
}
