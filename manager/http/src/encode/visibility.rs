//! A visibility. A public one has an empty platform and not none: clients look for the field.

use super::Encode;
use super::base::base;
use super::operation::last;
use qm_lifecycle::Shown;
use qm_manager_api::Visibility as Shape;
use qm_model::visibility::Visibility;

impl Encode for Visibility {
    type Shape = Shape;

    fn encode(shown: Shown<Self>) -> Shape {
        let Shown {
            resource,
            last_operation,
        } = shown;
        let Self {
            id,
            platform_id,
            plan_id,
            meta,
        } = resource;
        Shape {
            base: base(id, meta),
            last_operation: last(last_operation),
            platform_id: platform_id.map(String::from).unwrap_or_default(),
            service_plan_id: plan_id.into(),
        }
    }
}
