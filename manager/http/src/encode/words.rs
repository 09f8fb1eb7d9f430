//! Resources in the words of the wire, for the payloads of events.

use super::{Encode, Wire, offering};
use qm_lifecycle::{Shown, Words};
use qm_manager_api::{LabelChange as ChangeShape, LabelOp as OpShape, Plan as PlanShape};
use qm_model::LabelChange;
use qm_model::broker::Broker;
use qm_model::label::LabelOp;
use qm_model::offering::Offering;
use qm_model::plan::Plan;
use qm_model::visibility::Visibility;
use serde::Serialize;
use serde_json::Value;

impl Words for Wire {
    fn broker(&self, broker: &Broker) -> Value {
        let mut shape = Broker::encode(alone(broker));
        // What became of its catalog is the operator's affair, and would make events differ that do not.
        shape.catalog = None;
        value(&shape)
    }

    fn services(&self, catalog: &[(Offering, Vec<Plan>)]) -> Value {
        let services = catalog.iter().map(|(offering, plans)| {
            let plans: Vec<PlanShape> =
                plans.iter().map(|plan| Plan::encode(alone(plan))).collect();
            offering::with_plans(alone(offering), plans)
        });
        value(&services.collect::<Vec<_>>())
    }

    fn visibility(&self, visibility: &Visibility) -> Value {
        value(&Visibility::encode(alone(visibility)))
    }

    fn plan(&self, plan: &Plan) -> Value {
        value(&Plan::encode(alone(plan)))
    }

    fn label_changes(&self, changes: &[LabelChange]) -> Value {
        value(&changes.iter().map(change).collect::<Vec<_>>())
    }
}

fn alone<R: Clone>(resource: &R) -> Shown<R> {
    Shown {
        resource: resource.clone(),
        last_operation: None,
    }
}

fn value(shape: &impl Serialize) -> Value {
    // Fails only for maps whose keys are no text; the shapes have none.
    serde_json::to_value(shape).unwrap_or_default()
}

fn change(change: &LabelChange) -> ChangeShape {
    let LabelChange { op, key, values } = change;
    ChangeShape {
        op: match op {
            LabelOp::Add => OpShape::Add,
            LabelOp::AddValues => OpShape::AddValues,
            LabelOp::Remove => OpShape::Remove,
            LabelOp::RemoveValues => OpShape::RemoveValues,
            LabelOp::Replace => OpShape::Replace,
        },
        key: key.clone(),
        values: values.clone(),
    }
}
