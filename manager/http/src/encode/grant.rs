//! Who may refer to a shared instance.

use super::date::rfc3339;
use qm_manager_api::Grant as Shape;
use qm_model::share::Share;

pub(crate) fn shape(share: Share) -> Shape {
    let Share {
        id,
        instance_id,
        tenant,
        platform_id,
        granted_by,
        created_at,
    } = share;
    Shape {
        id: id.into(),
        service_instance_id: instance_id.into(),
        tenant,
        platform_id: platform_id.map(Into::into),
        granted_by,
        created_at: rfc3339(created_at),
    }
}
