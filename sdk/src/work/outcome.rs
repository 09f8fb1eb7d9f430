//! What a function came to, as it is stored.
//!
//! Pure: from the record before and what the author's function returned to what is written.

use crate::broker::erased::Done;
use crate::broker::failure::Failure;
use crate::record::{Change, Life, Made, Record, Work};
use crate::store::Settled;
use quartermaster_osb::{Object, State};

/// It went well.
pub(super) fn succeeded(record: &Record, done: &Done, announce: bool) -> Settled {
    let mut settled = Settled {
        life: Life::Ready,
        state: State::Succeeded,
        text: None,
        instance_usable: None,
        update_repeatable: None,
        plan: None,
        spec: None,
        made: None,
        announce,
    };
    match done {
        Done::Provisioned(provisioned) => {
            settled.made = Some(Some(Made {
                // What was said in the 202 stays unless the job says otherwise.
                dashboard_url: provisioned
                    .dashboard_url
                    .clone()
                    .or_else(|| record.made.dashboard_url.clone()),
                metadata: provisioned.metadata.clone(),
                binding: None,
            }));
        }
        Done::Bound(binding) => {
            settled.made = Some(Some(Made {
                binding: Some((**binding).clone()),
                ..Made::default()
            }));
        }
        Done::Updated(updated) => {
            let change = record
                .op
                .as_ref()
                .and_then(|op| op.intent.as_ref())
                .and_then(|intent| intent.change.clone())
                .unwrap_or_default();
            let Change {
                plan,
                parameters,
                maintenance_version,
                context,
            } = change;
            let mut spec = record.spec.as_deref().cloned().unwrap_or_default();
            let merged = match (&updated.parameters, parameters) {
                (Some(all), _) => all.clone(),
                (None, Some(changes)) => {
                    overlay(spec.parameters.expose().clone(), changes.into_exposed())
                }
                (None, None) => spec.parameters.expose().clone(),
            };
            spec.parameters = merged.into();
            spec.maintenance_version = maintenance_version.or(spec.maintenance_version);
            spec.context = context.unwrap_or(spec.context);
            settled.plan = plan.map(String::from);
            settled.spec = Some(Some(spec));
            settled.made = Some(Some(Made {
                dashboard_url: updated
                    .dashboard_url
                    .clone()
                    .or_else(|| record.made.dashboard_url.clone()),
                metadata: updated
                    .metadata
                    .clone()
                    .or_else(|| record.made.metadata.clone()),
                binding: None,
            }));
        }
        Done::Deleted => {
            settled.life = Life::Gone;
            settled.spec = Some(None);
            settled.made = Some(None);
        }
    }
    settled
}

/// It went badly, and something may have been done.
pub(super) fn failed(record: &Record, failure: &Failure, announce: bool) -> Settled {
    let op = record.op.as_ref();
    let prior = op.and_then(|op| op.prior);
    let life = match (op.map(|op| op.work), prior) {
        (Some(Work::Update), _) | (Some(Work::Delete), Some(Life::Ready)) => Life::Ready,
        _ => Life::Failed,
    };
    Settled {
        life,
        state: State::Failed,
        text: Some(failure.text().to_owned()),
        instance_usable: failure.body.instance_usable,
        update_repeatable: failure.body.update_repeatable,
        plan: None,
        spec: None,
        made: None,
        announce,
    }
}

/// Lays changes over parameters, key by key.
fn overlay(mut under: Object, over: Object) -> Object {
    under.extend(over);
    under
}
