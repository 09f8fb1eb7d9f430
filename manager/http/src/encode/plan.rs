//! A plan.

use super::Encode;
use super::base::{base, object};
use super::operation::last;
use qm_lifecycle::Shown;
use qm_manager_api::Plan as Shape;
use qm_model::plan::Plan;

impl Encode for Plan {
    type Shape = Shape;

    fn encode(shown: Shown<Self>) -> Shape {
        let Shown {
            resource,
            last_operation,
        } = shown;
        let Self {
            id,
            offering_id,
            name,
            description,
            free,
            bindable,
            plan_updateable,
            metadata,
            schemas,
            maximum_polling_duration,
            maintenance_info,
            catalog_id,
            catalog_name,
            meta,
        } = resource;
        Shape {
            base: base(id, meta),
            last_operation: last(last_operation),
            name,
            description,
            catalog_id,
            catalog_name,
            free,
            bindable,
            plan_updateable,
            metadata: object(metadata),
            schemas: object(schemas),
            maximum_polling_duration: maximum_polling_duration
                .and_then(|seconds| u64::try_from(seconds).ok()),
            maintenance_info: object(maintenance_info),
            service_offering_id: offering_id.into(),
        }
    }
}
