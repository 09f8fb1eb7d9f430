//! A broker, without what it logs in with.

use super::Encode;
use super::base::base;
use super::date::rfc3339;
use super::operation::last;
use qm_lifecycle::Shown;
use qm_manager_api::{Broker as Shape, CatalogState as CatalogShape, HeldChange as HeldShape};
use qm_model::broker::{Broker, CatalogState, Difference, HeldChange};

impl Encode for Broker {
    type Shape = Shape;

    fn encode(shown: Shown<Self>) -> Shape {
        let Shown {
            resource,
            last_operation,
        } = shown;
        let Self {
            id,
            name,
            description,
            url,
            meta,
            catalog,
        } = resource;
        Shape {
            base: base(id, meta),
            last_operation: last(last_operation),
            name,
            description,
            broker_url: url,
            credentials: None,
            catalog: Some(catalog_state(catalog)),
        }
    }
}

fn catalog_state(state: CatalogState) -> CatalogShape {
    let CatalogState {
        etag,
        fetched_at,
        problem,
        held,
    } = state;
    CatalogShape {
        fetched_at: fetched_at.map(rfc3339),
        etag,
        error: problem,
        held: held.map(held_change),
    }
}

fn held_change(held: HeldChange) -> HeldShape {
    let HeldChange {
        at,
        reason,
        difference,
    } = held;
    let Difference {
        added,
        changed,
        removed,
    } = difference;
    HeldShape {
        at: rfc3339(at),
        reason,
        removed_plans: removed,
        added_plans: added,
        changed_plans: changed,
    }
}
