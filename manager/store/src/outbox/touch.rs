//! Writes down what a transaction touches. [`Store`](crate::Store) calls it at the end of every change.
//!
//! The rule: the table functions say what they touch, so no deed can forget to; and what an event already says is not
//! said again. A touch is a row for nobody: it takes a revision, and no platform ever gets it.

use super::{Touched, append};
use crate::{Error, Tx};
use qm_model::Time;
use qm_model::event::{Audience, NewEvent};
use qm_model::id::{BrokerId, EventId};
use std::collections::BTreeSet;

/// What a transaction touches.
#[derive(Debug, Default)]
pub(crate) struct Touches {
    touched: BTreeSet<Touched>,
    /// Brokers that an event of this transaction is about.
    told: BTreeSet<BrokerId>,
    /// When, as far as the deed has said.
    at: Option<Time>,
}

impl Touches {
    pub(crate) fn touch(&mut self, touched: Touched) {
        self.touched.insert(touched);
    }

    /// An event was appended.
    pub(super) fn told(&mut self, broker: Option<&BrokerId>, at: Time) {
        self.told.extend(broker.cloned());
        self.at(at);
    }

    /// What time it is for the deed.
    pub(crate) fn at(&mut self, at: Time) {
        self.at = Some(at);
    }
}

/// Writes what no event says, and gives back all that is touched.
pub(crate) async fn write(tx: &Tx<'_>) -> Result<Vec<Touched>, Error> {
    let Touches { touched, told, at } = std::mem::take(&mut *tx.touches());
    // Without a word about the time it is as old as can be: what nobody is told need not be kept.
    let at = at.unwrap_or(Time(0));
    for touched in &touched {
        if !matches!(touched, Touched::View(broker) if told.contains(broker)) {
            append(tx, &event(touched), at).await?;
        }
    }
    let told = told.into_iter().map(Touched::View);
    Ok(touched.into_iter().chain(told).collect())
}

fn event(touched: &Touched) -> NewEvent {
    let (resource, id, change, broker) = touched.row();
    NewEvent {
        id: EventId::stored(uuid::Uuid::new_v4().to_string()),
        resource,
        resource_id: id.to_owned(),
        change,
        audience: Audience::Only(BTreeSet::new()),
        payload: "{}".to_owned(),
        correlation_id: String::new(),
        broker: broker.cloned(),
    }
}
