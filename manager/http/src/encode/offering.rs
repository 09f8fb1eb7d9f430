//! An offering; its plans stand in it where platforms are told of a broker, and where somebody asks for them.

use super::Encode;
use super::base::{base, object};
use super::operation::last;
use qm_lifecycle::Shown;
use qm_manager_api::{Offering as Shape, Plan as PlanShape};
use qm_model::offering::Offering;

impl Encode for Offering {
    type Shape = Shape;

    fn encode(shown: Shown<Self>) -> Shape {
        with_plans(shown, Vec::new())
    }
}

pub(crate) fn with_plans(shown: Shown<Offering>, plans: Vec<PlanShape>) -> Shape {
    let Shown {
        resource,
        last_operation,
    } = shown;
    let Offering {
        id,
        broker_id,
        name,
        description,
        bindable,
        plan_updateable,
        instances_retrievable,
        bindings_retrievable,
        allow_context_updates,
        tags,
        requires,
        metadata,
        catalog_id,
        catalog_name,
        // Only asked for, never shown.
        data_center: _,
        meta,
    } = resource;
    Shape {
        base: base(id, meta),
        last_operation: last(last_operation),
        name,
        description,
        bindable,
        instances_retrievable,
        bindings_retrievable,
        plan_updateable,
        allow_context_updates,
        tags,
        requires,
        metadata: object(metadata),
        broker_id: broker_id.into(),
        catalog_id,
        catalog_name,
        plans,
    }
}
