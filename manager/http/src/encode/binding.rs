//! A service binding, without its credentials: they are sealed in the store and read apart.

use super::Encode;
use super::base::{base, object};
use super::operation::last;
use qm_lifecycle::Shown;
use qm_manager_api::{Binding as Shape, Secret};
use qm_model::binding::Binding;

impl Encode for Binding {
    type Shape = Shape;

    fn encode(shown: Shown<Self>) -> Shape {
        let Shown {
            resource,
            last_operation,
        } = shown;
        let Self {
            id,
            name,
            instance_id,
            syslog_drain_url,
            route_service_url,
            volume_mounts,
            endpoints,
            context,
            bind_resource,
            meta,
        } = resource;
        Shape {
            base: base(id, meta),
            last_operation: last(last_operation),
            name,
            service_instance_id: instance_id.into(),
            syslog_drain_url: syslog_drain_url.map(Secret::new),
            route_service_url: route_service_url.map(Secret::new),
            volume_mounts: volume_mounts.map(Secret::new),
            endpoints,
            context: object(context),
            bind_resource: object(bind_resource),
            credentials: None,
            parameters: None,
        }
    }
}
