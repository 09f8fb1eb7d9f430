//! A service instance, with how it does.

use super::Encode;
use super::base::{base, object};
use super::operation::last;
use qm_lifecycle::Shown;
use qm_lifecycle::read::condition::{self, Condition, Word};
use qm_manager_api::{Instance as Shape, InstanceState};
use qm_model::instance::Instance;

impl Encode for Instance {
    type Shape = Shape;

    fn encode(shown: Shown<Self>) -> Shape {
        let Shown {
            resource,
            last_operation,
        } = shown;
        let Condition { word, message } = condition::of(&resource, last_operation.as_ref());
        let Self {
            id,
            name,
            plan_id,
            platform_id,
            dashboard_url,
            maintenance_info,
            context,
            referenced_instance_id,
            shared,
            usable,
            meta,
        } = resource;
        Shape {
            base: base(id, meta),
            last_operation: last(last_operation),
            name,
            service_plan_id: plan_id.into(),
            referenced_instance_id: referenced_instance_id.map(Into::into),
            platform_id: platform_id.into(),
            dashboard_url,
            maintenance_info: object(maintenance_info),
            context: object(context),
            usable,
            shared,
            state: Some(state(word)),
            message,
        }
    }
}

fn state(word: Word) -> InstanceState {
    match word {
        Word::Creating => InstanceState::Creating,
        Word::Ready => InstanceState::Ready,
        Word::Updating => InstanceState::Updating,
        Word::Deleting => InstanceState::Deleting,
        Word::CreateFailed => InstanceState::CreateFailed,
        Word::UpdateFailed => InstanceState::UpdateFailed,
        Word::DeleteFailed => InstanceState::DeleteFailed,
        Word::Unusable => InstanceState::Unusable,
    }
}
